import { checkOptions, rules } from '../api/options.js';
import { type Clock, systemClock } from '../api/clock.js';
import type { RateLimiter } from './rateLimiter.js';

/** Options of `tokenBucket`. */
export interface TokenBucketOptions {
  /** How many tokens come per second; above 0. */
  readonly qps: number;
  /** How many tokens the bucket holds; it starts full. At least 1. */
  readonly burst: number;
  /** @defaultValue `systemClock` */
  readonly clock?: Clock | undefined;
}

/**
 * Limits all items together: each call takes a token, and waits for it when the bucket is empty. Single items have no limit of their own.
 *
 * @example
 * ```ts
 * import { tokenBucket } from 'rx-informer/workqueue';
 *
 * const limiter = tokenBucket({ qps: 10, burst: 100 });
 * limiter.when('default/web'); // 0, until a hundred tokens are gone
 * ```
 *
 * @see client-go's `TypedBucketRateLimiter`
 */
export function tokenBucket(options: TokenBucketOptions): RateLimiter {
  checkOptions('tokenBucket', options, {
    qps: rules.required(rules.number({ above: 0 })),
    burst: rules.required(rules.number({ min: 1, integer: true })),
    clock: rules.withMethods('now', 'schedule'),
  });
  const { qps, burst, clock = systemClock } = options;
  let tokens = burst;
  let at = clock.now();
  return {
    when: () => {
      const now = Math.max(clock.now(), at);
      // Below 0 are the tokens that others wait for already.
      tokens = Math.min(tokens + ((now - at) / 1000) * qps, burst) - 1;
      at = now;
      return tokens >= 0 ? 0 : (-tokens / qps) * 1000;
    },
    forget: () => undefined,
    numRequeues: () => 0,
  };
}
