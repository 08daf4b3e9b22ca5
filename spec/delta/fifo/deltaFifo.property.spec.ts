import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { concatMap, type Observable, of, Subject, timer, VirtualTimeScheduler } from 'rxjs';
import type { Deltas, ResourceChange, ResourceEvent, SourceEvent } from '../../../src/api/events.js';
import { createIndexer } from '../../../src/cache/store/createIndexer.js';
import type { Indexer } from '../../../src/cache/store/store.js';
import { type DeltaCompression, deltaCompressions } from '../../../src/delta/fifo/compressDeltas.js';
import { deltaFifo } from '../../../src/delta/fifo/deltaFifo.js';
import { type DeltaProcessor, RequeueError } from '../../../src/delta/fifo/deltaProcessor.js';
import { processDeltas } from '../../../src/delta/index/processDeltas.js';
import { scanToIndex } from '../../../src/delta/index/cache.js';
import { namespaces, play, steps } from '../histories.js';
import { createStrictFollower, type Pod } from '../pods.js';
import { flattenChanges } from '../share/flattenChanges.js';
import { runs } from '../../tier.js';

interface Slowness {
  readonly compress: DeltaCompression;
  readonly concurrent: number;
  /** In turn: how long until the next source event, how long items take, and whether they have to be done again. */
  readonly gaps: readonly number[];
  readonly delays: readonly number[];
  readonly refusals: readonly boolean[];
}

const slowness = (compress: DeltaCompression): fc.Arbitrary<Slowness> =>
  fc.record({
    compress: fc.constant(compress),
    concurrent: fc.integer({ min: 1, max: 3 }),
    gaps: fc.array(fc.nat({ max: 6 }), { minLength: 1, maxLength: 7 }),
    delays: fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 5 }),
    refusals: fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }).map((refusals) => [...refusals, false]),
  });

const take = <V>(values: readonly V[], at: number): V => values[at % values.length] as V;

/** Plays events, slowly, through a queue into a store. */
function throughQueue(events: readonly SourceEvent<Pod>[], { compress, concurrent, gaps, delays, refusals }: Slowness, scopes?: string[]) {
  const scheduler = new VirtualTimeScheduler();
  const indexer = createIndexer<Pod>();
  const apply = processDeltas(indexer);
  const follower = createStrictFollower<Pod>();
  const busy = new Set<string>();
  const overlaps: string[] = [];
  const trace: ResourceEvent<Pod>[] = [];
  let calls = 0;
  const process: DeltaProcessor<Pod, ResourceChange<Pod>> = Object.assign(
    (...[deltas, ...rest]: [Deltas<Pod>, ...Tail<Parameters<typeof apply>>]): Observable<ResourceChange<Pod>> => {
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
  source.pipe(deltaFifo(process, { compress, concurrent, scopes, retryDelayMs: 3, scheduler }), flattenChanges()).subscribe({
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
          source.pipe(scanToIndex(expected, { scopes }), flattenChanges()).subscribe(({ type }) => {
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
        { numRuns: runs(300) },
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
        { numRuns: runs(200) },
      );
    });
  });
});
