import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { concatMap, type Observable, of, Subject, timer, VirtualTimeScheduler } from 'rxjs';
import type { Deltas } from '../../src/api/delta.js';
import type { ResourceEvent } from '../../src/api/resourceEvent.js';
import type { SourceEvent } from '../../src/api/sourceEvent.js';
import { createIndexer } from '../../src/cache/createIndexer.js';
import type { Indexer } from '../../src/cache/indexer.js';
import { type DeltaCompression, deltaCompressions } from '../../src/delta/compressDeltas.js';
import { deltaFifo } from '../../src/delta/deltaFifo.js';
import type { DeltaProcessor } from '../../src/delta/deltaProcessor.js';
import { processDeltas } from '../../src/delta/processDeltas.js';
import { RequeueError } from '../../src/delta/requeueError.js';
import { scanToIndex } from '../../src/delta/scanToIndex.js';
import { added, bookmark, createStrictFollower, deleted, init, modified, page, type Pod, pod, ready } from './pods.js';

const names = ['a', 'b', 'c'];
const namespaces = ['n', 'm'];

/** What happens to a server, and what its source makes of it. */
type Step =
  | { readonly type: 'write' | 'remove' | 'recreate'; readonly namespace: string; readonly name: string; readonly lost: boolean }
  | {
      readonly type: 'list';
      readonly namespace: string;
      readonly pageSize: number;
      readonly streamed: boolean;
      readonly cut: number | undefined;
    }
  | { readonly type: 'bookmark'; readonly namespace: string };

const namespace = fc.constantFrom(...namespaces);
const change = fc.record({
  type: fc.constantFrom<'write' | 'remove' | 'recreate'>('write', 'write', 'remove', 'recreate'),
  namespace,
  name: fc.constantFrom(...names),
  lost: fc.boolean(),
});
const listing = fc.record({
  type: fc.constant<'list'>('list'),
  namespace,
  pageSize: fc.integer({ min: 1, max: 3 }),
  streamed: fc.boolean(),
  cut: fc.option(fc.nat({ max: 3 }), { nil: undefined }),
});
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: change },
    { weight: 2, arbitrary: listing },
    { weight: 1, arbitrary: fc.record({ type: fc.constant<'bookmark'>('bookmark'), namespace }) },
  ),
  { maxLength: 40 },
);

/** The source events of a history, and in what the server ends up. One scope per namespace, or one for everything. */
function play(history: readonly Step[], scoped: boolean) {
  const events: SourceEvent<Pod>[] = [];
  const objects = new Map<string, Pod>();
  let version = 10;
  let uids = 0;
  const scopeOf = (name: string) => (scoped ? name : '');
  const next = () => String((version += 1));

  const write = (key: string, place: string, name: string, lost: boolean, fresh: boolean) => {
    const before = fresh ? undefined : objects.get(key);
    if (before === undefined) uids += 1;
    const resourceVersion = next();
    const object = pod(name, resourceVersion, { namespace: place, uid: before?.metadata.uid ?? `uid-${uids}`, value: resourceVersion });
    objects.set(key, object);
    if (!lost) events.push((before === undefined ? added : modified)(object, scopeOf(place)));
  };
  const remove = (key: string, place: string, lost: boolean) => {
    const before = objects.get(key);
    if (before === undefined) return;
    objects.delete(key);
    const resourceVersion = next();
    if (!lost) events.push(deleted({ ...before, metadata: { ...before.metadata, resourceVersion } }, scopeOf(place)));
  };
  const relist = (place: string, { pageSize, streamed, cut }: Pick<Extract<Step, { type: 'list' }>, 'pageSize' | 'streamed' | 'cut'>) => {
    const scope = scopeOf(place);
    const items = [...objects.values()].filter(({ metadata }) => !scoped || metadata.namespace === place);
    const whole: SourceEvent<Pod>[] = [];
    for (let at = 0; at < items.length; at += pageSize) {
      const some = items.slice(at, at + pageSize);
      if (streamed) whole.push(...some.map((object) => added(object, scope)));
      else whole.push(page(some, scope));
    }
    events.push(init(scope), ...(cut === undefined ? [...whole, ready(String(version), scope)] : whole.slice(0, cut)));
    // Without its end, a list is followed by another one.
    if (cut !== undefined) relist(place, { pageSize, streamed: false, cut: undefined });
  };

  const relistAll = (): void => {
    for (const place of scoped ? namespaces : namespaces.slice(0, 1)) relist(place, { pageSize: 3, streamed: false, cut: undefined });
  };
  relistAll();
  for (const step of history) {
    if (step.type === 'list') {
      relist(step.namespace, step);
    } else if (step.type === 'bookmark') {
      events.push(bookmark(String(version), scopeOf(step.namespace)));
    } else {
      const key = `${step.namespace}/${step.name}`;
      if (step.type !== 'write') remove(key, step.namespace, step.lost);
      if (step.type !== 'remove') write(key, step.namespace, step.name, step.lost, step.type === 'recreate');
    }
  }
  return { events, objects, relistAll };
}

