import { KeyedHeap } from './keyedHeap.js';

/**
 * The order in which a work queue hands out its items: client-go's `Queue`.
 *
 * The work queue calls `push` only for items that are not queued, `touch` only for queued ones, and never `pop` when
 * `len()` is 0.
 */
export interface QueueOrder<T> {
  /** Adds an item. */
  push(item: T, priority: number): void;
  /** A queued item was added again. `priority` is the highest since it was queued. */
  touch(item: T, priority: number): void;
  /** Removes the next item and returns it. */
  pop(): T;
  /** How many items are in it. */
  len(): number;
}

/** How often an older item of a lower priority may be passed over before the oldest of all is taken. */
const maxPassedOver = 100;

/**
 * The default order of a work queue: by priority, then first in, first out.
 *
 * A queued item whose priority is raised goes to the end of its new level. To prevent starvation, the oldest
 * item is taken, whatever its priority, after every 99 takes that passed over an older item.
 *
 * @see client-go's `DefaultQueue`, which has no priorities.
 */
export class PriorityOrder<T> implements QueueOrder<T> {
  /** The items by the negative of their priority. */
  private readonly byPriority = new KeyedHeap<T>();
  /** The same items in the order in which they came. One whose priority is raised comes anew. */
  private readonly byAge = new KeyedHeap<T>();
  private passedOver = 0;

  push(item: T, priority: number): void {
    this.byPriority.push(item, -priority);
    this.byAge.push(item, 0);
  }

  touch(item: T, priority: number): void {
    if (!this.byPriority.push(item, -priority)) return;
    this.byAge.remove(item);
    this.byAge.push(item, 0);
  }

  pop(): T {
    const [top, oldest] = [this.byPriority.first(), this.byAge.first()];
    if (top === undefined || oldest === undefined) throw new Error('Expected an item to pop, got an empty order');
    const { key } = this.isDue(top.key, oldest.key) ? oldest : top;
    this.byPriority.remove(key);
    this.byAge.remove(key);
    return key;
  }

  len(): number {
    return this.byPriority.size;
  }

  /** Whether the oldest item has been passed over so often that it is taken now. */
  private isDue(top: T, oldest: T): boolean {
    if (top !== oldest) this.passedOver += 1;
    const isDue = this.passedOver === maxPassedOver;
    if (isDue) this.passedOver = 0;
    return isDue;
  }
}
