/**
 * In which order a work queue hands out what waits in it: client-go's `Queue`.
 *
 * The work queue makes sure that an item is pushed only while it is not waiting, touched only while it is, and that nothing is popped when
 * `len()` is 0.
 */
export interface QueueOrder<T> {
  /** The item begins to wait. */
  push(item: T, priority: number): void;
  /** The item was added again while it waits. `priority` is the highest it was ever added with since it began to wait. */
  touch(item: T, priority: number): void;
  /** Removes the next item and returns it. */
  pop(): T;
  /** How many items are in it. */
  len(): number;
}
