import { checkOptions, rules } from '../api/options.js';
import { describedAs } from '../api/running.js';
import { createDelayingQueue, type DelayingQueue, type DelayingQueueOptions } from './createDelayingQueue.js';
import { workQueueRules } from './createWorkQueue.js';
import { defaultControllerRateLimiter, type RateLimiter } from './rateLimiters.js';
import { systemClock } from '../api/clock.js';
import type { AddOptions } from './workQueue.js';

/**
 * A work queue that delays the retries of failing items.
 *
 * @see client-go's `workqueue.TypedRateLimitingInterface`
 */
export interface RateLimitingQueue<T> extends DelayingQueue<T> {
  /** Counts a failure of the item and adds it after the delay of the limiter; if it is delayed already, the earlier time counts. */
  readonly addRateLimited: (item: T, options?: AddOptions) => void;
  /** Resets the limiter for the item: after a success, or when it is given up. It cancels nothing. */
  readonly forget: (item: T) => void;
  /** How often the item was rate limited since it was last forgotten. */
  readonly numRequeues: (item: T) => number;
}

/** Options of `createRateLimitingQueue`: those of a work queue, or the delaying queue to build on. */
export interface RateLimitingQueueOptions<T> extends Omit<DelayingQueueOptions<T>, 'queue'> {
  /** @defaultValue `defaultControllerRateLimiter()` */
  readonly rateLimiter?: RateLimiter<T> | undefined;
  /** @defaultValue a delaying queue made with the other options. */
  readonly queue?: DelayingQueue<T> | undefined;
}

/**
 * Makes a work queue that retries failing items with increasing delays.
 *
 * @example
 * ```ts
 * import { createRateLimitingQueue } from 'rx-informer/workqueue';
 *
 * const queue = createRateLimitingQueue<string>();
 * queue.addRateLimited('default/web'); // in 5 ms
 * queue.addRateLimited('default/web'); // counted; the earlier time stays
 * queue.forget('default/web');
 * queue.shutDown();
 * ```
 *
 * @see client-go's `workqueue.NewTypedRateLimitingQueue`
 */
export function createRateLimitingQueue<T>(options: RateLimitingQueueOptions<T> = {}): RateLimitingQueue<T> {
  checkOptions('createRateLimitingQueue', options, {
    ...workQueueRules,
    rateLimiter: rules.withMethods('when', 'forget', 'numRequeues'),
    queue: rules.withMethods('addAfter', 'shutDown'),
  });
  const { queue: given, clock = systemClock, rateLimiter = defaultControllerRateLimiter({ clock }), ...rest } = options;
  const queue = given ?? createDelayingQueue<T>({ ...rest, clock });
  const limited: RateLimitingQueue<T> = {
    ...queue,
    addRateLimited: (item, addOptions) => queue.addAfter(item, rateLimiter.when(item), addOptions),
    forget: (item) => rateLimiter.forget(item),
    numRequeues: (item) => rateLimiter.numRequeues(item),
  };
  return describedAs(limited, queue);
}
