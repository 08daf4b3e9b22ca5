/**
 * Says how long an item has to wait before it is tried again.
 *
 * @see client-go's `workqueue.TypedRateLimiter`
 */
export interface RateLimiter<T = unknown> {
  /** Counts one more failure of the item, and returns the milliseconds to wait. */
  readonly when: (item: T) => number;
  /** The item works again, or is given up: forgets its failures. */
  readonly forget: (item: T) => void;
  /** How many failures of the item have been counted. */
  readonly numRequeues: (item: T) => number;
}
