import { describe, expect, it, jest } from '@jest/globals';
import {
  concat,
  concatMap,
  defer,
  EMPTY,
  finalize,
  map,
  mergeMap,
  NEVER,
  Observable,
  of,
  Subject,
  take,
  takeWhile,
  throwError,
  timer,
} from 'rxjs';

import type { ResourceEvent } from 'rx-informer';
import { mappedKeys } from '../../src/reconcile/mappedKeys.js';
import type { Outcome } from '../../src/reconcile/outcome.js';
import { reconcile } from '../../src/reconcile/reconcile.js';
import { retryAfter, terminal } from '../../src/reconcile/terminal.js';
import type { ReconcileConfig } from '../../src/reconcile/reconcileConfig.js';
import type { ReconcileRequest } from '../../src/reconcile/reconcileRun.js';
import { exponentialFailure, tokenBucket } from 'rx-informer/workqueue';
import type { QueueReadings } from 'rx-informer/internal';
import { type Answer, createTestScheduler, fail, lineOf, type LoopHelpers, outcomeLog } from './outcomeLog.js';

/** Work that takes a while. */
const takes =
  (ms: number): (() => Answer) =>
  () =>
    timer(ms).pipe(map(() => undefined));

/** Work that fails the first times for each key. */
function failing(times: number, ms = 0): (request: ReconcileRequest) => Answer {
  return ({ attempt }) =>
    attempt <= times
      ? concat(
          timer(ms).pipe(map(() => undefined)),
          throwError(() => new Error('no luck')),
        )
      : EMPTY;
}

const added = (key: string, initial = false): ResourceEvent<unknown> => ({ type: 'added', key, object: {}, initial, inferred: false });
const updated = (key: string, resync = false): ResourceEvent<unknown> => ({
  type: 'updated',
  key,
  object: {},
  oldObject: {},
  resync,
  inferred: false,
});
const deleted = (key: string): ResourceEvent<unknown> => ({ type: 'deleted', key, object: {}, finalStateUnknown: false, inferred: false });
const synced: ResourceEvent<unknown> = { type: 'synced', resourceVersion: '1', previousResourceVersion: '' };

