import { describe, expect, it } from '@jest/globals';

import { fastSlow } from '../../src/workqueue/rateLimiters.js';

describe('fastSlow', () => {
  it('is fast for the first failures of an item and slow from then on, until forgotten (LM-03)', () => {
    const limiter = fastSlow({ fastMs: 5, slowMs: 10_000, maxFastAttempts: 3 });
    expect([1, 2, 3, 4, 5].map(() => limiter.when('one'))).toEqual([5, 5, 5, 10_000, 10_000]);
    expect(limiter.when('two')).toBe(5);
    expect([limiter.numRequeues('one'), limiter.numRequeues('two')]).toEqual([5, 1]);
    limiter.forget('one');
    expect([limiter.numRequeues('one'), limiter.when('one')]).toEqual([0, 5]);
  });

  it.each([
    [{ fastMs: -1, slowMs: 1, maxFastAttempts: 1 }, 'Expected `fastMs` of `fastSlow` to be a finite number >= 0, got -1'],
    [{ fastMs: 1, slowMs: NaN, maxFastAttempts: 1 }, 'Expected `slowMs` of `fastSlow` to be a finite number >= 0, got NaN'],
    [{ fastMs: 1, slowMs: 1, maxFastAttempts: 1.5 }, 'Expected `maxFastAttempts` of `fastSlow` to be an integer >= 0, got 1.5'],
  ])('refuses %j', (options, message) => {
    expect(() => fastSlow(options)).toThrow(new TypeError(message));
  });
});
