import { describe, expect, it } from '@jest/globals';

import { createManualClock } from '../../src/testing/fakes/manualClock.js';
import { tokenBucket } from '../../src/workqueue/rateLimiters.js';

describe('tokenBucket', () => {
  it('lets a burst through, then one call per token, each waiting behind those before it (LM-04)', () => {
    const clock = createManualClock();
    const limiter = tokenBucket({ qps: 10, burst: 2, clock });
    expect(['a', 'b', 'c', 'd', 'e'].map((item) => limiter.when(item))).toEqual([0, 0, 100, 200, 300]);
    clock.advanceBy(250);
    expect(limiter.when('f')).toBe(150);
  });

  it('never holds more than its burst, and no call goes back in time (LM-04)', () => {
    const clock = createManualClock();
    let now = 5_000;
    const limiter = tokenBucket({ qps: 10, burst: 2, clock: { ...clock, now: () => now } });
    now = 3_600_000;
    expect([limiter.when('a'), limiter.when('a'), limiter.when('a')]).toEqual([0, 0, 100]);
    now = 0;
    expect(limiter.when('a')).toBe(200);
    now = 1_000;
    expect(limiter.when('a')).toBe(0);
  });

  it('knows nothing of single items (LM-04)', () => {
    const limiter = tokenBucket({ qps: 10, burst: 1, clock: createManualClock() });
    limiter.when('a');
    limiter.forget('a');
    expect(limiter.numRequeues('a')).toBe(0);
    expect(limiter.when('a')).toBe(100);
  });

  it.each([
    [{ qps: 0, burst: 1 }, 'Expected `qps` of `tokenBucket` to be a finite number > 0, got 0'],
    [{ qps: NaN, burst: 1 }, 'Expected `qps` of `tokenBucket` to be a finite number > 0, got NaN'],
    [{ qps: 1, burst: 0 }, 'Expected `burst` of `tokenBucket` to be an integer >= 1, got 0'],
    [{ qps: 1, burst: 1.5 }, 'Expected `burst` of `tokenBucket` to be an integer >= 1, got 1.5'],
  ])('refuses %j', (options, message) => {
    expect(() => tokenBucket(options)).toThrow(new TypeError(message));
  });
});
