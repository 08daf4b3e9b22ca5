import { describe, expect, it } from '@jest/globals';

import { fastSlow, withMaxWait } from '../../src/workqueue/rateLimiters.js';

describe('withMaxWait', () => {
  it('cuts waits at the maximum and passes everything else on (LM-06)', () => {
    const inner = fastSlow({ fastMs: 5, slowMs: 10_000, maxFastAttempts: 1 });
    const limiter = withMaxWait(inner, { maxMs: 100 });
    expect([limiter.when('one'), limiter.when('one')]).toEqual([5, 100]);
    expect(limiter.numRequeues('one')).toBe(2);
    limiter.forget('one');
    expect(inner.numRequeues('one')).toBe(0);
  });

  it('refuses a negative maximum', () => {
    const inner = fastSlow({ fastMs: 5, slowMs: 5, maxFastAttempts: 1 });
    expect(() => withMaxWait(inner, { maxMs: -1 })).toThrow(
      new TypeError('Expected `maxMs` of `withMaxWait` to be a finite number >= 0, got -1'),
    );
  });
});
