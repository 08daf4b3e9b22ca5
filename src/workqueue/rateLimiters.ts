import { checkOptions, expectArgument, rules } from '../api/options.js';
import { type Clock, systemClock, Tokens } from '../api/clock.js';

/**
 * Computes the delay before an item is retried.
 *
 * @see client-go's `workqueue.TypedRateLimiter`
 */
export interface RateLimiter<T = unknown> {
  /** Counts a failure of the item, and returns the delay in milliseconds. */
  readonly when: (item: T) => number;
  /** Resets the failures of an item that has succeeded, or is not retried. */
  readonly forget: (item: T) => void;
  /** The number of failures counted for the item. */
  readonly numRequeues: (item: T) => number;
}

/** A limiter whose delay depends on how often the item has failed. */
function countingFailures(delayOf: (count: number) => number): RateLimiter {
  const failures = new Map<unknown, number>();
  return {
    when: (item) => {
      const count = (failures.get(item) ?? 0) + 1;
      failures.set(item, count);
      return delayOf(count);
    },
    forget: (item) => void failures.delete(item),
    numRequeues: (item) => failures.get(item) ?? 0,
  };
}

/** Options of `exponentialFailure`. */
export interface ExponentialFailureOptions {
  /** The delay after the first failure, in milliseconds; above 0. */
  readonly baseMs: number;
  /** The longest delay, in milliseconds; at least `baseMs`. */
  readonly maxMs: number;
}

/**
 * Doubles the delay with every failure of the same item: `baseMs * 2 ** failures`, at most `maxMs`.
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
  return countingFailures((count) => Math.min(baseMs * 2 ** (count - 1), maxMs));
}

/** Options of `fastSlow`. */
export interface FastSlowOptions {
  /** The delay after each of the first failures, in milliseconds. */
  readonly fastMs: number;
  /** The delay after every later one, in milliseconds. */
  readonly slowMs: number;
  /** The number of failures with the fast delay. */
  readonly maxFastAttempts: number;
}

/**
 * Returns `fastMs` for the first `maxFastAttempts` failures of an item, and `slowMs` for every later one.
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
  return countingFailures((count) => (count <= maxFastAttempts ? fastMs : slowMs));
}

/** Options of `tokenBucket`. */
export interface TokenBucketOptions {
  /** The tokens gained per second; above 0. */
  readonly qps: number;
  /** The maximum number of tokens in the bucket, which starts full. At least 1. */
  readonly burst: number;
  /** @defaultValue `systemClock` */
  readonly clock?: Clock | undefined;
}

/**
 * Limits all items together: each call takes a token; when the bucket is empty, it returns the time until the next one. There is no limit per item.
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
  const tokens = new Tokens(qps, burst, clock);
  return {
    when: () => tokens.take(),
    forget: () => undefined,
    numRequeues: () => 0,
  };
}

/**
 * Calls several limiters and returns the longest delay; each of them counts the failure.
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
  expectArgument('maxOf', 'limiters', limiters, rules.listOf(rules.withMethods('when', 'forget'), 'rate limiters'));
  if (limiters.length === 0) throw new TypeError('Expected `limiters` to be at least one, got none');
  return {
    when: (item) => Math.max(...limiters.map((limiter) => limiter.when(item))),
    forget: (item) => {
      for (const limiter of limiters) limiter.forget(item);
    },
    numRequeues: (item) => Math.max(...limiters.map((limiter) => limiter.numRequeues(item))),
  };
}

/** Options of `withMaxWait`. */
export interface WithMaxWaitOptions {
  /** The longest delay, in milliseconds. */
  readonly maxMs: number;
}

/**
 * Limits the delays of another limiter to `maxMs`.
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

/**
 * A delay from 1 ms doubling to 1000 s per item, without a limit overall.
 *
 * @example
 * ```ts
 * import { createRateLimitingQueue, defaultItemBasedRateLimiter } from 'rx-informer/workqueue';
 *
 * const queue = createRateLimitingQueue<string>({ rateLimiter: defaultItemBasedRateLimiter() });
 * ```
 *
 * @see client-go's `DefaultTypedItemBasedRateLimiter`, the source of the numbers
 */
export function defaultItemBasedRateLimiter(): RateLimiter {
  return exponentialFailure({ baseMs: 1, maxMs: 1_000_000 });
}

/** Options of `defaultControllerRateLimiter`. */
export interface DefaultControllerRateLimiterOptions {
  /**
   * The clock of the token bucket.
   *
   * @defaultValue `systemClock`
   */
  readonly clock?: Clock | undefined;
}

/**
 * The default of controllers: a delay from 5 ms doubling to 1000 s per item, and 10 retries per second with bursts of 100 overall.
 *
 * @example
 * ```ts
 * import { createRateLimitingQueue, defaultControllerRateLimiter } from 'rx-informer/workqueue';
 *
 * const queue = createRateLimitingQueue<string>({ rateLimiter: defaultControllerRateLimiter() });
 * ```
 *
 * @see client-go's `DefaultTypedControllerRateLimiter`, the source of the numbers
 */
export function defaultControllerRateLimiter(options: DefaultControllerRateLimiterOptions = {}): RateLimiter {
  checkOptions('defaultControllerRateLimiter', options, { clock: rules.withMethods('now', 'schedule') });
  return maxOf([exponentialFailure({ baseMs: 5, maxMs: 1_000_000 }), tokenBucket({ ...options, qps: 10, burst: 100 })]);
}