describe('reconcile', () => {
  describe('fairness', () => {
    it('lets priorities age: what has waited long goes before what is more urgent and new', () => {
      const sources = ({ cold }: LoopHelpers) => ({ urgent: cold('bcdefgh'), low: cold('a') });
      const config = { priority: (_: unknown, source: string) => (source === 'low' ? -10 : 0) };
      const started = (lines: readonly string[]): string => lines.flatMap((line) => /started (\w)/.exec(line)?.[1] ?? []).join('');
      expect(started(outcomeLog((helpers) => ({ sources: sources(helpers), ...config }), { work: takes(2) }))).toBe('bcdefgha');
      // A wait of 3 ms makes up for the ten levels.
      expect(started(outcomeLog((helpers) => ({ sources: sources(helpers), ...config, agingMs: 0.3 }), { work: takes(2) }))).toBe(
        'bcdaefgh',
      );
    });

    it('lets a limiter that counts by key forget one that has succeeded', () => {
      const started = outcomeLog(({ hot }) => ({
        sources: { some: hot('a 29ms a 29ms a 29ms a') },
        limits: { some: exponentialFailure({ baseMs: 5, maxMs: 1_000 }) },
      })).filter((line) => line.includes('started'));
      expect(started).toEqual(['5 started a #1', '35 started a #1', '65 started a #1', '95 started a #1']);
    });

    it('takes from a limited source no more than its limiter lets through, each key once, and leaves the others alone', () => {
      const lines = outcomeLog(({ cold, scheduler }) => ({
        sources: { flood: cold('(abcc)----|'), calm: cold('--x|') },
        limits: { flood: tokenBucket({ qps: 100, burst: 1, clock: scheduler }) },
      }));
      expect(lines.filter((line) => line.includes('started'))).toEqual([
        '0 started a #1',
        '2 started x #1',
        '10 started b #1',
        '20 started c #1',
      ]);
    });

    it('says at the end what a limit still held back', () => {
      const lines = outcomeLog(({ cold, scheduler }) => ({
        sources: { flood: cold('(ab)') },
        limits: { flood: tokenBucket({ qps: 1, burst: 1, clock: scheduler }) },
        stop$: timer(5, scheduler),
      }));
      expect(lines.slice(-2)).toEqual(['5 stopped, abandoned [b]', '5 complete']);
    });

    it('refuses a limit for a source that there is not', () => {
      const limits = { flod: tokenBucket({ qps: 1, burst: 1 }) };
      expect(() => reconcile({ sources: { flood: NEVER }, limits, reconcile: () => EMPTY })).toThrow('to name sources (flood), got "flod"');
    });
  });

  describe('stuck work', () => {
    it('is named once, with its begin, and goes on', () => {
      const lines = outcomeLog(({ cold }) => ({ sources: [cold('-a|')], stuckAfterMs: 5 }), { work: takes(20) });
      expect(lines).toEqual([
        '1 started a #1',
        '2 sourceCompleted 0',
        '6 stuck a #1 since 1',
        '21 succeeded a in 20',
        expect.stringContaining('complete'),
      ]);
    });

    it('is not told of work that ends in time', () => {
      expect(outcomeLog(({ cold }) => ({ sources: [cold('-a')], stuckAfterMs: 5 }), { work: takes(4) })).toEqual([
        '1 started a #1',
        '5 succeeded a in 4',
      ]);
    });
  });

  describe('one call per key at a time', () => {
    it('calls once for triggers that wait, and once more for any number during the call (WQ-02, WQ-03)', () => {
      expect(outcomeLog(({ hot }) => ({ sources: [hot('-aa-a-----b')] }), { work: takes(4) })).toEqual([
        '1 started a #1',
        '5 succeeded a in 4',
        '5 started a #1',
        '9 succeeded a in 4',
        '10 started b #1',
        '14 succeeded b in 4',
      ]);
    });

    it('works on as many keys at once as it may', () => {
      expect(outcomeLog(({ cold }) => ({ sources: [cold('(abc)')], concurrent: 2 }), { work: takes(5) })).toEqual([
        '0 started a #1',
        '0 started b #1',
        '5 succeeded a in 5',
        '5 started c #1',
        '5 succeeded b in 5',
        '10 succeeded c in 5',
      ]);
    });

    it('works any number of synchronous keys off without deep stacks', () => {
      const keys = Array.from({ length: 5_000 }, (_, at) => String(at));
      const lines = outcomeLog(() => ({ sources: [keys] }));
      expect(lines.filter((line) => line.includes('succeeded'))).toHaveLength(keys.length);
      expect(lines.slice(1, 4)).toEqual(['0 started 0 #1', '0 succeeded 0 in 0', '0 started 1 #1']);
    });

    it('takes a trigger from inside a call for a later one', () => {
      const keys = new Subject<string>();
      const work = ({ key }: ReconcileRequest): Answer => {
        if (key === 'a') keys.next('b');
        if (key === 'b') keys.next('c');
        return EMPTY;
      };
      expect(outcomeLog(({ cold }) => ({ sources: [cold('a'), keys] }), { work })).toEqual([
        '0 started a #1',
        '0 succeeded a in 0',
        '0 started b #1',
        '0 succeeded b in 0',
        '0 started c #1',
        '0 succeeded c in 0',
      ]);
    });
  });

  describe('starting', () => {
    it('calls nothing before all caches are synced, whatever the sources say (EX-04)', () => {
      expect(
        outcomeLog(({ cold, hot }) => ({
          sources: [hot('-a-b-a')],
          caches: [{ whenSynced: () => cold('---x') }, { whenSynced: () => cold('-------|') }],
        })),
      ).toEqual(['7 started a #1', '7 succeeded a in 0', '7 started b #1', '7 succeeded b in 0']);
    });

    it('fails with the error of a cache that cannot become synced', () => {
      const error = new Error('forbidden');
      expect(outcomeLog(({ cold }) => ({ sources: [NEVER], caches: [{ whenSynced: () => cold('--#', {}, error) }] }))).toEqual([
        '2 error: forbidden',
      ]);
    });

    it('no longer waits for caches once it is unsubscribed from', () => {
      let aborted = false;
      const whenSynced = ({ signal }: { signal?: AbortSignal } = {}): Promise<void> => {
        signal?.addEventListener('abort', () => (aborted = true));
        return new Promise(() => undefined);
      };
      const subscription = reconcile({ sources: [], caches: [{ whenSynced }], reconcile: () => EMPTY }).subscribe();
      expect(aborted).toBe(false);
      subscription.unsubscribe();
      expect(aborted).toBe(true);
    });

    it('waits for a promise as well', async () => {
      const lines: string[] = [];
      const loop = reconcile({
        sources: [of('a')],
        caches: [{ whenSynced: () => Promise.resolve() }],
        reconcile: () => Promise.resolve({}),
      });
      await new Promise<void>((resolve) => {
        loop.subscribe({ next: (outcome) => lines.push(outcome.type), error: fail, complete: resolve });
        expect(lines).toEqual(['sourceCompleted']);
      });
      expect(lines).toEqual(['sourceCompleted', 'started', 'succeeded']);
    });

    it('begins nothing before it is subscribed to, and each subscription has a loop of its own', () => {
      const calls: string[] = [];
      const loop = reconcile({
        sources: [of('a')],
        reconcile: ({ key, attempt }) => {
          calls.push(`${key} #${attempt}`);
          return EMPTY;
        },
      });
      expect(calls).toEqual([]);
      loop.subscribe();
      loop.subscribe();
      expect(calls).toEqual(['a #1', 'a #1']);
    });
  });

  describe('a failing key', () => {
    it('backs off by the limiter, and starts over after a success (RQ-01, LM-01)', () => {
      expect(outcomeLog(({ hot }) => ({ sources: [hot('a 99ms a')] }), { work: failing(2, 5), forMs: 110 })).toEqual([
        '0 started a #1',
        '5 failed a in 5, retry in 10: no luck',
        '15 started a #2',
        '20 failed a in 5, retry in 20: no luck',
        '40 started a #3',
        '40 succeeded a in 0',
        '100 started a #1',
        '105 failed a in 5, retry in 10: no luck',
      ]);
    });

    it('leaves the others alone', () => {
      const work = ({ key }: ReconcileRequest): Answer => (key === 'bad' ? throwError(() => new Error('no luck')) : EMPTY);
      expect(outcomeLog(({ hot }) => ({ sources: [hot('a-b-c', { a: 'bad', b: 'good', c: 'fine' })] }), { work, forMs: 9 })).toEqual([
        '0 started bad #1',
        '0 failed bad in 0, retry in 10: no luck',
        '2 started good #1',
        '2 succeeded good in 0',
        '4 started fine #1',
        '4 succeeded fine in 0',
      ]);
    });

    it('is called sooner by an event; a failure then neither lengthens the backoff nor loses the retry', () => {
      expect(outcomeLog(({ hot }) => ({ sources: [hot('a--a-a')] }), { work: failing(4), forMs: 31 })).toEqual([
        '0 started a #1',
        '0 failed a in 0, retry in 10: no luck',
        '3 started a #2',
        '3 failed a in 0, retry in 7: no luck',
        '5 started a #3',
        '5 failed a in 0, retry in 5: no luck',
        '10 started a #4',
        '10 failed a in 0, retry in 20: no luck',
        '30 started a #5',
        '30 succeeded a in 0',
      ]);
    });

    it('is retried by its own backoff, whatever an earlier call has asked for', () => {
      let call = 0;
      const work = (): Answer => {
        call += 1;
        return call === 1 ? of({ requeueAfterMs: 100 }) : throwError(() => new Error('no luck'));
      };
      expect(outcomeLog(({ hot }) => ({ sources: [hot('a 94ms a')] }), { work, forMs: 106 })).toEqual([
        '0 started a #1',
        '0 succeeded a in 0, again in 100',
        '95 started a #1',
        '95 failed a in 0, retry in 10: no luck',
        '105 started a #2',
        '105 failed a in 0, retry in 20: no luck',
      ]);
    });

    it.each<[string, () => unknown, RegExp]>([
      [
        'throws',
        () => {
          throw new Error('thrown');
        },
        /thrown$/,
      ],
      [
        'returns nothing to wait for',
        () => undefined,
        /Expected `reconcile` to return a promise or an Observable, got undefined; declare the function async/,
      ],
      [
        'asks for a negative requeue',
        () => of({ requeueAfterMs: -1 }),
        /Expected `requeueAfterMs` of `reconcile` to be a finite number >= 0, got -1$/,
      ],
      ['asks for a requeue that is no number', () => of({ requeueAfterMs: 'soon' }), /to be a finite number >= 0, got "soon"$/],
    ])('fails when the function %s', (_, work, message) => {
      const lines = outcomeLog(({ cold }) => ({ sources: [cold('a')] }), { work: work as () => Answer, forMs: 5 });
      expect(lines).toEqual(['0 started a #1', expect.stringMatching(message)]);
      expect(lines[1]).toMatch(/^0 failed a in 0, retry in 10: /);
    });

    it('ends the loop with an error when the limiter gives no number, rather than being lost', () => {
      const rateLimiter = { when: () => NaN, forget: () => undefined, numRequeues: () => 0 };
      expect(outcomeLog(({ cold }) => ({ sources: [cold('a')], rateLimiter }), { work: failing(1) })).toEqual([
        '0 started a #1',
        '0 error: Expected `rateLimiter.when()` of `reconcile` to be a finite number, got NaN',
      ]);
    });

    it.each<[string, () => number, string]>([
      ['gives no number', () => NaN, 'Expected `limits.a.when()` of `reconcile` to be a finite number, got NaN'],
      ['throws', () => fail(new Error('broken')), 'broken'],
    ])('ends the loop with an error when the limiter of a source %s', (_, when, message) => {
      const limits = { a: { when, forget: () => undefined, numRequeues: () => 0 } };
      expect(outcomeLog(({ cold }) => ({ sources: { a: cold('a') }, limits }))).toEqual([`0 error: ${message}`]);
    });

    it('calls the `then` of a lazy thenable once', async () => {
      let calls = 0;
      const then = (resolve: (value: undefined) => void): void => {
        calls += 1;
        resolve(undefined);
      };
      const outcomes: string[] = [];
      const work = (): Answer => ({ then }) as PromiseLike<undefined>;
      await new Promise<void>((complete) => {
        reconcile({ sources: [of('a')], reconcile: work }).subscribe({ next: (outcome) => outcomes.push(lineOf(outcome)), complete });
      });
      expect(outcomes).toContainEqual(expect.stringMatching(/^succeeded a/));
      expect(calls).toBe(1);
    });

    it('lets time pass also under a limiter that says 0', () => {
      const rateLimiter = { when: () => 0, forget: () => undefined, numRequeues: () => 0 };
      expect(outcomeLog(({ cold }) => ({ sources: [cold('a')], rateLimiter }), { work: failing(1) })).toEqual([
        '0 started a #1',
        '0 failed a in 0, retry in 1: no luck',
        '1 started a #2',
        '1 succeeded a in 0',
      ]);
    });
  });

  describe('a failure policy', () => {
    const throwing =
      (errorOf: (attempt: number) => Error | undefined) =>
      (request: ReconcileRequest): Answer => {
        const error = errorOf(request.attempt);
        return error === undefined ? EMPTY : throwError(() => error);
      };

    it('gives a key up after a terminal error, until its next trigger', () => {
      const work = throwing(() => terminal(new Error('no such image')));
      expect(outcomeLog(({ hot }) => ({ sources: [hot('a---a')] }), { work })).toEqual([
        '0 started a #1',
        '0 failed a in 0: no such image',
        '4 started a #1',
        '4 failed a in 0: no such image',
      ]);
    });

    it('finds a terminal error among the causes of another, and says that it is final', () => {
      const outcomes: Outcome[] = [];
      const wrapped = new Error('outer', { cause: new Error('middle', { cause: terminal('inner') }) });
      reconcile({ sources: [['a']], reconcile: () => throwError(() => wrapped) }).subscribe((outcome) => outcomes.push(outcome));
      expect(outcomes.find(({ type }) => type === 'failed')).toMatchObject({ error: wrapped, isFinal: true });
      expect(outcomes.find(({ type }) => type === 'failed')).not.toHaveProperty('retryAfterMs');
    });

    it('retries after an error that cannot be read', () => {
      const unreadable = new Proxy(
        {},
        {
          get: () => {
            throw new Error('unreadable');
          },
        },
      );
      const outcomes: Outcome[] = [];
      const rateLimiter = exponentialFailure({ baseMs: 7, maxMs: 7 });
      const loop$ = reconcile({
        sources: [['a'], NEVER],
        rateLimiter,
        reconcile: () => new Observable<never>((subscriber) => subscriber.error(unreadable)),
      });
      loop$.pipe(take(4)).subscribe((outcome) => outcomes.push(outcome));
      expect(outcomes.find(({ type }) => type === 'failed')).toMatchObject({ attempt: 1, retryAfterMs: 7 });
    });

    it('retries after the delay that an error asks for, and counts it as an attempt', () => {
      const work = throwing((attempt) => (attempt === 1 ? retryAfter(300, 'busy') : attempt === 2 ? new Error('no luck') : undefined));
      expect(outcomeLog(({ hot }) => ({ sources: [hot('a')] }), { work })).toEqual([
        '0 started a #1',
        '0 failed a in 0, retry in 300: busy',
        '300 started a #2',
        '300 failed a in 0, retry in 10: no luck',
        '310 started a #3',
        '310 succeeded a in 0',
      ]);
    });

    it('gives a key up after `attempts`, and begins anew with its next trigger', () => {
      expect(outcomeLog(({ hot }) => ({ sources: [hot('a 99ms a')], attempts: 2 }), { work: failing(9) })).toEqual([
        '0 started a #1',
        '0 failed a in 0, retry in 10: no luck',
        '10 started a #2',
        '10 failed a in 0: no luck',
        '100 started a #1',
        '100 failed a in 0, retry in 10: no luck',
        '110 started a #2',
        '110 failed a in 0: no luck',
      ]);
    });

    it('refuses a delay that is none', () => {
      expect(() => retryAfter(-1, 'busy')).toThrow('Expected `ms` of `retryAfter` to be a finite number >= 0, got -1');
      expect(() => reconcile({ sources: [], reconcile: () => EMPTY, attempts: 0 })).toThrow(/Expected `attempts` of `reconcile` to be/);
    });
  });

  describe('requeueAfterMs', () => {
    const again = (ms: number): ((request: ReconcileRequest) => Answer) => {
      let calls = 0;
      return () => {
        calls += 1;
        return calls === 1 ? of({ requeueAfterMs: ms }) : EMPTY;
      };
    };

    it('is replaced by a call that comes sooner, which decides anew', () => {
      expect(outcomeLog(({ hot }) => ({ sources: [hot('a 19ms a')] }), { work: again(60) })).toEqual([
        '0 started a #1',
        '0 succeeded a in 0, again in 60',
        '20 started a #1',
        '20 succeeded a in 0',
      ]);
    });

    it('counts from the end of the call', () => {
      const work = (): Answer => concat(takes(5)(), of({ requeueAfterMs: 50 }));
      expect(outcomeLog(({ cold }) => ({ sources: [cold('a')] }), { work, forMs: 56 })).toEqual([
        '0 started a #1',
        '5 succeeded a in 5, again in 50',
        '55 started a #1',
      ]);
    });

    it.each<[string, Answer]>([
      ['requeue', of({ requeueAfterMs: 20 })],
      ['retry', throwError(() => new Error('no luck'))],
    ])('has the priority of the call, as a %s has', (_, answer) => {
      const sources = { urgent: of('a'), normal: timer(1).pipe(mergeMap(() => ['b', 'c'])) };
      const priority: ReconcileConfig['priority'] = (_trigger, source) => (source === 'urgent' ? 1 : 0);
      const work = ({ key, attempt, reasons }: ReconcileRequest): Answer => {
        if (key !== 'a') return takes(30)();
        return attempt === 1 && reasons[0]?.cause !== 'requeue' ? answer : EMPTY;
      };
      const started = outcomeLog(() => ({ sources, priority }), { work }).filter((line) => line.includes('started'));
      expect(started).toEqual(['0 started a #1', '1 started b #1', expect.stringMatching('^31 started a'), '31 started c #1']);
    });

    it('lets at least a millisecond pass', () => {
      expect(outcomeLog(({ cold }) => ({ sources: [cold('a')] }), { work: () => of({ requeueAfterMs: 0 }), forMs: 3 })).toEqual([
        '0 started a #1',
        '0 succeeded a in 0, again in 1',
        '1 started a #1',
        '1 succeeded a in 0, again in 1',
        '2 started a #1',
        '2 succeeded a in 0, again in 1',
      ]);
    });

    it('is the last value that counts', () => {
      const work = (): Answer => of({ requeueAfterMs: 5 }, undefined, { requeueAfterMs: 7 });
      expect(outcomeLog(({ cold }) => ({ sources: [cold('a')] }), { work, forMs: 1 })[1]).toBe('0 succeeded a in 0, again in 7');
    });
  });

  describe('sources', () => {
    it('may fail or complete without stopping the others', () => {
      expect(
        outcomeLog(({ cold }) => ({
          sources: { failing: cold('a-#', undefined, new Error('gone')), completing: cold('-b|'), other: cold('---c') },
        })),
      ).toEqual([
        '0 started a #1',
        '0 succeeded a in 0',
        '1 started b #1',
        '1 succeeded b in 0',
        '2 sourceFailed failing: gone',
        '2 sourceCompleted completing',
        '3 started c #1',
        '3 succeeded c in 0',
      ]);
    });

    it('end the loop when all have completed and nothing is left to do, retries and requeues included', () => {
      const work = ({ key, attempt, reasons }: ReconcileRequest): Answer => {
        if (key === 'b') return reasons[0]?.cause === 'requeue' ? EMPTY : of({ requeueAfterMs: 100 });
        return attempt === 1 ? throwError(() => new Error('no luck')) : EMPTY;
      };
      expect(outcomeLog(({ cold }) => ({ sources: [cold('(ab|)')] }), { work })).toEqual([
        '0 started a #1',
        '0 failed a in 0, retry in 10: no luck',
        '0 started b #1',
        '0 succeeded b in 0, again in 100',
        '0 sourceCompleted 0',
        '10 started a #2',
        '10 succeeded a in 0',
        '100 started b #1',
        '100 succeeded b in 0',
        '100 complete',
      ]);
    });

    it('end a loop without any at once', () => {
      expect(outcomeLog(() => ({ sources: [] }))).toEqual(['0 complete']);
    });

    it('are subscribed to once, and left when the loop is', () => {
      const scheduler = createTestScheduler();
      scheduler.run(({ hot, expectObservable, expectSubscriptions }) => {
        const first = hot(' --a-----b-');
        const second = hot('----|      ');
        const loop = reconcile({ sources: [first, second], reconcile: takes(2), scheduler }).pipe(map(({ type }) => type));
        const expected = '  --s-(ec)---';
        expectObservable(loop, '-^-----!  ').toBe(expected, { s: 'started', e: 'sourceCompleted', c: 'succeeded' });
        expectSubscriptions(first.subscriptions).toBe(' -^-----!');
        expectSubscriptions(second.subscriptions).toBe('-^--!');
      });
    });

    it('may be anything that RxJS can subscribe to; what it cannot fails that source', () => {
      const sources = [['a'], undefined as never];
      expect(outcomeLog(() => ({ sources, reconcile: () => EMPTY }))).toEqual([
        '0 sourceCompleted 0',
        expect.stringContaining("0 sourceFailed 1: You provided 'undefined' where a stream was expected"),
        '0 started a #1',
        '0 succeeded a in 0',
        '0 complete',
      ]);
    });

    it.each<[string, unknown, string]>([
      ['no key', '', 'Expected a key to be a non-empty string, got ""'],
      ['a trigger without a key', { type: 'trigger', objectKey: '' }, 'Expected a key to be a non-empty string, got undefined'],
      ['null', null, 'Expected a source to emit a key, a resource event or a trigger, got null'],
      ['a number', 5, 'Expected a source to emit a key, a resource event or a trigger, got 5'],
      ['an object', {}, 'Expected a source to emit a key, a resource event or a trigger, got an object'],
    ])('says so where a source emits %s, and goes on', (_, value, message) => {
      const sources = { a: of(value as string, 'b') };
      expect(outcomeLog(() => ({ sources }))).toEqual([
        `0 triggerFailed a : ${message}`,
        '0 sourceCompleted a',
        '0 started b #1',
        '0 succeeded b in 0',
        '0 complete',
      ]);
    });

    it('may have objects whose keys cannot be found out: they are told, and the source goes on', () => {
      const keysOf = (object: unknown): string[] => {
        if (object === 'bad') throw new Error('no label');
        return ['a'];
      };
      const events = [{ ...added('pod'), object: 'bad' }, added('pod')];
      expect(outcomeLog(() => ({ sources: { pods: of(...events).pipe(mappedKeys(keysOf)) } }))).toEqual([
        '0 triggerFailed pods pod: no label',
        '0 sourceCompleted pods',
        '0 started a #1',
        '0 succeeded a in 0',
        '0 complete',
      ]);
    });
  });

  describe('reasons', () => {
    it('say which sources and causes led to the call, counted together', () => {
      const seen: string[] = [];
      const config = {
        sources: {
          pods: of(added('a', true), synced, updated('a'), updated('a'), updated('a', true), deleted('a'), added('a')),
          secrets: of(updated('secret')).pipe(mappedKeys(() => ['a'])),
          manual: of('a'),
        },
        caches: [{ whenSynced: () => timer(10) }],
      };
      const work = ({ key, reasons }: ReconcileRequest): Answer => {
        seen.push(...reasons.map(({ source, cause, objectKey, count }) => `${key}: ${source} ${cause} ${objectKey} ${count}`));
        return EMPTY;
      };
      outcomeLog(() => config, { work });
      expect(seen).toEqual([
        'a: pods initial a 1',
        'a: pods updated a 2',
        'a: pods resync a 1',
        'a: pods deleted a 1',
        'a: pods added a 1',
        'a: secrets updated secret 1',
        'a: manual key a 1',
      ]);
    });

    it('tell retries and requeues when they come, not when they are asked for', () => {
      const seen: string[] = [];
      const answers: Answer[] = [
        throwError(() => new Error('no luck')),
        throwError(() => new Error('no luck')),
        of({ requeueAfterMs: 5 }),
        EMPTY,
      ];
      const work = ({ reasons }: ReconcileRequest): Answer => {
        seen.push(reasons.map(({ source, cause }) => `${source} ${cause}`).join(' + '));
        return answers.shift() ?? EMPTY;
      };
      outcomeLog(({ hot }) => ({ sources: { keys: hot('a--a') } }), { work });
      expect(seen).toEqual(['keys key', 'keys key', 'reconcile retry', 'reconcile requeue']);
    });

    it('come with the time since the first of them', () => {
      const scheduler = createTestScheduler();
      scheduler.run(({ hot, expectObservable }) => {
        const loop = reconcile({ sources: [hot('a-b-b-------|')], reconcile: takes(7), scheduler }).pipe(
          map((outcome) => (outcome.type === 'started' ? `${outcome.key} waited ${outcome.waitedMs}` : outcome.type)),
        );
        expectObservable(loop).toBe('x------(sy)-d-(s|)', {
          x: 'a waited 0',
          y: 'b waited 5',
          s: 'succeeded',
          d: 'sourceCompleted',
        });
      });
    });
  });

  describe('priority', () => {
    it('lets live changes overtake the first list and resyncs', () => {
      const events = of(added('first', true), synced, updated('resynced', true), updated('changed'), deleted('gone'), added('new'));
      const order = outcomeLog(() => ({ sources: [events], caches: [{ whenSynced: () => timer(1) }] })).filter((line) =>
        line.includes('started'),
      );
      expect(order).toEqual(['changed', 'gone', 'new', 'first', 'resynced'].map((key) => `1 started ${key} #1`));
    });

    it('may be decided by the user, by trigger and source', () => {
      const config = {
        sources: { some: of('a', 'b'), urgent: of('c') },
        priority: ((trigger, source) => (source === 'urgent' ? 10 : trigger.key === 'b' ? 5 : 0)) satisfies ReconcileConfig['priority'],
        caches: [{ whenSynced: () => timer(1) }],
      };
      expect(outcomeLog(() => config).filter((line) => line.includes('started'))).toEqual([
        '1 started c #1',
        '1 started b #1',
        '1 started a #1',
      ]);
    });

    it.each<[string, () => number, string]>([
      [
        'throws',
        () => {
          throw new Error('no idea');
        },
        'no idea',
      ],
      ['gives no number', () => NaN, 'Expected `priority()` of `reconcile` to be a finite number, got NaN'],
    ])('is 0, with a notification, when the function %s', (_, priority, message) => {
      expect(outcomeLog(({ cold }) => ({ sources: { keys: cold('a') }, priority }))).toEqual([
        `0 triggerFailed keys a: ${message}`,
        '0 started a #1',
        '0 succeeded a in 0',
      ]);
    });
  });

  describe('deadlineMs', () => {
    it('cuts a call off: unsubscribed, signal aborted, failed and retried, and the others go on', () => {
      expect(
        outcomeLog(({ cold, note }) => ({
          sources: [cold('(ab)')],
          deadlineMs: 30,
          reconcile: ({ key, attempt, signal }) => {
            if (key === 'b' || attempt === 2) return EMPTY;
            signal.addEventListener('abort', () => note(`signal: ${(signal.reason as Error).name}`));
            return NEVER.pipe(finalize(() => note('unsubscribed')));
          },
        })),
      ).toEqual([
        '0 started a #1',
        '30 unsubscribed',
        '30 signal: TimeoutError',
        '30 failed a in 30, retry in 10: Reconciling "a" took longer than 30 ms',
        '30 started b #1',
        '30 succeeded b in 0',
        '40 started a #2',
        '40 succeeded a in 0',
      ]);
    });

    it('leaves no timer behind when a call is in time', () => {
      const lines = outcomeLog(({ cold }) => ({ sources: [cold('a|')], deadlineMs: 30 }), { work: takes(29) });
      expect(lines.slice(2)).toEqual(['29 succeeded a in 29', '29 complete']);
    });
  });

  it('shows a call that never ends as the longest-running key', () => {
    let read: (() => QueueReadings) | undefined;
    const metrics = { opened: (readings: () => QueueReadings) => (read = readings) };
    let readings: QueueReadings | undefined;
    outcomeLog(
      ({ cold, scheduler }) => {
        scheduler.schedule(() => (readings = read?.()), 500);
        return { sources: [cold('(ab)')], metrics, concurrent: 2 };
      },
      { work: ({ key }) => (key === 'a' ? NEVER : takes(1)()) },
    );
    expect(readings).toEqual({ depth: 0, processing: 1, unfinishedWorkMs: 500, longestRunningMs: 500, longestRunningItem: 'a' });
  });

  describe('stop$', () => {
    it('leaves the sources, does what waits and runs, drops what is delayed, and says what was left (WQ-07, DQ-01)', () => {
      const work = ({ key, attempt }: ReconcileRequest): Answer => {
        if (key === 'requeued') return of({ requeueAfterMs: 500 });
        return key === 'bad' && attempt < 9 ? throwError(() => new Error('no luck')) : takes(10)();
      };
      expect(
        outcomeLog(
          ({ hot }) => ({
            sources: [hot('(abcd)-e', { a: 'bad', b: 'requeued', c: 'running', d: 'waiting', e: 'late' })],
            stop$: hot('-x'),
          }),
          { work },
        ),
      ).toEqual([
        '0 started bad #1',
        '0 failed bad in 0, retry in 10: no luck',
        '0 started requeued #1',
        '0 succeeded requeued in 0, again in 500',
        '0 started running #1',
        '10 succeeded running in 10',
        '10 started waiting #1',
        '20 succeeded waiting in 10',
        '20 stopped, abandoned [bad]',
        '20 complete',
      ]);
    });

    it('cuts off what is not done in time', () => {
      expect(
        outcomeLog(({ hot, note }) => ({
          sources: [hot('(ab)')],
          stop$: hot('-x'),
          drainTimeoutMs: 20,
          reconcile: ({ signal }) => {
            signal.addEventListener('abort', () => note(`signal: ${(signal.reason as Error).name}`));
            return NEVER;
          },
        })),
      ).toEqual([
        '0 started a #1',
        '21 signal: AbortError',
        '21 failed a in 21: Reconciling "a" was stopped',
        '21 stopped, abandoned [a b]',
        '21 complete',
      ]);
    });

    it.each(['unsubscribed from', 'stopped', 'failed'])('leaves nothing waiting or running in its metrics when it is %s', (how) => {
      const scheduler = createTestScheduler();
      let readings: (() => QueueReadings) | undefined;
      scheduler.run(({ hot }) => {
        const unlimited = { when: () => NaN, forget: () => undefined, numRequeues: () => 0 };
        const loop = reconcile({
          sources: [hot('(abca)')],
          stop$: how === 'stopped' ? hot('-x') : NEVER,
          drainTimeoutMs: 1,
          deadlineMs: how === 'failed' ? 5 : Infinity,
          rateLimiter: unlimited,
          metrics: { opened: (read) => (readings = read) },
          scheduler,
          reconcile: () => NEVER,
        }).subscribe({ error: () => undefined });
        scheduler.schedule(() => loop.unsubscribe(), 10);
      });
      expect(readings?.()).toMatchObject({ depth: 0, processing: 0, longestRunningMs: 0 });
    });

    it('does not take a key for given up whose last attempt it cuts off', () => {
      const scheduler = createTestScheduler();
      const outcomes: Outcome[] = [];
      const rateLimiter = exponentialFailure({ baseMs: 10, maxMs: 1_000 });
      scheduler.run(({ hot }) => {
        const config = { sources: [hot('a')], stop$: hot('-x'), drainTimeoutMs: 20, attempts: 1, rateLimiter, scheduler };
        reconcile({ ...config, reconcile: () => NEVER }).subscribe({ next: (outcome) => outcomes.push(outcome), error: fail });
      });
      const error: unknown = expect.objectContaining({ name: 'AbortError' });
      expect(outcomes.slice(-2)).toEqual([
        { type: 'failed', key: 'a', attempt: 1, durationMs: 21, error },
        { type: 'stopped', abandoned: ['a'] },
      ]);
      expect(rateLimiter.numRequeues('a')).toBe(0);
    });

    it('waits 30 s unless told otherwise', () => {
      const config = { work: () => NEVER, forMs: 60_000 };
      expect(outcomeLog(({ hot }) => ({ sources: [hot('a')], stop$: hot('x') }), config).slice(-1)).toEqual(['30000 complete']);
      expect(outcomeLog(({ hot }) => ({ sources: [hot('a')], stop$: hot('x'), drainTimeoutMs: Infinity }), config)).toEqual([
        '0 started a #1',
      ]);
    });

    it('begins no call when the caches are not synced yet', () => {
      expect(outcomeLog(({ hot }) => ({ sources: [hot('a')], stop$: hot('--x'), caches: [{ whenSynced: () => NEVER }] }))).toEqual([
        '2 stopped, abandoned [a]',
        '2 complete',
      ]);
    });

    it('does not try a key again that fails meanwhile', () => {
      expect(outcomeLog(({ hot }) => ({ sources: [hot('a')], stop$: hot('-x') }), { work: failing(3, 5) })).toEqual([
        '0 started a #1',
        '5 failed a in 5: no luck',
        '5 stopped, abandoned [a]',
        '5 complete',
      ]);
    });

    it('may have come already: then the caches are not waited for', () => {
      const whenSynced = (): never => {
        throw new Error('not to be called');
      };
      expect(outcomeLog(() => ({ sources: [of('a')], caches: [{ whenSynced }], stop$: of(1) }))).toEqual([
        '0 sourceCompleted 0',
        '0 stopped, abandoned [a]',
        '0 complete',
      ]);
    });
  });

  describe('results', () => {
    it.each(['requeueAfter', 'requeue', 'reqeueAfterMs'])('with the misspelt name %s fail', (name) => {
      const lines = outcomeLog(({ hot }) => ({ sources: { keys: hot('a') } }), { work: () => of({ [name]: 5 } as object), forMs: 5 });
      const message = `Unknown name \`${name}\` in the result of \`reconcile\`; did you mean \`requeueAfterMs\`?`;
      expect(lines.slice(1)).toEqual([`0 failed a in 0, retry in 10: ${message}`]);
    });

    it('may ask for a day that timers cannot hold', () => {
      const month = 31 * 24 * 3_600_000;
      let calls = 0;
      const work = (): Answer => of((calls += 1) === 1 ? { requeueAfterMs: month } : {});
      const lines = outcomeLog(({ hot }) => ({ sources: { keys: hot('a') } }), { work, forMs: 2 * month });
      expect(lines.at(-1)).toBe(`${month} succeeded a in 0`);
    });
  });

  describe('collections', () => {
    it('are sources and caches in one: an informer or a view of the kind that is reconciled', () => {
      const lines = outcomeLog(({ hot, cold }) => {
        const event = { type: 'added', key: 'a', object: {}, initial: true, inferred: false } as const;
        return { sources: { pods: { resource$: hot('e', { e: event }), whenSynced: () => cold('--(s|)') } } };
      });
      expect(lines.slice(0, 2)).toEqual(['2 started a #1', '2 succeeded a in 0']);
    });

    it('may give whole changes, each of whose events triggers', () => {
      const event = (key: string) => ({ type: 'added', key, object: {}, initial: false, inferred: false }) as const;
      const change = { cause: 'view', events: [event('a'), event('b')], synced: true } as const;
      const lines = outcomeLog(() => ({ sources: { view: [change] } }));
      expect(lines.filter((line) => line.includes('started'))).toEqual(['0 started a #1', '0 started b #1']);
    });
  });

  describe('unsubscribing', () => {
    it('ends every call, aborts its signal and leaves no timer', () => {
      const scheduler = createTestScheduler();
      const lines: string[] = [];
      const signals: AbortSignal[] = [];
      scheduler.run(({ cold }) => {
        const subscription = reconcile({
          sources: [cold('(abc)'), of('failing')],
          concurrent: 3,
          deadlineMs: 1_000,
          scheduler,
          reconcile: ({ key, signal }) => {
            if (key === 'failing') return throwError(() => new Error('no luck'));
            signals.push(signal);
            return NEVER.pipe(finalize(() => lines.push(`${key} unsubscribed`)));
          },
        }).subscribe({ next: (outcome) => lines.push(lineOf(outcome)), error: fail });
        scheduler.schedule(() => subscription.unsubscribe(), 3);
      });
      expect(lines.slice(-3)).toEqual(['a unsubscribed', 'b unsubscribed', 'c unsubscribed']);
      expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
      // Nothing was left to happen after 3 ms: the deadlines and the retry are gone.
      expect(scheduler.now()).toBe(3);
    });

    it('leaves stop$ and takes the timer of the drain along', () => {
      const scheduler = createTestScheduler();
      scheduler.run(({ hot, expectObservable, expectSubscriptions }) => {
        const stop$ = hot('---x');
        expectObservable(reconcile({ sources: [NEVER], stop$, reconcile: () => EMPTY }), '^-!').toBe('---');
        expectSubscriptions(stop$.subscriptions).toBe('^-!');
      });
      const drained = createTestScheduler();
      drained.run(({ hot }) => {
        reconcile({ sources: [hot('a')], stop$: hot('-x'), drainTimeoutMs: 9_000, reconcile: takes(5), scheduler: drained }).subscribe({
          error: fail,
        });
      });
      expect(drained.now()).toBe(5);
    });

    it('charges no limiter for the calls that it ends', () => {
      const rateLimiter = exponentialFailure({ baseMs: 5, maxMs: 5 });
      reconcile({ sources: [['a']], rateLimiter, reconcile: () => NEVER })
        .subscribe()
        .unsubscribe();
      expect(rateLimiter.numRequeues('a')).toBe(0);
    });

    it('inside a notification keeps later sources from being subscribed to', () => {
      const subscribed: string[] = [];
      const second = defer(() => {
        subscribed.push('second');
        return NEVER;
      });
      reconcile({ sources: [EMPTY, second], reconcile: () => EMPTY })
        .pipe(take(1))
        .subscribe({ error: fail });
      expect(subscribed).toEqual([]);
    });

    it('inside a notification keeps the call from beginning', () => {
      const calls: string[] = [];
      const work = ({ key }: ReconcileRequest): Answer => {
        calls.push(key);
        return EMPTY;
      };
      const loop = reconcile({ sources: [of('a', 'b')], reconcile: work });
      loop.pipe(takeWhile((outcome) => outcome.type !== 'started' || outcome.key !== 'b')).subscribe();
      expect(calls).toEqual(['a']);
    });
  });

  it('hands an aborted signal out when it is asked for only after the end', () => {
    let request: ReconcileRequest | undefined;
    const subscription = reconcile({
      sources: [of('a')],
      reconcile: (given) => {
        request = given;
        return NEVER;
      },
    }).subscribe();
    subscription.unsubscribe();
    expect(request?.signal.aborted).toBe(true);
  });

  it('runs in the time of the scheduler that it is given', () => {
    const scheduler = createTestScheduler();
    const types: string[] = [];
    const rateLimiter = exponentialFailure({ baseMs: 5, maxMs: 5 });
    const work = ({ attempt }: ReconcileRequest): Answer =>
      attempt === 1 ? timer(2, scheduler).pipe(concatMap(() => throwError(() => new Error('no luck')))) : EMPTY;
    reconcile({ sources: [['a']], reconcile: work, rateLimiter, scheduler }).subscribe({
      next: ({ type }) => types.push(type),
      error: fail,
    });
    expect(types).toEqual(['sourceCompleted', 'started']);
    scheduler.flush();
    expect(types).toEqual(['sourceCompleted', 'started', 'failed', 'started', 'succeeded']);
    expect(scheduler.now()).toBe(7);
  });

  it.each<[Partial<Record<keyof ReconcileConfig, unknown>>, string]>([
    [{ concurrent: 0 }, 'Expected `concurrent` of `reconcile` to be an integer >= 1, got 0'],
    [{ concurrent: -1 }, 'Expected `concurrent` of `reconcile` to be an integer >= 1, got -1'],
    [{ concurrent: 1.5 }, 'Expected `concurrent` of `reconcile` to be an integer >= 1, got 1.5'],
    [{ concurrent: Infinity }, 'Expected `concurrent` of `reconcile` to be an integer >= 1, got Infinity'],
    [{ deadlineMs: 0 }, 'Expected `deadlineMs` of `reconcile` to be a number of milliseconds > 0 or Infinity, got 0'],
    [{ drainTimeoutMs: NaN }, 'Expected `drainTimeoutMs` of `reconcile` to be a number of milliseconds >= 0 or Infinity, got NaN'],
    [{ reconcile: 'now' }, 'Expected `reconcile` of `reconcile` to be a function, got "now"'],
    [{ reconcile: undefined }, 'Expected `reconcile` of `reconcile` to be a function, got undefined'],
    [
      { sources: undefined },
      'Expected `sources` of `reconcile` to be an object of sources such as { pods: informer }, or a list of sources, got undefined',
    ],
    [
      { sources: NEVER },
      'Expected `sources` of `reconcile` to be an object of sources such as { pods: informer }, or a list of sources, got an object',
    ],
    [
      { sources: { resource$: NEVER, whenSynced: () => EMPTY } },
      'Expected `sources` of `reconcile` to be an object of sources such as { pods: informer }, or a list of sources, got an object',
    ],
    [{ concurrency: 4 } as object, 'Unknown option `concurrency` of `reconcile`; did you mean `concurrent`?'],
  ])('refuses %j', (wrong, message) => {
    const config = { sources: [], reconcile: () => EMPTY, ...wrong } as ReconcileConfig;
    expect(() => reconcile(config)).toThrow(new TypeError(message));
  });
});

describe('reconcile: nobody subscribes', () => {
  it('says so after 3 s, and nothing when somebody has', () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const due: (() => void)[] = [];
    const set = jest
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation(((run: () => void, ms: number) => ms === 3_000 && due.push(run)) as never);
    const clear = jest.spyOn(globalThis, 'clearTimeout').mockImplementation(((at: number) => due.splice(at - 1, 1)) as never);
    void reconcile({ sources: { pods: NEVER }, reconcile: () => EMPTY });
    const loop = reconcile({ sources: { services: NEVER }, reconcile: () => EMPTY });
    loop.subscribe({ error: fail }).unsubscribe();
    for (const run of due) run();
    set.mockRestore();
    clear.mockRestore();
    expect(warn.mock.calls).toEqual([[expect.stringContaining('`reconcile` (sources: pods) has not been subscribed to for 3 s')]]);
    warn.mockRestore();
  });
});
