import type { RateLimiter } from './rateLimiter.js';

/**
 * Calls several limiters and takes the longest wait; every one of them counts the failure.
 *
 * @example
 * ```ts
 * import { exponentialFailure, maxOf, tokenBucket } from 'rx-informer/workqueue';
 *
 * const limiter = maxOf([exponentialFailure({ baseMs: 5, maxMs: 60_000 }), tokenBucket({ qps: 10, burst: 100 })]);
 * ```
 *
 * @see client-go's `NewTypedMaxOfRateLimiter`
 */
export function maxOf<T>(limiters: readonly RateLimiter<T>[]): RateLimiter<T> {
  if (limiters.length === 0) throw new TypeError('Expected `limiters` to be at least one, got none');
  return {
    when: (item) => Math.max(...limiters.map((limiter) => limiter.when(item))),
    forget: (item) => {
      for (const limiter of limiters) limiter.forget(item);
    },
    numRequeues: (item) => Math.max(...limiters.map((limiter) => limiter.numRequeues(item))),
  };
}
