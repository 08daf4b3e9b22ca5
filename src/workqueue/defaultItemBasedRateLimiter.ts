import { exponentialFailure } from './exponentialFailure.js';
import type { RateLimiter } from './rateLimiter.js';

/**
 * 1 ms doubling to 1000 s per item, and no limit overall.
 *
 * @example
 * ```ts
 * import { createRateLimitingQueue, defaultItemBasedRateLimiter } from 'rx-informer/workqueue';
 *
 * const queue = createRateLimitingQueue<string>({ rateLimiter: defaultItemBasedRateLimiter() });
 * ```
 *
 * @see client-go's `DefaultTypedItemBasedRateLimiter`, where the numbers are from
 */
export function defaultItemBasedRateLimiter(): RateLimiter {
  return exponentialFailure({ baseMs: 1, maxMs: 1_000_000 });
}
