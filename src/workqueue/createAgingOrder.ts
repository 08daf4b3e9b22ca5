import { checkOptions, rules } from '../api/options.js';
import { type Clock, systemClock } from '../api/clock.js';
import { KeyedHeap } from './keyedHeap.js';
import type { QueueOrder } from './queueOrder.js';

/** Options of `createAgingOrder`. */
export interface AgingOrderOptions {
  /** So long a wait makes up for one level of priority, in milliseconds; above 0. */
  readonly agingMs: number;
  /** @defaultValue `systemClock` */
  readonly clock?: Clock | undefined;
}

/**
 * An order for a work queue in which priorities age: whatever waits rises by one level every `agingMs`, so that nothing waits for ever, and what waits longer goes
 * first within one priority.
 *
 * ```text
 * agingMs 10   add(a, 0) at 0   add(b, 5) at 20   add(c, 1) at 20   pops: b (level 5 and 0 ms), a (0 and 20 ms), c (1 and 0 ms)
 * ```
 *
 * @example
 * ```ts
 * import { createAgingOrder, createWorkQueue } from 'rx-informer/workqueue';
 *
 * const queue = createWorkQueue<string>({ order: createAgingOrder({ agingMs: 600 }) }); // a priority of -100 is made up for in a minute
 * ```
 *
 * @throws TypeError when an option is wrong.
 */
export function createAgingOrder<T>(options: AgingOrderOptions): QueueOrder<T> {
  checkOptions('createAgingOrder', options, {
    agingMs: rules.required(rules.durationOf({ above: 0 })),
    clock: rules.withMethods('now', 'schedule'),
  });
  const { agingMs, clock = systemClock } = options;
  // All rise at the same rate: which of two is before the other never changes.
  const heap = new KeyedHeap<T>();
  const since = new Map<T, number>();
  return {
    push: (item, priority) => {
      const now = clock.now();
      since.set(item, now);
      heap.push(item, now - priority * agingMs);
    },
    touch: (item, priority) => void heap.push(item, (since.get(item) ?? clock.now()) - priority * agingMs),
    pop: () => {
      const top = heap.popUntil(Infinity);
      if (top === undefined) throw new Error('Expected an item to pop, got an empty order');
      since.delete(top.key);
      return top.key;
    },
    len: () => heap.size,
  };
}
