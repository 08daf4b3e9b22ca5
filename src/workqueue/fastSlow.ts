import { checkOptions, rules } from '../api/options.js';
import type { RateLimiter } from './rateLimiter.js';

/** Options of `fastSlow`. */
export interface FastSlowOptions {
  /** The wait after each of the first failures, in milliseconds. */
  readonly fastMs: number;
  /** The wait after every later one, in milliseconds. */
  readonly slowMs: number;
  /** How many failures of an item are followed by the fast wait. */
  readonly maxFastAttempts: number;
}

/**
 * Waits `fastMs` after the first `maxFastAttempts` failures of an item, and `slowMs` after every later one.
 *
 * @example
 * ```ts
 * import { fastSlow } from 'rx-informer/workqueue';
 *
 * const limiter = fastSlow({ fastMs: 100, slowMs: 60_000, maxFastAttempts: 3 });
 * ```
 *
 * @see client-go's `NewTypedItemFastSlowRateLimiter`
 */
export function fastSlow(options: FastSlowOptions): RateLimiter {
  const wait = rules.required(rules.number({ min: 0 }));
  checkOptions('fastSlow', options, {
    fastMs: wait,
    slowMs: wait,
    maxFastAttempts: rules.required(rules.number({ min: 0, integer: true })),
  });
  const { fastMs, slowMs, maxFastAttempts } = options;
  const failures = new Map<unknown, number>();
  return {
    when: (item) => {
      const count = (failures.get(item) ?? 0) + 1;
      failures.set(item, count);
      return count <= maxFastAttempts ? fastMs : slowMs;
    },
    forget: (item) => void failures.delete(item),
    numRequeues: (item) => failures.get(item) ?? 0,
  };
}
