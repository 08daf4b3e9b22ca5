import { checkOptions } from '../api/options/checkOptions.js';
import { rules } from '../api/options/rules.js';
import { expectNumber } from './expectNumber.js';
import type { RateLimiter } from './rateLimiter.js';

/**
 * Options of `fastSlow`.
 */
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
  checkOptions('fastSlow', options, { fastMs: rules.any, slowMs: rules.any, maxFastAttempts: rules.any });
  const fastMs = expectNumber('fastMs', options.fastMs, { min: 0 });
  const slowMs = expectNumber('slowMs', options.slowMs, { min: 0 });
  const maxFastAttempts = expectNumber('maxFastAttempts', options.maxFastAttempts, { min: 0, integer: true });
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
