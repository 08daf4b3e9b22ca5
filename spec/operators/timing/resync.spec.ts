import { describe, expect, it } from '@jest/globals';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import type { AddedEvent, ResourceEvent } from '../../../src/api/events/resourceEvent.js';
import { resync } from '../../../src/operators/timing/resync.js';
import { checkOperatorLaw } from '../../../src/testing/suites/checkOperatorLaw.js';
import * as operatorPictures from '../../docs/operatorPictures.js';
import { marbles, values } from '../marbles.js';

describe('resync', () => {
  it('tells every object again each period, once all are known', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const { inputs, outputs } = operatorPictures.resync;
      const source = hot(inputs.source, values);
      const subs = '^------------------!';
      const again = (name: string): ResourceEvent<KubernetesObject> => {
        const { key, object } = values[name] as AddedEvent<KubernetesObject>;
        return { type: 'updated', key, object, oldObject: object, resync: true, inferred: false };
      };
      expectObservable(source.pipe(resync({ periodMs: 9 }))).toBe(outputs.result, { ...values, 1: again('a'), 2: again('b') });
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });

  it('obeys the law of operators', () => {
    checkOperatorLaw({ operator: (scheduler) => resync({ periodMs: 7, scheduler }), restMs: 20 });
  });

  it.each([0, -1, NaN])('refuses a period of %d', (periodMs) => {
    expect(() => resync({ periodMs })).toThrow(`Expected \`periodMs\` to be a number of milliseconds > 0, got ${String(periodMs)}`);
  });
});
