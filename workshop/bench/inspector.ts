/**
 * `npm run bench -- inspector [pods] [events per second]`: the cost of the registry without a reader, and the cost of the inspector with an
 * open page.
 */
import { request } from 'node:http';
import { Subject } from 'rxjs';
import type { SourceEvent } from 'rx-informer/pipeline';
import { createInformer, type V1Pod } from 'rx-informer';
import { SlowCalls } from '../../src/api/clock.js';
import { startInspector } from '@rx-informer/inspector';
import { podJson, podNames } from './realisticPod.js';
import { ThreadClock } from './threadClock.js';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const [podCount = 20_000, perSecond = 1_000] = process.argv.slice(2).map(Number);
const seconds = 15;
const rounds = 3;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const row = (what: string, measured: string): void => console.log(`| ${what} | ${measured} |`);
const median = (values: readonly number[]): number => [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;

const names = podNames(podCount);
let version = 1;
const podAt = (at: number): V1Pod => {
  const name = names[at % podCount];
  if (name === undefined) throw new Error('Expected a pod');
  version += 1;
  return JSON.parse(podJson(name, version, version, true)) as V1Pod;
};

const source = new Subject<SourceEvent<V1Pod>>();
const pods = createInformer<V1Pod>(source, { name: 'pods', resource: 'pods', freeze: true });
let seen = 0;
pods.resource$.subscribe({
  next: () => (seen += 1),
  error: (error: unknown) => {
    throw error;
  },
});
source.next({ type: 'init', scope: '', reason: 'first', previousResourceVersion: '' });
source.next({ type: 'page', items: names.map((_, at) => podAt(at)) });
source.next({ type: 'ready', scope: '', resourceVersion: String(version) });

/** Watches for the longest CPU time of this thread between two timers; other processes use the machine too. */
function watchBlocks(): () => number {
  const clock = new ThreadClock();
  let last = clock.now();
  let longest = 0;
  const timer = setInterval(() => {
    const at = clock.now();
    longest = Math.max(longest, at - last);
    last = at;
  }, 2);
  return () => {
    clearInterval(timer);
    clock.close();
    return longest;
  };
}

/** Makes `perSecond` changes each second. Returns the CPU time per second in milliseconds, and the longest block. */
async function drive(look?: () => Promise<unknown>): Promise<{ readonly cpuMs: number; readonly blockMs: number }> {
  const events = Array.from({ length: perSecond }, (_, at) => podAt(at * 7));
  const end = watchBlocks();
  const before = process.cpuUsage();
  for (let second = 0; second < seconds; second += 1) {
    const begun = performance.now();
    const looking = look?.();
    for (let slice = 0; slice < 20; slice += 1) {
      for (const object of events.slice((slice * perSecond) / 20, ((slice + 1) * perSecond) / 20)) {
        version += 1;
        const changed = {
          ...object,
          metadata: { ...object.metadata, resourceVersion: String(version) },
          status: { ...object.status, startTime: version as never },
        };
        source.next({ type: 'modified', object: changed, resourceVersion: String(version) });
      }
      await pause(Math.max(0, begun + (slice + 1) * 50 - performance.now()));
    }
    await looking;
  }
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1000 / seconds, blockMs: end() };
}

function ask(url: string, look: object): Promise<number> {
  const { port, hash } = new URL(url);
  const path = `/look?q=${encodeURIComponent(JSON.stringify(look))}`;
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers: { authorization: `Bearer ${hash.slice('#token='.length)}` } }, (response) => {
      let bytes = 0;
      response.on('data', (part: Buffer) => (bytes += part.length));
      response.on('end', () => resolve(bytes));
    })
      .on('error', reject)
      .end();
  });
}

await drive();
const [closed, open]: [{ cpuMs: number; blockMs: number }[], { cpuMs: number; blockMs: number }[]] = [[], []];
let heap = 0;
let late = 0;
for (let round = 0; round < rounds; round += 1) {
  closed.push(await drive());
  collect();
  const before = process.memoryUsage().heapUsed;
  const inspector = await startInspector();
  const begun = performance.now();
  await ask(inspector.url, {});
  late = performance.now() - begun;
  let turn = 0;
  const panels = [{}, { panel: 'timeline' }, { panel: 'objects', of: 1 }, { panel: 'graph' }];
  open.push(await drive(() => ask(inspector.url, panels[(turn += 1) % panels.length] ?? {})));
  collect();
  heap = Math.max(heap, process.memoryUsage().heapUsed - before);
  await inspector.close();
}
const cpu = (all: typeof closed): number => median(all.map(({ cpuMs }) => cpuMs));
const block = (all: typeof closed): number => median(all.map(({ blockMs }) => blockMs));
row(
  `${podCount} pods, ${perSecond} events/s, closed`,
  `${cpu(closed).toFixed(0)} ms of processor time per second, longest block ${block(closed).toFixed(1)} ms`,
);
row('the same with a page open', `${cpu(open).toFixed(0)} ms, longest block ${block(open).toFixed(1)} ms`);
row('what a page costs, of a processor (at most 5 %)', `${((cpu(open) - cpu(closed)) / 10).toFixed(1)} %`);
row('memory while it is open (at most 32 MB)', `${(heap / 1e6).toFixed(1)} MB`);
row('a page that comes late has everything after (at most 1 s)', `${late.toFixed(0)} ms`);

// The cost per change without a reader: `SlowCalls` measures the time of the subscribers.
const some = Array.from({ length: 1_000 }, (_, at) => podAt(at));
function nsOfChange(): number {
  const events = 30_000;
  const start = process.cpuUsage();
  for (let at = 0; at < events; at += 1) source.next({ type: 'modified', object: { ...some[at % 1_000] }, resourceVersion: '1' });
  const { user, system } = process.cpuUsage(start);
  return ((user + system) * 1000) / events;
}
function nsOfMeasuring(): number {
  const calls = new SlowCalls();
  const count = 300_000;
  const start = process.cpuUsage();
  for (let at = 0; at < count; at += 1) calls.end(calls.begin(), 1);
  const { user, system } = process.cpuUsage(start);
  return ((user + system) * 1000) / count;
}
nsOfChange();
nsOfMeasuring();
const pairs = Array.from({ length: 11 }, () => [nsOfMeasuring(), nsOfChange()] as const);
const added = median(pairs.map(([measuring]) => measuring));
const event = median(pairs.map(([, change]) => change));
row(
  'closed: what is added to a change, of one without decoding (at most 1 %)',
  `${added.toFixed(0)} ns, ${((added / event) * 100).toFixed(2)} % of ${event.toFixed(0)} ns; ${((added / (event + 30_000)) * 100).toFixed(2)} % with 30 us of decoding`,
);
console.log(seen);
await pods.stop();
