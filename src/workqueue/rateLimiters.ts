import { checkOptions, rules } from '../api/options.js';
import { type Clock, systemClock } from '../api/clock.js';

/**
 * Determines how long an item has to wait before it is tried again.
 *
 * @see client-go's `workqueue.TypedRateLimiter`
 */
export interface RateLimiter<T = unknown> {
  /** Counts one more failure of the item, and returns the milliseconds to wait. */
  readonly when: (item: T) => number;
  /** Resets the failures of an item that has succeeded, or is not tried again. */
  readonly forget: (item: T) => void;
  /** How many failures of the item have been counted. */
  readonly numRequeues: (item: T) => number;
}

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
