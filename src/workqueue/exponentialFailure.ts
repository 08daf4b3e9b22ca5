import { checkOptions, rules } from '../api/options.js';
import type { RateLimiter } from './rateLimiter.js';

/** Options of `exponentialFailure`. */
export interface ExponentialFailureOptions {
  /** The wait after the first failure, in milliseconds; above 0. */
  readonly baseMs: number;
  /** The longest wait, in milliseconds; at least `baseMs`. */
  readonly maxMs: number;
}

/**
 * Doubles the wait with every failure of the same item: `baseMs * 2 ** failures`, at most `maxMs`.
 *
 * @example
 * ```ts
 * import { exponentialFailure } from 'rx-informer/workqueue';
 *
 * const limiter = exponentialFailure({ baseMs: 5, maxMs: 1_000 });
 * limiter.when('default/web'); // 5
 * limiter.when('default/web'); // 10
 * ```
 *
 * @see client-go's `NewTypedItemExponentialFailureRateLimiter`
 */
export function exponentialFailure(options: ExponentialFailureOptions): RateLimiter {
  const wait = rules.required(rules.number({ above: 0 }));
  checkOptions('exponentialFailure', options, { baseMs: wait, maxMs: wait });
  const { baseMs, maxMs } = options;
  if (maxMs < baseMs) throw new TypeError(`Expected \`maxMs\` to be >= \`baseMs\` (${baseMs}), got ${maxMs}`);
  const failures = new Map<unknown, number>();
  return {
    when: (item) => {
      const count = failures.get(item) ?? 0;
      failures.set(item, count + 1);
      return Math.min(baseMs * 2 ** count, maxMs);
    },
    forget: (item) => void failures.delete(item),
    numRequeues: (item) => failures.get(item) ?? 0,
  };
}
