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