interface Slowness {
  readonly compress: DeltaCompression;
  readonly concurrency: number;
  /** In turn: how long until the next source event, how long items take, and whether they have to be done again. */
  readonly gaps: readonly number[];
  readonly delays: readonly number[];
  readonly refusals: readonly boolean[];
}

const slowness = (compress: DeltaCompression): fc.Arbitrary<Slowness> =>
  fc.record({
    compress: fc.constant(compress),
    concurrency: fc.integer({ min: 1, max: 3 }),
    gaps: fc.array(fc.nat({ max: 6 }), { minLength: 1, maxLength: 7 }),
    delays: fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 5 }),
    refusals: fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }).map((refusals) => [...refusals, false]),
  });

const take = <V>(values: readonly V[], at: number): V => values[at % values.length] as V;

/** Plays events, slowly, through a queue into a store. */
function throughQueue(events: readonly SourceEvent<Pod>[], { compress, concurrency, gaps, delays, refusals }: Slowness, scopes?: string[]) {
  const scheduler = new VirtualTimeScheduler();
  const indexer = createIndexer<Pod>();
  const apply = processDeltas(indexer);
  const follower = createStrictFollower<Pod>();
  const busy = new Set<string>();
  const overlaps: string[] = [];
  const trace: ResourceEvent<Pod>[] = [];
  let calls = 0;
  const process: DeltaProcessor<Pod, ResourceEvent<Pod>> = Object.assign(
    (...[deltas, ...rest]: [Deltas<Pod>, ...Tail<Parameters<typeof apply>>]): Observable<ResourceEvent<Pod>> => {
      const key = deltas[0]?.key ?? '';
      if (busy.has(key)) overlaps.push(key);
      busy.add(key);
      calls += 1;
      const delay = take(delays, calls);
      const refused = take(refusals, calls);
      return (delay === 0 ? of(0) : timer(delay, scheduler)).pipe(
        concatMap(() => {
          busy.delete(key);
          if (refused) throw new RequeueError();
          return apply(deltas, ...rest);
        }),
      );
    },
    apply,
  );
  const source = new Subject<SourceEvent<Pod>>();
  let completed = false;
  source.pipe(deltaFifo(process, { compress, concurrency, scopes, retryDelayMs: 3, scheduler })).subscribe({
    next: (event) => {
      trace.push(event);
      follower.follow(event);
    },
    complete: () => {
      completed = true;
    },
  });
  let at = 0;
  events.forEach((event, index) => {
    at += take(gaps, index);
    scheduler.schedule(() => source.next(event), at);
  });
  scheduler.schedule(() => source.complete(), at + 1);
  scheduler.flush();
  return { indexer, follower, overlaps, trace, completed };
}

type Tail<A extends readonly unknown[]> = A extends [unknown, ...infer Rest] ? Rest : never;

const contentOf = (indexer: Indexer<Pod>) =>
  Object.fromEntries(
    indexer
      .listKeys()
      .sort()
      .map((key) => [key, indexer.getByKey(key)]),
  );

describe('deltaFifo with processDeltas', () => {
  describe.each(deltaCompressions)("and compress '%s'", (compress) => {
    it.each([
      ['one scope', false],
      ['a scope per namespace', true],
    ])('ends with the cache of scanToIndex, whatever the process takes its time for (%s)', (_, scoped) => {
      fc.assert(
        fc.property(steps, slowness(compress), (history, pace) => {
          const { events } = play(history, scoped);
          const scopes = scoped ? namespaces : undefined;
          const expected = createIndexer<Pod>();
          const source = new Subject<SourceEvent<Pod>>();
          let syncs = 0;
          source.pipe(scanToIndex(expected, { scopes })).subscribe(({ type }) => {
            if (type === 'synced') syncs += 1;
          });
          for (const event of events) source.next(event);

          const { indexer, follower, overlaps, completed } = throughQueue(events, pace, scopes);
          expect(contentOf(indexer)).toEqual(contentOf(expected));
          expect(indexer.lastStoreSyncResourceVersion()).toBe(expected.lastStoreSyncResourceVersion());
          // Who follows the events knows the cache, and nothing was told out of order, twice or not at all.
          expect(follower.misfits).toEqual([]);
          expect(Object.fromEntries(follower.known)).toEqual(contentOf(indexer));
          expect(follower.syncs()).toBe(syncs);
          expect([overlaps, completed]).toEqual([[], true]);
        }),
        { numRuns: 150 },
      );
    });

    it('ends with what the server has, after a complete list', () => {
      fc.assert(
        fc.property(steps, fc.boolean(), slowness(compress), (history, scoped, pace) => {
          const { events, objects, relistAll } = play(history, scoped);
          relistAll();
          const { indexer } = throughQueue(events, pace, scoped ? namespaces : undefined);
          expect(contentOf(indexer)).toEqual(Object.fromEntries([...objects].sort(([one], [other]) => (one < other ? -1 : 1))));
        }),
        { numRuns: 100 },
      );
    });
  });
});
