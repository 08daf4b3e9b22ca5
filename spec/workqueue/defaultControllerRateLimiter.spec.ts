import { describe, expect, it } from '@jest/globals';

import { createManualClock } from '../../src/testing/fakes/manualClock.js';
import { defaultControllerRateLimiter } from '../../src/workqueue/rateLimiters.js';

describe('defaultControllerRateLimiter', () => {
  it('doubles from 5 ms to 1000 s per item (LM-07)', () => {
    const clock = createManualClock();
    const limiter = defaultControllerRateLimiter({ clock });
    const waits = Array.from({ length: 20 }, () => limiter.when('one'));
    expect(waits.slice(0, 4)).toEqual([5, 10, 20, 40]);
    expect(waits.slice(16)).toEqual([327_680, 655_360, 1_000_000, 1_000_000]);
  });

  it('lets 100 through at once and then 10 per second, whatever the items (LM-07)', () => {
    const limiter = defaultControllerRateLimiter({ clock: createManualClock() });
    const waits = Array.from({ length: 103 }, (_, at) => limiter.when(at));
    expect(waits.slice(98)).toEqual([5, 5, 100, 200, 300]);
  });
});
