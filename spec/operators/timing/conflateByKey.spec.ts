import { describe, expect, it, jest } from '@jest/globals';
import { type Observable, queueScheduler, Subject, VirtualTimeScheduler } from 'rxjs';
import type { ResourceChange } from '../../../src/api/events.js';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import { conflateByKey } from '../../../src/operators/timing/conflateByKey.js';
import { changeOf } from '../../../src/testing/marbles/resourceChanges.js';
import { checkOperatorLaw } from '../../../src/testing/suites/checkOperatorLaw.js';
import * as operatorPictures from '../../docs/operatorPictures.js';
import { changes, eventOf, marbles, values } from '../marbles.js';

describe('conflateByKey', () => {
  it('goes on with a scheduler that works at once', () => {
    const source = new Subject<ResourceChange<KubernetesObject>>();
    const emitted: unknown[] = [];
    source.pipe(conflateByKey({ periodMs: 0, scheduler: queueScheduler })).subscribe(({ events }) => emitted.push(...events));
    for (const letter of ['a', 'b', 'A']) source.next(changeOf([eventOf(letter)]));
    expect(emitted).toEqual(['a', 'b', 'A'].map(eventOf));
  });

  it('emits the newest state of each object at the end of a period, and a snapshot at once', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const { inputs, outputs } = operatorPictures.conflateByKey;
      const source = hot(inputs.source, changes);
      const subs = '^----------------------!';
      const merged = { ...eventOf('a'), object: eventOf('A').object } as never;
      expectObservable(source.pipe(conflateByKey({ periodMs: 10 }))).toBe(outputs.result, { ...changes, m: changeOf([merged]) });
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });

  it('emits a list at once, as one change with what was gathered', () => {
    marbles(({ hot, expectObservable }) => {
      const versions = { cause: 'list', scope: 'n', resourceVersion: '9', previousResourceVersion: '4' } as const;
      const source = hot('-s-A-y-l-----------', { ...changes, l: changeOf([], versions) });
      const all = changeOf([eventOf('y'), eventOf('A')], versions);
      expectObservable(source.pipe(conflateByKey({ periodMs: 10 }))).toBe('-s-----l-----------', { ...changes, l: all });
    });
  });

  it('emits one change of a recreation and a deletion, deletes first', () => {
    marbles(({ hot, expectObservable }) => {
      const source = hot('-s-r-x------', { ...changes, r: changeOf([eventOf('x'), eventOf('a')]) });
      expectObservable(source.pipe(conflateByKey({ periodMs: 5 }))).toBe('-s------x---', changes);
      const both = hot('-s-B-x-a----', changes);
      const expected = { ...changes, c: changeOf([eventOf('x'), eventOf('B'), eventOf('a')]) };
      expectObservable(both.pipe(conflateByKey({ periodMs: 5 }))).toBe('-s------c---', expected);
    });
  });

  it('says of several changes the last version, from the first one on; of several scopes none; of a resync only if there was nothing else', () => {
    marbles(({ hot, expectObservable }) => {
      const at = (letter: string, scope: string, resourceVersion: string, previousResourceVersion: string) =>
        changeOf([eventOf(letter)], { scope, resourceVersion, previousResourceVersion });
      const source = hot<ResourceChange<KubernetesObject>>('-s-a-b------c-d---------', {
        s: changes['e'] as ResourceChange<KubernetesObject>,
        a: at('a', 'n', '5', '4'),
        b: at('b', 'n', '6', '5'),
        c: at('A', 'n', '7', '6'),
        d: { ...at('B', 'm', '8', '3'), cause: 'resync' },
      });
      expectObservable(source.pipe(conflateByKey({ periodMs: 5 }))).toBe('-s------a--------c------', {
        s: changes['e'],
        a: changeOf([eventOf('a'), eventOf('b')], { scope: 'n', resourceVersion: '6', previousResourceVersion: '4' }),
        c: changeOf([eventOf('A'), eventOf('B')]),
      });
    });
  });

  it('says the newest cause, where it is no resync', () => {
    marbles(({ hot, expectObservable }) => {
      const resync = changeOf([eventOf('A')], { cause: 'resync' });
      const view = changeOf([eventOf('y')], { cause: 'view' });
      const source = hot('-s-r-B------A-y------', { ...changes, r: resync, y: view });
      expectObservable(source.pipe(conflateByKey({ periodMs: 5 }))).toBe('-s------m--------n---', {
        ...changes,
        m: changeOf([eventOf('A'), eventOf('B')]),
        n: changeOf([eventOf('y'), eventOf('A')], { cause: 'view' }),
      });
    });
  });

  it('begins a whole period with the first change after a list', () => {
    marbles(({ hot, expectObservable }) => {
      const source = hot('-s-A-l-B------', { ...changes, l: changeOf([], { cause: 'list' }) });
      const expected = { ...changes, l: changeOf([eventOf('A')], { cause: 'list' }) };
      expectObservable(source.pipe(conflateByKey({ periodMs: 5 }))).toBe('-s---l------B-', expected);
    });
  });

  it('emits nothing of an object that came and went', () => {
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('-e-a-x------', changes).pipe(conflateByKey({ periodMs: 5 }))).toBe('-e----------', changes);
    });
  });

  it('emits what waits before completion, and completes when nothing waits', () => {
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('-s-A-|', changes).pipe(conflateByKey({ periodMs: 5 }))).toBe('-s---(A|)', changes);
      expectObservable(hot('-s-|', changes).pipe(conflateByKey({ periodMs: 5 }))).toBe('-s-|', changes);
    });
  });

  it('leaves no timer behind when it is left, and when its source fails', () => {
    const scheduler = new VirtualTimeScheduler();
    const source = new Subject<ResourceChange<KubernetesObject>>();
    const conflated = source.pipe(conflateByKey({ periodMs: 5, scheduler }));
    const left = conflated.subscribe();
    conflated.subscribe({ error: () => undefined });
    source.next(changes['A'] as ResourceChange<KubernetesObject>);
    expect(scheduler.actions).toHaveLength(2);
    left.unsubscribe();
    expect(scheduler.actions).toHaveLength(1);
    source.error(new Error('no'));
    expect(scheduler.actions).toHaveLength(0);
  });

  it('sets no timer for a period of Infinity, of which a scheduler may know nothing', () => {
    const scheduler = new VirtualTimeScheduler();
    const schedule = jest.spyOn(scheduler, 'schedule');
    const source = new Subject<ResourceChange<KubernetesObject>>();
    source.pipe(conflateByKey({ periodMs: Infinity, scheduler })).subscribe();
    source.next(changes['A'] as ResourceChange<KubernetesObject>);
    expect(schedule).not.toHaveBeenCalled();
  });

  it('passes an error on at once, and leaves nothing behind when it is left', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const failing = hot('-a-#', changes);
      expectObservable(failing.pipe(conflateByKey({ periodMs: 10 }))).toBe('---#');
      const left = hot('-a----', changes);
      expectObservable(left.pipe(conflateByKey({ periodMs: 10 })), '^--!').toBe('------');
      expectSubscriptions(left.subscriptions).toBe('^--!');
    });
  });

  it('waits for the next list with a period of Infinity', () => {
    marbles(({ hot, expectObservable }) => {
      const source = hot('-s-A-----l', { ...changes, l: changeOf([], { cause: 'list' }) });
      const expected = { ...changes, l: changeOf([eventOf('A')], { cause: 'list' }) };
      expectObservable(source.pipe(conflateByKey({ periodMs: Infinity }))).toBe('-s-------l', expected);
    });
  });

  it('fails with events', () => {
    marbles(({ hot, expectObservable }) => {
      const events = hot('-s', values) as unknown as Observable<ResourceChange<KubernetesObject>>;
      const error = new TypeError(
        'Expected `conflateByKey` to be given changes, got the event "synced": take `change$` in place of `resource$`',
      );
      expectObservable(events.pipe(conflateByKey({ periodMs: 1 }))).toBe('-#', undefined, error);
    });
  });

  it('obeys the law of operators at rest', () => {
    checkOperatorLaw({ operator: (scheduler) => conflateByKey({ periodMs: 10, scheduler }), restMs: 10 });
  });

  it.each([-1, NaN, undefined])('refuses a period of %s', (periodMs) => {
    expect(() => conflateByKey({ periodMs: periodMs as number })).toThrow(
      `Expected \`periodMs\` of \`conflateByKey\` to be a number of milliseconds >= 0 or Infinity, got ${String(periodMs)}`,
    );
  });

  it('refuses an option that it does not know', () => {
    expect(() => conflateByKey({ periodMS: 5 } as never)).toThrow('Unknown option `periodMS` of `conflateByKey`; did you mean `periodMs`?');
  });
});
