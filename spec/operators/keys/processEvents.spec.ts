import { describe, expect, it } from '@jest/globals';
import { catchError, delay, EMPTY, from, map, of, VirtualTimeScheduler } from 'rxjs';
import type { InformerError } from '../../../src/api/errors/informerError.js';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import type { ResourceEvent } from '../../../src/api/events/resourceEvent.js';
import { processEvents, type ProcessEventsOptions } from '../../../src/operators/keys/processEvents.js';
import { checkOperatorLaw } from '../../../src/testing/suites/checkOperatorLaw.js';
import { marbles, values } from '../marbles.js';

const versionOf = (event: ResourceEvent<KubernetesObject>): string =>
  event.type === 'synced' ? 'synced' : `${event.type} ${event.object.metadata?.resourceVersion ?? ''}`;
const told = { 1: 'added 1', 2: 'added 2', 3: 'updated 3', 4: 'updated 4', x: 'deleted 5', y: 'deleted 1', s: 'synced', o: 'ERR_OVERFLOW' };

describe('processEvents', () => {
  it.each<{ readonly buffer: ProcessEventsOptions['buffer']; readonly capacity?: number; readonly expected: string }>([
    { buffer: 'unbounded', expected: '               -----1---2---s---3---x---(4|)' },
    { buffer: 'conflate', expected: '                -----1---2---s---x---(4|)' },
    { buffer: 'dropOldest', capacity: 1, expected: ' -----1---2---s---y---4---(s|)' },
    { buffer: 'error', capacity: 1, expected: '      -----1---2(o|)' },
  ])('works on one event at a time, with the buffer $buffer', ({ buffer, capacity, expected }) => {
    marbles(({ hot, cold, expectObservable }) => {
      const source = hot('-a-b-s-A--x-B|', values);
      const work = cold(' ----(r|)');
      const run = processEvents((event: ResourceEvent<KubernetesObject>) => work.pipe(map(() => versionOf(event))), { buffer, capacity });
      const code = catchError((error: unknown) => of((error as InformerError).code));
      expectObservable(source.pipe(run, code)).toBe(expected.trim(), told);
    });
  });

  it('takes a source that emits and completes at once, and work that is done at once', () => {
    marbles(({ expectObservable }) => {
      const events = ['a', 's', 'A', 'x'].map((name) => values[name] as ResourceEvent<KubernetesObject>);
      expectObservable(from(events).pipe(processEvents((event) => of(versionOf(event))))).toBe('(1s3x|)', told);
    });
  });

  it('works through a long source without an end to the stack', () => {
    const event = values['a'] as ResourceEvent<KubernetesObject>;
    let count = 0;
    from(Array.from({ length: 20_000 }, () => event))
      .pipe(processEvents(() => EMPTY))
      .subscribe({ complete: () => (count += 1) });
    expect(count).toBe(1);
  });

  it('lets the event loop have its turn after a slice', () => {
    const scheduler = new VirtualTimeScheduler();
    let now = 0;
    scheduler.now = () => now;
    const seen: string[] = [];
    const work = (event: ResourceEvent<KubernetesObject>) => {
      now += 3;
      return of(versionOf(event));
    };
    from(['a', 'b', 's'].map((name) => values[name] as ResourceEvent<KubernetesObject>))
      .pipe(processEvents(work, { sliceMs: 5, scheduler }))
      .subscribe((line) => seen.push(line));
    expect(seen).toEqual(['added 1', 'added 2']);

    scheduler.flush();
    expect(seen).toEqual(['added 1', 'added 2', 'synced']);
  });

  it('ends with the error of the work', () => {
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const source = hot('-a-b-#', values);
      const subs = '      ^--!  ';
      const work = cold(' --#   ');
      expectObservable(source.pipe(processEvents(() => work))).toBe('---#');
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });

  it('ends with what the work throws', () => {
    marbles(({ hot, expectObservable }) => {
      const throwing = processEvents<KubernetesObject, never>(() => {
        throw new Error('no');
      });
      expectObservable(hot('-a', values).pipe(throwing)).toBe('-#', undefined, new Error('no'));
    });
  });

  it('ends with the error of the source, and the work with it', () => {
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const work = cold(' ------');
      expectObservable(hot('-a-#', values).pipe(processEvents(() => work))).toBe('---#');
      expectSubscriptions(work.subscriptions).toBe('-^-!');
    });
  });

  it('unsubscribes from source and work', () => {
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const source = hot('-a-b-', values);
      const work = cold(' ------');
      expectObservable(source.pipe(processEvents(() => work)), '^---!').toBe('-----');
      expectSubscriptions(source.subscriptions).toBe('^---!');
      expectSubscriptions(work.subscriptions).toBe('-^--!');
    });
  });

  it.each<ProcessEventsOptions>([{}, { buffer: 'conflate' }, { buffer: 'dropOldest', capacity: 2 }])(
    'tells what adds up to the same when it has caught up, with %j',
    (options) => {
      checkOperatorLaw({
        operator: (scheduler) => processEvents((event) => of(event).pipe(delay(7, scheduler)), { ...options, scheduler }),
        restMs: 5_000,
      });
    },
  );

  it('refuses wrong options', () => {
    expect(() => processEvents(() => EMPTY, { buffer: 'some' as 'error' })).toThrow('Expected `buffer` to be');
    expect(() => processEvents(() => EMPTY, { capacity: 0 })).toThrow('Expected `capacity` to be an integer >= 1, got 0');
    expect(() => processEvents(() => EMPTY, { sliceMs: -1 })).toThrow('Expected `sliceMs` to be a number of milliseconds > 0, got -1');
  });
});
