import type { LeaveReason } from './resourceEvent.js';

/**
 * One change of one object before it reaches the cache, in client-go's words.
 *
 * `Added`, `Updated`, `Deleted`: from the watch. `Replaced`: from a list. `Sync`: from a resync of the cache. A `Deleted` with
 * `finalStateUnknown` was found out by a list: its object is the last known state, or undefined. With a `reason`, the object has left without having been
 * deleted.
 */
export type Delta<T> =
  | { readonly type: 'Added' | 'Updated' | 'Sync'; readonly key: string; readonly object: T }
  | { readonly type: 'Replaced'; readonly key: string; readonly object: T }
  | {
      readonly type: 'Deleted';
      readonly key: string;
      readonly object: T | undefined;
      readonly finalStateUnknown: boolean;
      readonly reason?: LeaveReason;
    };

/** The name of a delta's variant. */
export type DeltaType = Delta<unknown>['type'];

/** The deltas of one key, oldest first. */
export type Deltas<T> = readonly Delta<T>[];
