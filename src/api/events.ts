import type { InformerError } from './errors/informerError.js';

/** An object was added to the cache. `initial`: in the subscriber's snapshot or in the first list. `inferred`: found by comparing a later list. */
export interface AddedEvent<T> {
  readonly type: 'added';
  readonly key: string;
  readonly object: T;
  readonly initial: boolean;
  readonly inferred: boolean;
}

/** A cached object was replaced by a newer version, or (`resync`) is emitted again unchanged. */
export interface UpdatedEvent<T> {
  readonly type: 'updated';
  readonly key: string;
  readonly object: T;
  readonly oldObject: T;
  readonly resync: boolean;
  readonly inferred: boolean;
}

/** Why an object has left a cache without having been deleted: it `moved` to another shard, or the permission to see it was `revoked`. */
export type LeaveReason = 'moved' | 'revoked';

/**
 * An object left the cache. `finalStateUnknown`: the deletion was missed, and `object` is the last known state. With a `reason`, the object was not
 * deleted: `reconcile` ignores such an event.
 */
export interface DeletedEvent<T> {
  readonly type: 'deleted';
  readonly key: string;
  readonly object: T;
  readonly finalStateUnknown: boolean;
  readonly inferred: boolean;
  readonly reason?: LeaveReason;
}

/** The subscriber has received the whole content of the cache: after its snapshot, and after every later list. */
export interface SyncedEvent {
  readonly type: 'synced';
  readonly resourceVersion: string;
  readonly previousResourceVersion: string;
}

/** The events of `resource$`. The cache changes before an event is emitted. */
export type ResourceEvent<T> = AddedEvent<T> | UpdatedEvent<T> | DeletedEvent<T> | SyncedEvent;

/** The event of one object in a change. */
export type ObjectEvent<T> = AddedEvent<T> | UpdatedEvent<T> | DeletedEvent<T>;

/**
 * One step of a cache as one value: what a cache emits to subscribers, operators and views.
 *
 * `events` has at most one event per key, or a `deleted` followed by an `added` for an object that was created again under its name. All
 * `deleted` come first. A change may be empty if it reports the state of the whole: `synced`, or a newer list.
 */
export interface ResourceChange<T> {
  /** The snapshot of a new subscriber, a completed list, a watch event, a resync of unchanged objects, or a change of a view's inputs. */
  readonly cause: 'snapshot' | 'list' | 'watch' | 'resync' | 'view';
  readonly events: readonly ObjectEvent<T>[];
  /** The scope of the list or watch that changed; absent in views and snapshots. */
  readonly scope?: string;
  /** The version after the change, of that scope or, in a snapshot, of the whole cache; absent in views. */
  readonly resourceVersion?: string;
  readonly previousResourceVersion?: string;
  /** Whether every scope is complete after the change. */
  readonly synced: boolean;
}

/**
 * One change of one object before it reaches the cache, in client-go's terms.
 *
 * `Added`, `Updated`, `Deleted`: from the watch. `Replaced`: from a list. `Sync`: from a resync of the cache. A `Deleted` with
 * `finalStateUnknown` was inferred from a list: its object is the last known state, or undefined. With a `reason`, the object was not
 * deleted.
 */
export type Delta<T> =
  | {
      readonly type: 'Added' | 'Updated' | 'Sync' | 'Replaced';
      readonly key: string;
      readonly object: T;
      /**
       * Whether an object of the cached version is the cached one; otherwise contents are compared. Not so where the source gives keys, and for a list that may be
       * older than what came before it. By default true, for a `Replaced` false.
       */
      readonly isCurrent?: boolean;
    }
  | {
      readonly type: 'Deleted';
      readonly key: string;
      readonly object: T | undefined;
      readonly finalStateUnknown: boolean;
      readonly reason?: LeaveReason;
    };

/** The deltas of one key, oldest first. */
export type Deltas<T> = readonly Delta<T>[];

/** Why a list begins. */
export type InitReason =
  /** No list of this subscription has been completed yet. */
  | 'first'
  /** The server no longer keeps the version to resume from. */
  | 'expired'
  /** The last list or watch failed in a way that needs a new list. */
  | 'error'
  /** A periodic consistent list (`relistPeriodMs`). */
  | 'period';

