import { describe, expect, it } from '@jest/globals';

import { exponentialFailure } from '../../src/workqueue/rateLimiters.js';

describe('exponentialFailure', () => {
  it('doubles with every failure of an item up to the maximum, and starts over once forgotten (LM-01)', () => {
    const limiter = exponentialFailure({ baseMs: 1, maxMs: 20 });
    expect([1, 2, 3, 4, 5, 6, 7].map(() => limiter.when('one'))).toEqual([1, 2, 4, 8, 16, 20, 20]);
    expect(limiter.numRequeues('one')).toBe(7);
    expect([limiter.when('two'), limiter.when('two')]).toEqual([1, 2]);
    limiter.forget('one');
    expect(limiter.numRequeues('one')).toBe(0);
    expect(limiter.when('one')).toBe(1);
    expect(limiter.numRequeues('two')).toBe(2);
  });

  it('stays at the maximum however many failures there are (LM-01)', () => {
    const limiter = exponentialFailure({ baseMs: 0.001, maxMs: 1_000_000 });
    for (let count = 0; count < 2_000; count += 1) limiter.when('one');
    expect(limiter.when('one')).toBe(1_000_000);
  });

  it.each([
    [{ baseMs: 10, maxMs: 9 }, 'Expected `maxMs` to be >= `baseMs` (10), got 9'],
    [{ baseMs: 0, maxMs: 9 }, 'Expected `baseMs` of `exponentialFailure` to be a finite number > 0, got 0'],
    [{ baseMs: -1, maxMs: 9 }, 'Expected `baseMs` of `exponentialFailure` to be a finite number > 0, got -1'],
    [{ baseMs: NaN, maxMs: 9 }, 'Expected `baseMs` of `exponentialFailure` to be a finite number > 0, got NaN'],
    [{ baseMs: 1, maxMs: Infinity }, 'Expected `maxMs` of `exponentialFailure` to be a finite number > 0, got Infinity'],
  ])('refuses %j', (options, message) => {
    expect(() => exponentialFailure(options)).toThrow(new TypeError(message));
  });
});
