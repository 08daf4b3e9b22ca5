import PQueue from 'p-queue';
import { EMPTY, from, lastValueFrom } from 'rxjs';
import { reconcile } from '@rx-informer/controller';
import { createWorkQueue } from 'rx-informer/workqueue';
import { median } from '../rounds.js';

const keys = Array.from({ length: 50_000 }, (_, at) => `namespace-${at % 100}/object-${at}`);
const workers = 16;
const rounds = 5;
const none = { defaultValue: undefined };

/** The job of every contender that takes promises: one turn of the microtask queue. */
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
    lastValueFrom(reconcile({ sources: [from(keys)], concurrent: workers, reconcile: ({ key }) => job(key) }), none),
  'reconcile, synchronous': () => lastValueFrom(reconcile({ sources: [from(keys)], concurrent: workers, reconcile: () => EMPTY }), none),
};

/** The cost of a key in each contender, in microseconds; the contenders take turns in one process. */
export async function run(): Promise<object> {
  const times = new Map<string, number[]>(Object.keys(contenders).map((name) => [name, []]));
  for (let round = -2; round < rounds; round += 1) {
    for (const [name, contender] of Object.entries(contenders)) {
      const start = performance.now();
      await contender();
      // The first two rounds warm the process up.
      if (round >= 0) times.get(name)?.push(((performance.now() - start) * 1000) / keys.length);
    }
  }
  return Object.fromEntries([...times].map(([name, micros]) => [name, median(micros)]));
}