/** The state of a source's link to the server. */
export type LinkState = 'listing' | 'watching' | 'retrying';

/**
 * What a source of objects emits.
 *
 * ```text
 * ( init ( page | added | modified | deleted )* ( ready ( added | modified | deleted | bookmark )* )? )*      status anywhere
 * ```
 *
 * - `init`: a list begins; every known object may turn out to be deleted.
 * - `page`: some objects of that list, with their keys if these cannot be computed from the metadata. Between `init` and `ready`, `added`, `modified` and `deleted` change only the incomplete list.
 * - `ready`: the list is complete; objects of this scope that were not in it are deleted. An `init` without a `ready` before the next `init`
 *   is dropped.
 * - `added`, `modified`, `deleted`, `bookmark`: from the watch.
 * - `status`: the state of the link, including failures, which are never Rx errors.
 *
 * `scope` is the namespace or selector of one reflector; absent means `''`.
 */
export type SourceEvent<T> =
  | { readonly type: 'init'; readonly scope: string; readonly reason: InitReason; readonly previousResourceVersion: string }
  | {
      readonly type: 'page';
      readonly scope?: string;
      readonly items: readonly T[];
      /** The key of each item, in the order of `items`. Without it, keys are computed from the items. */
      readonly keys?: readonly string[];
    }
  | { readonly type: 'ready'; readonly scope: string; readonly resourceVersion: string }
  | {
      readonly type: 'added' | 'modified' | 'deleted';
      readonly scope?: string;
      readonly object: T;
      readonly resourceVersion: string;
      /** The key of the object, if it cannot be computed from its metadata, as with relays and views. */
      readonly key?: string;
      /** Of `deleted`: why the object has left without having been deleted. Only its key is valid then. */
      readonly reason?: LeaveReason;
      /**
       * The next event belongs to the same change, and is emitted in the same turn. Each key comes once, and deletions come first. The
       * change ends with a `bookmark`, because filters of objects do not drop bookmarks.
       */
      readonly more?: true;
    }
  | { readonly type: 'bookmark'; readonly scope?: string; readonly resourceVersion: string }
  | SourceStatus;

/** The state of a source's link, and the last failure. */
export interface SourceStatus {
  readonly type: 'status';
  readonly scope?: string;
  readonly state: LinkState;
  readonly error?: InformerError | undefined;
  /** The number of consecutive failed attempts, from 1. */
  readonly attempt?: number | undefined;
  /** When the next attempt begins, in milliseconds of the scheduler's clock. */
  readonly nextAttemptAt?: number | undefined;
}

/** The health of an informer or view: the state of its links, its version and its last failure. Times are milliseconds of its scheduler. */
export interface InformerHealth {
  readonly state: 'idle' | 'restored' | 'listing' | 'watching' | 'retrying' | 'stopped';
  /** The start of this state. */
  readonly since: number;
  /** The version that the cache reflects; `''` before the first list. */
  readonly resourceVersion: string;
  /** Whether every scope has been listed completely in this session. */
  readonly synced: boolean;
  /** During a list: the number of objects received, in all scopes. A change of it alone is not emitted. */
  readonly received?: number;
  /**
   * The maximum age of the cache, in milliseconds: the time since it was last known to be current, in the scope where that is longest ago. An event, a bookmark
   * and a complete list prove that it is current, and so does the end of a watch that the server closed or that broke; attempts that fail do not. In the
   * state `restored`, the time since the snapshot was saved, by the wall clock. Absent before the first list is complete. A change of it alone is not
   * emitted.
   */
  readonly staleMs?: number;
  /**
   * With the option `verification`: when an outage with refused connections ended. The server may have been restored from a backup since. Absent when the cache
   * has been verified or listed after that.
   */
  readonly unverifiedSince?: number;
  readonly lastEventAt?: number;
  readonly lastBookmarkAt?: number;
  /** The number of consecutive failed attempts. */
  readonly attempt?: number;
  readonly nextAttemptAt?: number;
  /** The last failure, until the link is healthy again. */
  readonly error?: InformerError;
  /** Keys whose transform throws: the cache has their last good value. */
  readonly degraded: readonly string[];
}
