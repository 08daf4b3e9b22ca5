import { describe, expect, it } from '@jest/globals';
import { debounceByKey } from '../../../src/operators/timing/debounceByKey.js';
import { checkOperatorLaw } from '../../../src/testing/suites/checkOperatorLaw.js';
import * as operatorPictures from '../../docs/operatorPictures.js';
import { marbles, values } from '../marbles.js';

describe('debounceByKey', () => {
  it('tells an object when it has been quiet, and a busy one after the longest wait', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const { inputs, outputs } = operatorPictures.debounceByKey;
      const source = hot(inputs.source, values);
      const subs = '^--------------------!';
      const conflated = debounceByKey<object>({ dueMs: 5, maxWaitMs: 10 });
      expectObservable(source.pipe(conflated)).toBe(outputs.result, values);
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });

  it('does not hold one object back for another', () => {
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('-a--b------', values).pipe(debounceByKey({ dueMs: 4, maxWaitMs: 9 }))).toBe('-----a--b--', values);
    });
  });

  it('tells what waits before a boundary and before completion', () => {
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('-a-s----b|', values).pipe(debounceByKey({ dueMs: 5, maxWaitMs: 9 }))).toBe('---(as)--(b|)', values);
    });
  });

  it('obeys the law of operators at rest', () => {
    checkOperatorLaw({ operator: (scheduler) => debounceByKey({ dueMs: 5, maxWaitMs: 20, scheduler }), restMs: 20 });
  });

  it('refuses a longest wait that is shorter than the quiet time', () => {
    expect(() => debounceByKey({ dueMs: 5, maxWaitMs: 4 })).toThrow(
      'Expected `maxWaitMs` to be a number of milliseconds >= `dueMs` (5), got 4',
    );
    expect(() => debounceByKey({ dueMs: -1, maxWaitMs: 4 })).toThrow('Expected `dueMs` to be a number of milliseconds >= 0, got -1');
  });
});
