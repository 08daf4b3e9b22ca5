import { checkOptions, rules } from '../api/options.js';
import type { Clock } from '../api/clock.js';
import { exponentialFailure } from './exponentialFailure.js';
import { maxOf } from './maxOf.js';
import type { RateLimiter } from './rateLimiter.js';
import { tokenBucket } from './tokenBucket.js';

/** Options of `defaultControllerRateLimiter`. */
export interface DefaultControllerRateLimiterOptions {
  /**
   * The time of the token bucket.
   *
   * @defaultValue `systemClock`
   */
  readonly clock?: Clock | undefined;
}

/**
 * What controllers use unless they have reasons: 5 ms doubling to 1000 s per item, and 10 retries per second in bursts of 100 overall.
 *
 * @example
 * ```ts
 * import { createRateLimitingQueue, defaultControllerRateLimiter } from 'rx-informer/workqueue';
 *
 * const queue = createRateLimitingQueue<string>({ rateLimiter: defaultControllerRateLimiter() });
 * ```
 *
 * @see client-go's `DefaultTypedControllerRateLimiter`, where the numbers are from
 */
export function defaultControllerRateLimiter(options: DefaultControllerRateLimiterOptions = {}): RateLimiter {
  checkOptions('defaultControllerRateLimiter', options, { clock: rules.withMethods('now', 'schedule') });
  return maxOf([exponentialFailure({ baseMs: 5, maxMs: 1_000_000 }), tokenBucket({ ...options, qps: 10, burst: 100 })]);
}
