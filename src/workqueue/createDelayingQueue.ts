import { checkOptions, expectArgument, rules } from '../api/options.js';
import { describedAs } from '../api/running.js';
import { type Clock, longestTimerMs, systemClock } from '../api/clock.js';
import { addRules, createWorkQueue, type WorkQueueOptions, workQueueRules } from './createWorkQueue.js';
import { KeyedHeap } from './keyedHeap.js';
import type { AddOptions, WorkQueue } from './workQueue.js';

/**
 * A work queue that can add an item later.
 *
 * @see client-go's `workqueue.TypedDelayingInterface`
 */
export interface DelayingQueue<T> extends WorkQueue<T> {
  /**
   * Adds the item after `delayMs` milliseconds; at once if that is 0 or less. Of several requests for one item the earliest counts,
   * with the highest priority requested. A plain `add` meanwhile does not cancel it. Delayed items are dropped when the queue shuts down.
   */
  readonly addAfter: (item: T, delayMs: number, options?: AddOptions) => void;
  /** Drops the delayed addition of an item; does nothing without one. */
  readonly cancel: (item: T) => void;
  /** The number of delayed items. */
  readonly delayed: () => number;
}

/** Options of `createDelayingQueue`: those of a work queue, or the queue to build on. */
export interface DelayingQueueOptions<T> extends WorkQueueOptions<T> {
  /** @defaultValue a work queue made with the other options. */
  readonly queue?: WorkQueue<T> | undefined;
}

const finite = rules.number();

/** The delayed items, with one timer for the earliest. */
function createDelays<T>(add: WorkQueue<T>['add'], clock: Clock) {
  const heap = new KeyedHeap<T>();
  const priorities = new Map<T, number>();
  let timer: { unsubscribe(): void } | undefined;
  let armedFor = Infinity;

  const arm = (): void => {
    const earliest = heap.earliest() ?? Infinity;
    if (earliest === armedFor) return;
    timer?.unsubscribe();
    armedFor = earliest;
    if (earliest === Infinity) return;
    const delayMs = Math.ceil(Math.max(earliest - clock.now(), 0));
    // A custom clock may use the timers of the runtime, which are limited: a longer delay is divided.
    timer = clock.schedule(fire, Math.min(delayMs, longestTimerMs));
  };
  const fire = (): void => {
    armedFor = Infinity;
    try {
      const now = clock.now();
      for (let due = heap.popUntil(now); due !== undefined; due = heap.popUntil(now)) {
        const priority = priorities.get(due.key);
        priorities.delete(due.key);
        add(due.key, { priority });
      }
    } finally {
      // A ready callback may have thrown: the remaining items still need a timer.
      arm();
    }
  };
  return {
    size: (): number => heap.size,
    push: (item: T, delayMs: number, priority: number): void => {
      heap.push(item, clock.now() + delayMs);
      priorities.set(item, Math.max(priority, priorities.get(item) ?? -Infinity));
      arm();
    },
    cancel: (item: T): void => {
      heap.remove(item);
      priorities.delete(item);
      arm();
    },
    clear: (): void => {
      heap.clear();
      priorities.clear();
      arm();
    },
  };
}

/**
 * Makes a work queue that can add items later, with one timer for all of them.
 *
 * @example
 * ```ts
 * import { createDelayingQueue } from 'rx-informer/workqueue';
 *
 * const queue = createDelayingQueue<string>();
 * queue.addAfter('default/web', 60_000);
 * queue.addAfter('default/web', 5_000); // earlier: this one counts
 * queue.shutDown(); // drops delayed items
 * ```
 *
 * @see client-go's `workqueue.NewTypedDelayingQueue`
 */
export function createDelayingQueue<T>(options: DelayingQueueOptions<T> = {}): DelayingQueue<T> {
  checkOptions('createDelayingQueue', options, { ...workQueueRules, queue: rules.withMethods('add', 'tryGet', 'shutDown') });
  const { queue: given, ...rest } = options;
  const { clock = systemClock, metrics = {} } = rest;
  const queue = given ?? createWorkQueue(rest);
  const delays = createDelays(queue.add, clock);
  const addAfter: DelayingQueue<T>['addAfter'] = (item, delayMs, addOptions = {}) => {
    checkOptions('addAfter', addOptions, addRules);
    expectArgument('addAfter', 'delayMs', delayMs, finite);
    if (queue.shuttingDown()) return;
    metrics.retries?.();
    const { priority = 0 } = addOptions;
    if (delayMs > 0) delays.push(item, delayMs, priority);
    else queue.add(item, { priority });
  };
  const delaying: DelayingQueue<T> = {
    ...queue,
    addAfter,
    cancel: delays.cancel,
    delayed: delays.size,
    shutDown: () => {
      delays.clear();
      queue.shutDown();
    },
    shutDownWithDrain: () => {
      delays.clear();
      return queue.shutDownWithDrain();
    },
  };
  return describedAs(delaying, queue);
}
