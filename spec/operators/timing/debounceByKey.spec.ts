import { describe, expect, it } from '@jest/globals';
import { type Observable, queueScheduler, Subject, take, VirtualTimeScheduler } from 'rxjs';
import type { ResourceChange } from '../../../src/api/events.js';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import { debounceByKey } from '../../../src/operators/timing/debounceByKey.js';
import { changeOf } from '../../../src/testing/marbles/resourceChanges.js';
import { checkOperatorLaw } from '../../../src/testing/suites/checkOperatorLaw.js';
import * as operatorPictures from '../../docs/operatorPictures.js';
import { changes, eventOf, marbles, values } from '../marbles.js';

describe('debounceByKey', () => {
  it('goes on with a scheduler that works at once', () => {
    const source = new Subject<ResourceChange<KubernetesObject>>();
    const emitted: unknown[] = [];
    source.pipe(debounceByKey({ dueMs: 0, maxWaitMs: 0, scheduler: queueScheduler })).subscribe(({ events }) => emitted.push(...events));
    for (const letter of ['a', 'b', 'A']) source.next(changeOf([eventOf(letter)]));
    expect(emitted).toEqual(['a', 'b', 'A'].map(eventOf));
  });

  it('emits an object when it has been quiet, and a busy one after the longest wait', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const { inputs, outputs } = operatorPictures.debounceByKey;
      const source = hot(inputs.source, changes);
      const subs = '^----------------------!';
      expectObservable(source.pipe(debounceByKey({ dueMs: 5, maxWaitMs: 10 }))).toBe(outputs.result, changes);
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });

  it('does not hold one object back for another', () => {
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('-a--b------', changes).pipe(debounceByKey({ dueMs: 4, maxWaitMs: 9 }))).toBe('-----a--b--', changes);
    });
  });

  it('emits what waits as one change with a list, and before completion', () => {
    marbles(({ hot, expectObservable }) => {
      const list = changeOf([eventOf('y')], { cause: 'list', resourceVersion: '9' });
      const source = hot('-s-A-l----b|', { ...changes, l: list });
      const expected = { ...changes, l: { ...list, events: [eventOf('y'), eventOf('A')] } };
      expectObservable(source.pipe(debounceByKey({ dueMs: 5, maxWaitMs: 9 }))).toBe('-s---l-----(b|)', expected);
    });
  });

  it('emits both halves of a recreation in one change, and nothing of an object that came and went', () => {
    marbles(({ hot, expectObservable }) => {
      const recreated = changeOf([eventOf('x'), eventOf('a')]);
      expectObservable(hot('-s-x-a-----', changes).pipe(debounceByKey({ dueMs: 3, maxWaitMs: 9 }))).toBe('-s------r--', {
        ...changes,
        r: recreated,
      });
      expectObservable(hot('-e-a-x-----', changes).pipe(debounceByKey({ dueMs: 3, maxWaitMs: 9 }))).toBe('-e---------', changes);
    });
  });

  it('waits for quiet anew after the longest wait is over', () => {
    marbles(({ hot, expectObservable }) => {
      // The quiet time of the second change would end at 9.
      const source = hot('-A--A---A------', changes);
      expectObservable(source.pipe(debounceByKey({ dueMs: 5, maxWaitMs: 6 }))).toBe('-------A-----A-', changes);
    });
  });

  it('waits for quiet, and at most as long as ever, anew after a list', () => {
    marbles(({ hot, expectObservable }) => {
      const lists = { ...changes, l: changeOf([eventOf('A')], { cause: 'list' }) };
      const list = changeOf([], { cause: 'list' });
      expectObservable(hot('-s-A-l-A------', { ...changes, l: list }).pipe(debounceByKey({ dueMs: 5, maxWaitMs: 9 }))).toBe(
        '-s---l------A-',
        lists,
      );
      expectObservable(hot('-s-A-l-A-A-A-A------', { ...changes, l: list }).pipe(debounceByKey({ dueMs: 4, maxWaitMs: 5 }))).toBe(
        '-s---l------A----A--',
        lists,
      );
    });
  });

  it('emits the deletion of an object that waits in place of its updates', () => {
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('-s-A-x------', changes).pipe(debounceByKey({ dueMs: 4, maxWaitMs: 9 }))).toBe('-s-------x--', changes);
    });
  });

  it('says the newest cause of an object, where it is no resync', () => {
    marbles(({ hot, expectObservable }) => {
      const resync = changeOf([eventOf('A')], { cause: 'resync' });
      const view = changeOf([eventOf('x')], { cause: 'view' });
      const source = hot('-s-A-r------r-A------A-v------r----', { ...changes, r: resync, v: view });
      expectObservable(source.pipe(debounceByKey({ dueMs: 4, maxWaitMs: 9 }))).toBe('-s-------A--------A--------v------r', {
        ...changes,
        r: resync,
        v: view,
      });
    });
  });

  it('passes a list on as it is when nothing waits', () => {
    const source = new Subject<ResourceChange<KubernetesObject>>();
    const seen: unknown[] = [];
    source.pipe(debounceByKey({ dueMs: 4, maxWaitMs: 9 })).subscribe((change) => seen.push(change));
    source.next(changes['s'] as ResourceChange<KubernetesObject>);
    expect(seen[0]).toBe(changes['s']);
  });

  it('emits nothing more when it is left while it emits what waits', () => {
    marbles(({ hot, expectObservable }) => {
      const source = hot('-a-b-|', changes);
      expectObservable(source.pipe(debounceByKey({ dueMs: 9, maxWaitMs: 9 }), take(1))).toBe('-----(a|)', changes);
    });
  });

  it('leaves no timer behind when it is left, and when its source fails', () => {
    const scheduler = new VirtualTimeScheduler();
    const source = new Subject<ResourceChange<KubernetesObject>>();
    const debounced = source.pipe(debounceByKey({ dueMs: 5, maxWaitMs: 9, scheduler }));
    const left = debounced.subscribe();
    debounced.subscribe({ error: () => undefined });
    for (const letter of ['A', 'B']) source.next(changes[letter] as ResourceChange<KubernetesObject>);
    expect(scheduler.actions).toHaveLength(8);
    left.unsubscribe();
    expect(scheduler.actions).toHaveLength(4);
    source.error(new Error('no'));
    expect(scheduler.actions).toHaveLength(0);
  });

  it('takes a longest wait that is the quiet time: the first change decides when', () => {
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('-s-A-A------', changes).pipe(debounceByKey({ dueMs: 5, maxWaitMs: 5 }))).toBe('-s------A---', changes);
    });
  });

  it('waits as long as an object is busy with a longest wait of Infinity', () => {
    marbles(({ hot, expectObservable }) => {
      const source = hot('-s-A-A-A-A-----', changes);
      expectObservable(source.pipe(debounceByKey({ dueMs: 3, maxWaitMs: Infinity }))).toBe('-s----------A--', changes);
    });
  });

  it('passes an error on at once, and leaves nothing behind when it is left', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      expectObservable(hot('-a-#', changes).pipe(debounceByKey({ dueMs: 5, maxWaitMs: 9 }))).toBe('---#');
      const left = hot('-a-----------', changes);
      expectObservable(left.pipe(debounceByKey({ dueMs: 5, maxWaitMs: 9 })), '^--!').toBe('-------------');
      expectSubscriptions(left.subscriptions).toBe('^--!');
      const events = hot('-a', values) as unknown as Observable<ResourceChange<KubernetesObject>>;
      const error = new TypeError(
        'Expected `debounceByKey` to be given changes, got the event "added": take `change$` in place of `resource$`',
      );
      expectObservable(events.pipe(debounceByKey({ dueMs: 5, maxWaitMs: 9 }))).toBe('-#', undefined, error);
    });
  });

  it('obeys the law of operators at rest', () => {
    checkOperatorLaw({ operator: (scheduler) => debounceByKey({ dueMs: 5, maxWaitMs: 20, scheduler }), restMs: 20 });
  });

  it('refuses wrong times, and a longest wait that is shorter than the quiet time', () => {
    expect(() => debounceByKey({ dueMs: 5, maxWaitMs: 4 })).toThrow(
      'Expected `maxWaitMs` of `debounceByKey` to be a number of milliseconds >= `dueMs` (5), got 4',
    );
    expect(() => debounceByKey({ dueMs: -1, maxWaitMs: 4 })).toThrow(
      'Expected `dueMs` of `debounceByKey` to be a number of milliseconds >= 0 or Infinity, got -1',
    );
    expect(() => debounceByKey({ dueMs: 5 } as never)).toThrow('Expected `maxWaitMs` of `debounceByKey` to be');
    expect(() => debounceByKey({ dueMs: 5, maxWait: 9 } as never)).toThrow('Unknown option `maxWait` of `debounceByKey`');
  });
});
