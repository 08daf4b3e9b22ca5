import { checkOptions, rules } from '../api/options.js';
import type { RateLimiter } from './rateLimiter.js';

/** Options of `withMaxWait`. */
export interface WithMaxWaitOptions {
  /** The longest wait, in milliseconds. */
  readonly maxMs: number;
}

/**
 * Cuts the waits of another limiter to at most `maxMs`.
 *
 * @example
 * ```ts
 * import { defaultControllerRateLimiter, withMaxWait } from 'rx-informer/workqueue';
 *
 * const limiter = withMaxWait(defaultControllerRateLimiter(), { maxMs: 30_000 });
 * ```
 *
 * @see client-go's `NewTypedWithMaxWaitRateLimiter`
 */
export function withMaxWait<T>(limiter: RateLimiter<T>, options: WithMaxWaitOptions): RateLimiter<T> {
  checkOptions('withMaxWait', options, { maxMs: rules.required(rules.number({ min: 0 })) });
  const { maxMs } = options;
  return {
    when: (item) => Math.min(limiter.when(item), maxMs),
    forget: (item) => limiter.forget(item),
    numRequeues: (item) => limiter.numRequeues(item),
  };
}
