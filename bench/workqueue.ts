/**
 * What a queue costs per key, next to p-queue running the same jobs in the same process. Rounds are interleaved and the median of each contender
 * counts, so that a busy machine slows all of them alike.
 *
 * `node --import ./tools/register-ts-node.mjs bench/workqueue.ts`
 */
import PQueue from 'p-queue';
import { EMPTY, from, lastValueFrom } from 'rxjs';

import { reconcile } from '../src/controller/reconcile.js';
import { createWorkQueue } from '../src/workqueue/createWorkQueue.js';

const keys = Array.from({ length: 50_000 }, (_, at) => `namespace-${at % 100}/object-${at}`);
const workers = 16;
const rounds = 9;
const none = { defaultValue: undefined };

/** The job of every contender that takes promises: nothing but a turn of the event loop's microtasks. */
async function job(key: string): Promise<void> {
  await Promise.resolve(key);
}

const contenders: Readonly<Record<string, () => Promise<unknown>>> = {
  'p-queue': async () => {
    const queue = new PQueue({ concurrency: workers });
    for (const key of keys) void queue.add(() => job(key));
    await queue.onIdle();
  },
  'work queue, promises': async () => {
    const queue = createWorkQueue<string>();
    const work = async (): Promise<void> => {
      for (let taken = await queue.get(); !taken.shutdown; taken = await queue.get()) {
        await job(taken.item);
        queue.done(taken.item);
      }
    };
    const running = Array.from({ length: workers }, work);
    for (const key of keys) queue.add(key);
    queue.shutDown();
    await Promise.all(running);
  },
  'work queue, synchronous': () => {
    const queue = createWorkQueue<string>();
    for (const key of keys) queue.add(key);
    for (let taken = queue.tryGet(); taken !== undefined && !taken.shutdown; taken = queue.tryGet()) queue.done(taken.item);
    return Promise.resolve();
  },
  'reconcile, promises': () =>
    lastValueFrom(reconcile({ sources: [from(keys)], concurrency: workers, reconcile: ({ key }) => job(key) }), none),
  'reconcile, synchronous': () => lastValueFrom(reconcile({ sources: [from(keys)], concurrency: workers, reconcile: () => EMPTY }), none),
};

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

const times = new Map<string, number[]>(Object.keys(contenders).map((name) => [name, []]));
for (let round = -2; round < rounds; round += 1) {
  for (const [name, contender] of Object.entries(contenders)) {
    const start = performance.now();
    await contender();
    // The first two rounds warm the machine up.
    if (round >= 0) times.get(name)?.push(performance.now() - start);
  }
}

const reference = median(times.get('p-queue') ?? []);
console.log(`${keys.length} keys, ${workers} workers, median of ${rounds} rounds, node ${process.version}\n`);
console.log('contender'.padEnd(26), 'us per key'.padStart(10), 'keys per s'.padStart(12), 'x p-queue'.padStart(10));
for (const [name, measured] of times) {
  const ms = median(measured);
  const columns = [
    ((ms * 1000) / keys.length).toFixed(2).padStart(10),
    Math.round((keys.length / ms) * 1000)
      .toString()
      .padStart(12),
  ];
  console.log(name.padEnd(26), ...columns, (reference / ms).toFixed(2).padStart(10));
}
