import { describe, expect, it } from '@jest/globals';

import { exponentialFailure, fastSlow, maxOf } from '../../src/workqueue/rateLimiters.js';

describe('maxOf', () => {
  it('takes the longest wait and charges every limiter (LM-05)', () => {
    const exponential = exponentialFailure({ baseMs: 1, maxMs: 1_000 });
    const fast = fastSlow({ fastMs: 5, slowMs: 30, maxFastAttempts: 4 });
    exponential.when('one');
    const limiter = maxOf([fast, exponential]);
    expect([1, 2, 3, 4, 5, 6].map(() => limiter.when('one'))).toEqual([5, 5, 8, 16, 32, 64]);
    expect([limiter.numRequeues('one'), fast.numRequeues('one'), exponential.numRequeues('one')]).toEqual([7, 6, 7]);
    limiter.forget('one');
    expect([limiter.numRequeues('one'), fast.numRequeues('one'), exponential.numRequeues('one')]).toEqual([0, 0, 0]);
  });

  it('refuses to choose among none', () => {
    expect(() => maxOf([])).toThrow(new TypeError('Expected `limiters` to be at least one, got none'));
  });
});
