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
class Delays<T> {
  private readonly heap = new KeyedHeap<T>();
  private readonly priorities = new Map<T, number>();
  private readonly add: WorkQueue<T>['add'];
  private readonly clock: Clock;
  private timer: { unsubscribe(): void } | undefined;
  private armedFor = Infinity;

  constructor(add: WorkQueue<T>['add'], clock: Clock) {
    this.add = add;
    this.clock = clock;
  }

  get size(): number {
    return this.heap.size;
  }

  push(item: T, delayMs: number, priority: number): void {
    this.heap.push(item, this.clock.now() + delayMs);
    this.priorities.set(item, Math.max(priority, this.priorities.get(item) ?? -Infinity));
    this.arm();
  }

  cancel(item: T): void {
    this.heap.remove(item);
    this.priorities.delete(item);
    this.arm();
  }

  clear(): void {
    this.heap.clear();
    this.priorities.clear();
    this.arm();
  }

  private arm(): void {
    const earliest = this.heap.earliest() ?? Infinity;
    if (earliest === this.armedFor) return;
    this.timer?.unsubscribe();
    this.armedFor = earliest;
    if (earliest === Infinity) return;
    const delayMs = Math.ceil(Math.max(earliest - this.clock.now(), 0));
    // A custom clock may use the timers of the runtime, which are limited: a longer delay is divided.
    this.timer = this.clock.schedule(() => this.fire(), Math.min(delayMs, longestTimerMs));
  }

  private fire(): void {
    this.armedFor = Infinity;
    try {
      const now = this.clock.now();
      for (let due = this.heap.popUntil(now); due !== undefined; due = this.heap.popUntil(now)) {
        const priority = this.priorities.get(due.key);
        this.priorities.delete(due.key);
        this.add(due.key, { priority });
      }
    } finally {
      // A ready callback may have thrown: the remaining items still need a timer.
      this.arm();
    }
  }
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
  const delays = new Delays(queue.add, clock);
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
    cancel: (item) => delays.cancel(item),
    delayed: () => delays.size,
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
