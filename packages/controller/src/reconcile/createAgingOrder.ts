import { KeyedHeap, type QueueOrder } from 'rx-informer/internal';
import type { Clock } from 'rx-informer/workqueue';

/**
 * An order for a work queue in which priorities age: a queued item rises by one level every `agingMs`, so that no item starves, and older ones go
 * first within one priority.
 *
 * ```text
 * agingMs 10   add(a, 0) at 0   add(b, 5) at 20   add(c, 1) at 20   pops: b (level 5 and 0 ms), a (0 and 20 ms), c (1 and 0 ms)
 * ```
 */
export function createAgingOrder<T>({ agingMs, clock }: { readonly agingMs: number; readonly clock: Clock }): QueueOrder<T> {
  // All rise at the same rate, so the relative order of two items never changes.
  const heap = new KeyedHeap<T>();
  const since = new Map<T, number>();
  return {
    push: (item, priority) => {
      const now = clock.now();
      since.set(item, now);
      heap.push(item, now - priority * agingMs);
    },
    touch: (item, priority) => heap.push(item, (since.get(item) ?? clock.now()) - priority * agingMs),
    pop: () => {
      const top = heap.popUntil(Infinity);
      if (top === undefined) throw new Error('Expected an item to pop, got an empty order');
      since.delete(top.key);
      return top.key;
    },
    len: () => heap.size,
  };
}
