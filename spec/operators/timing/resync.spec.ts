import { describe, expect, it, jest } from '@jest/globals';
import { concat, NEVER, type Observable, of, VirtualTimeScheduler } from 'rxjs';
import type { ResourceChange } from '../../../src/api/events.js';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import { resync } from '../../../src/operators/timing/resync.js';
import { advanceBy } from '../../../src/testing/marbles/advanceBy.js';
import { changeOf } from '../../../src/testing/marbles/resourceChanges.js';
import { checkOperatorLaw } from '../../../src/testing/suites/checkOperatorLaw.js';
import * as operatorPictures from '../../docs/operatorPictures.js';
import { changes, eventOf, marbles, values } from '../marbles.js';

const again = (...letters: readonly string[]): ResourceChange<KubernetesObject> =>
  changeOf(
    letters.map((letter) => {
      const { key, object } = eventOf(letter);
      return { type: 'updated', key, object, oldObject: object, resync: true, inferred: false };
    }),
    { cause: 'resync' },
  );

describe('resync', () => {
  it('emits all objects again each period, as one change', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const { inputs, outputs } = operatorPictures.resync;
      const source = hot(inputs.source, changes);
      const subs = '^-------------------!';
      expectObservable(source.pipe(resync({ periodMs: 9 }))).toBe(outputs.result, { ...changes, 1: again('a', 'b'), 2: again('b') });
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });

  it('emits nothing again before the first synced change, and while there is nothing', () => {
    marbles(({ hot, expectObservable }) => {
      const half = { ...(changes['s'] as ResourceChange<KubernetesObject>), synced: false };
      expectObservable(hot('-h-----', { h: half }).pipe(resync({ periodMs: 2 })), '^-----!').toBe('-h-----', { h: half });
      expectObservable(hot('-e-----', changes).pipe(resync({ periodMs: 2 })), '^-----!').toBe('-e-----', changes);
    });
  });

  it('keeps a period of 30 days, and one that never ends', () => {
    const scheduler = new VirtualTimeScheduler();
    const dayMs = 86_400_000;
    const causes: string[] = [];
    const source = concat(of(changes['s'] as ResourceChange<KubernetesObject>), NEVER);
    const subscription = source.pipe(resync({ periodMs: 30 * dayMs, scheduler })).subscribe(({ cause }) => causes.push(cause));
    subscription.add(source.pipe(resync({ periodMs: Infinity, scheduler })).subscribe(({ cause }) => causes.push(cause)));
    advanceBy(scheduler, 29 * dayMs);
    expect(causes).toEqual(['snapshot', 'snapshot']);
    advanceBy(scheduler, dayMs);
    expect(causes).toEqual(['snapshot', 'snapshot', 'resync']);
    subscription.unsubscribe();
  });

  it('sets no timer for a period of Infinity, of which a scheduler may know nothing', () => {
    const scheduler = new VirtualTimeScheduler();
    const schedule = jest.spyOn(scheduler, 'schedule');
    concat(of(changes['s'] as ResourceChange<KubernetesObject>), NEVER)
      .pipe(resync({ periodMs: Infinity, scheduler }))
      .subscribe();
    expect(schedule).not.toHaveBeenCalled();
  });

  it('fails with events', () => {
    marbles(({ hot, expectObservable }) => {
      const events = hot('-s', values) as unknown as Observable<ResourceChange<KubernetesObject>>;
      const error = new TypeError('Expected `resync` to be given changes, got the event "synced": take `change$` in place of `resource$`');
      expectObservable(events.pipe(resync({ periodMs: 2 }))).toBe('-#', undefined, error);
    });
  });

  it('obeys the law of operators', () => {
    checkOperatorLaw({ operator: (scheduler) => resync({ periodMs: 7, scheduler }), restMs: 20 });
  });

  it.each([0, -1, NaN])('refuses a period of %d', (periodMs) => {
    expect(() => resync({ periodMs })).toThrow(
      `Expected \`periodMs\` of \`resync\` to be a number of milliseconds > 0 or Infinity, got ${String(periodMs)}`,
    );
  });
});
