import { BehaviorSubject } from 'rxjs';
import { type Collection, createInformer, type KubernetesObject } from 'rx-informer';
import { type FakeCollection, fakeCollection } from '@rx-informer/views/testing';
import { FakeListerWatcher } from 'rx-informer/testing';
import { derive, groupObjects, mergeClusters, mergeViews, type Read, reduceObjects, topObjects, type View } from '@rx-informer/views';
import { median } from '../rounds.js';

interface Item extends KubernetesObject {
  readonly n: number;
}

const itemOf = (name: string, n: number): Item => ({ metadata: { namespace: 'n', name, labels: { app: 'a' } }, n });
const padded = (at: number): string => `item-${String(at).padStart(6, '0')}`;
const items = (count: number): Item[] => Array.from({ length: count }, (_, at) => itemOf(padded(at), at));

/** Milliseconds of CPU time of all threads. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function timed(work: () => void): number {
  const before = cpuMs();
  work();
  return cpuMs() - before;
}

const ignore = { next: () => undefined, error: () => undefined };

function informerOf(item: Item, name: string): Collection<Item> {
  const server = new FakeListerWatcher<Item>();
  server.add(item);
  return createInformer(server, { name });
}

/** Unions of `count` inputs: the milliseconds of creating them, all at once or one by one. */
async function many(count: number, way: string): Promise<object> {
  const inputOf = way === 'informers' ? informerOf : (item: Item, name: string): Collection<Item> => fakeCollection([item], { name });
  const all = Array.from({ length: count }, (_, at) => inputOf(itemOf(padded(at), at), `c${at}`));
  // The start of the inputs is not measured.
  for (const input of all) await input.whenSynced();
  const named = all.map((input, at) => [`cluster-${at}`, input] as const);
  const lists$ = new BehaviorSubject<readonly Collection<Item>[]>([]);
  const maps$ = new BehaviorSubject<ReadonlyMap<string, Collection<Item>>>(new Map());
  const lists = all.map((_, at) => all.slice(0, at + 1));
  const maps = all.map((_, at) => new Map(named.slice(0, at + 1)));
  return {
    viewsMs: timed(() => mergeViews(all).change$.subscribe(ignore)),
    viewsGrowMs: timed(() => {
      mergeViews(lists$).change$.subscribe(ignore);
      for (const list of lists) lists$.next(list);
    }),
    clustersMs: timed(() => mergeClusters(new Map(named)).change$.subscribe(ignore)),
    clustersGrowMs: timed(() => {
      mergeClusters(maps$).change$.subscribe(ignore);
      for (const map of maps) maps$.next(map);
    }),
  };
}

/** A chain of views: the microseconds per view of connecting the chain, and of passing one change through it. */
function deep(depth: number): object {
  const source = fakeCollection([itemOf('a', 0)]);
  let last: View<number> = derive(source, ({ n }) => n);
  for (let level = 1; level < depth; level += 1) last = derive(last, (n: number) => n + 1);
  const connectUs = (timed(() => last.change$.subscribe(ignore)) * 1000) / depth;
  const changes = [1, 2, 3, 4, 5].map((n) => (timed(() => source.put(itemOf('a', n))) * 1000) / depth);
  return { connectUs, changeUs: median(changes) };
}

type Reader = (read: Read, items: FakeCollection<Item>) => number;

/** The reads of a large group, by name. */
const readers: Readonly<Record<string, Reader>> = {
  count: (read, all) => read(all).length,
  some: (read, all) => (read(all, { labelSelector: { app: 'a' } }).some(({ metadata }) => metadata?.name === padded(7)) ? 1 : 0),
  first: (read, all) => read(all).slice(0, 10).length,
  sum: (read, all) => read(all).reduce((total, { n }) => total + n, 0),
};

/** The microseconds of one change in a group of `count`, by the kind of read. */
async function hot(count: number, way: string): Promise<object> {
  const all = fakeCollection(items(count));
  const owners = fakeCollection([itemOf('owner', 0)]);
  const reader = readers[way];
  const groups = groupObjects(all, () => 'group');
  const view: View<unknown> =
    reader !== undefined
      ? derive(owners, (_, read) => reader(read, all))
      : way === 'groupCount'
        ? derive(groups, ({ objects }) => objects.length)
        : reduceObjects(all, { initial: 0, add: (total, { n }) => total + n });
  view.change$.subscribe(ignore);
  await view.whenSynced();
  const changes = way === 'sum' || way === 'total' ? 150 : 3_000;
  let version = count;
  const round = (): number =>
    (timed(() => {
      for (let at = 0; at < changes; at += 1) all.put(itemOf(padded((at * 7919) % count), (version += 1)));
    }) *
      1000) /
    changes;
  round();
  const us = Math.min(round(), round(), round());
  const bare = all.indexer.list();
  let total = 0;
  const walk = (): number => timed(() => (total += bare.reduce((sum, { n }) => sum + n, 0))) * 1000;
  const walks = Array.from({ length: 200 }, walk);
  if (total === 0) throw new Error('Nothing was read');
  return { us, walkUs: median(walks), ratio: us / median(walks) };
}

/** The longest CPU time for which the first fill of a view blocks the event loop. */
async function fill(count: number, way: string): Promise<object> {
  const all = fakeCollection(items(count));
  all.change$.subscribe(ignore);
  const views: Readonly<Record<string, () => View<unknown>>> = {
    groupObjects: () => groupObjects(all, ({ n }) => `g${n % 500}`),
    derive: () => derive(all, ({ metadata, n }) => ({ name: metadata?.name, n })),
    topObjects: () => topObjects(all, (a, b) => ((a.n * 7919) % 50_021) - ((b.n * 7919) % 50_021)),
  };
  const view = views[way]?.() as View<unknown>;
  let longest = 0;
  let at = cpuMs();
  const tick = (): void => {
    const now = cpuMs();
    longest = Math.max(longest, now - at);
    at = now;
  };
  const before = at;
  view.change$.subscribe(ignore);
  tick();
  while (!view.hasSynced()) {
    await new Promise((resolve) => setImmediate(resolve));
    tick();
  }
  return { blockMs: longest, fillMs: at - before };
}

/** Large, deep and wide graphs of views. */
export function run({
  shape,
  count,
  way = '',
}: {
  readonly shape: string;
  readonly count: number;
  readonly way?: string;
}): Promise<object> {
  if (shape === 'many') return many(count, way);
  if (shape === 'deep') return Promise.resolve(deep(count));
  return shape === 'hot' ? hot(count, way) : fill(count, way);
}
