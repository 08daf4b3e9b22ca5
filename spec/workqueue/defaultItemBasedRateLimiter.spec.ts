import { describe, expect, it } from '@jest/globals';

import { defaultItemBasedRateLimiter } from '../../src/workqueue/rateLimiters.js';

describe('defaultItemBasedRateLimiter', () => {
  it('doubles from 1 ms to 1000 s per item, and limits nothing overall (LM-02)', () => {
    const limiter = defaultItemBasedRateLimiter();
    const waits = Array.from({ length: 22 }, () => limiter.when('one'));
    expect(waits.slice(0, 4)).toEqual([1, 2, 4, 8]);
    expect(waits.slice(19)).toEqual([524_288, 1_000_000, 1_000_000]);
    expect(new Set(Array.from({ length: 1_000 }, (_, at) => limiter.when(at)))).toEqual(new Set([1]));
  });
});
