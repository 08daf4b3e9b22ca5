import type { InformerError } from './errors/informerError.js';

/** An object came into the cache. `initial`: part of the subscriber's snapshot or of the first list. `inferred`: found by comparing a later list. */
export interface AddedEvent<T> {
  readonly type: 'added';
  readonly key: string;
  readonly object: T;
  readonly initial: boolean;
  readonly inferred: boolean;
}

/** An object of the cache was replaced by a newer version, or (`resync`) is emitted again unchanged. */
export interface UpdatedEvent<T> {
  readonly type: 'updated';
  readonly key: string;
  readonly object: T;
  readonly oldObject: T;
  readonly resync: boolean;
  readonly inferred: boolean;
}

/** Why an object has left a cache without having been deleted: `moved` to another shard, or the right to see it was `revoked`. */
export type LeaveReason = 'moved' | 'revoked';

/**
 * An object left the cache. `finalStateUnknown`: the deletion itself was missed and `object` is the last known state. With a `reason`, the object has not
 * been deleted: `reconcile` passes such an event by.
 */
export interface DeletedEvent<T> {
  readonly type: 'deleted';
  readonly key: string;
  readonly object: T;
  readonly finalStateUnknown: boolean;
  readonly inferred: boolean;
  readonly reason?: LeaveReason;
}

/** The subscriber has seen the whole content of the cache: after its snapshot, and after every later relist. */
export interface SyncedEvent {
  readonly type: 'synced';
  readonly resourceVersion: string;
  readonly previousResourceVersion: string;
}

/** What subscribers of `resource$` get. The cache is changed before the event is delivered; boundaries are events of their own. */
export type ResourceEvent<T> = AddedEvent<T> | UpdatedEvent<T> | DeletedEvent<T> | SyncedEvent;

/** What happened to one object within a change. */
export type ObjectEvent<T> = AddedEvent<T> | UpdatedEvent<T> | DeletedEvent<T>;

/**
 * Why a cache changed: the subscriber's own snapshot, a completed list, an event of a watch, a resync of unchanged objects, or a view whose
 * inputs changed.
 */
export type ChangeCause = 'snapshot' | 'list' | 'watch' | 'resync' | 'view';

/**
 * One step of a cache as one value: what is passed from a cache to all subscribers, operators and views.
 *
 * `events` has at most one transition per key, or a `deleted` and then an `added` for an object that was created again under its name. All
 * `deleted` come before the others. A change may be empty when it says something of the whole: `synced`, or a newer list.
 */
export interface ResourceChange<T> {
  readonly cause: ChangeCause;
  readonly events: readonly ObjectEvent<T>[];
  /** The scope of the list or watch that changed; absent in views and snapshots. */
  readonly scope?: string;
  /** The version of that scope, or of the whole cache in a snapshot, after the change; absent in views. */
  readonly resourceVersion?: string;
  readonly previousResourceVersion?: string;
  /** Whether every scope is complete after the change. */
  readonly synced: boolean;
}

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

/** Why a list begins. */
export type InitReason =
  /** No list of this subscription has been complete yet. */
  | 'first'
  /** The server no longer keeps the version to resume from. */
  | 'expired'
  /** The last list or watch failed in a way that a list repairs. */
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
 * - `init`: a list begins; everything known before is on probation.
 * - `page`: some objects of that list, with their keys where those are not made of metadata. Between `init` and `ready`, `added`, `modified` and `deleted` change only the half-received list.
 * - `ready`: the list is complete; objects of this scope that did not come are gone. An `init` without a `ready` before the next `init`
 *   abandons what came between.
 * - `added`, `modified`, `deleted`, `bookmark`: from the watch.
 * - `status`: the state of the link, failures included; never an Rx error.
 *
 * `scope` is the namespace or selector of one reflector; an absent one is `''`.
 */
export type SourceEvent<T> =
  | { readonly type: 'init'; readonly scope: string; readonly reason: InitReason; readonly previousResourceVersion: string }
  | {
      readonly type: 'page';
      readonly scope?: string;
      readonly items: readonly T[];
      /** The key of each item, in the order of `items`. Without it, keys are made of the items. */
      readonly keys?: readonly string[];
    }
  | { readonly type: 'ready'; readonly scope: string; readonly resourceVersion: string }
  | {
      readonly type: 'added' | 'modified' | 'deleted';
      readonly scope?: string;
      readonly object: T;
      readonly resourceVersion: string;
      /** The key of the object, where it is not made of the object's metadata: in relays and views. */
      readonly key?: string;
      /** Of `deleted`: why the object has left, although it has not been deleted. Only its key counts then. */
      readonly reason?: LeaveReason;
    }
  | { readonly type: 'bookmark'; readonly scope?: string; readonly resourceVersion: string }
  | SourceStatus;

/** The state of a source's link, and what happened to it. */
export interface SourceStatus {
  readonly type: 'status';
  readonly scope?: string;
  readonly state: LinkState;
  readonly error?: InformerError | undefined;
  /** How many attempts in a row have failed, from 1. */
  readonly attempt?: number | undefined;
  /** When the next attempt begins, in milliseconds of the scheduler's clock. */
  readonly nextAttemptAt?: number | undefined;
}

/** Whether an informer's cache is live, since when, at which version, and why not. Times are milliseconds of the informer's scheduler. */
export interface InformerHealth {
  readonly state: 'idle' | 'restored' | 'listing' | 'watching' | 'retrying' | 'stopped';
  /** When this state began. */
  readonly since: number;
  /** The version that the cache reflects; `''` before the first list. */
  readonly resourceVersion: string;
  /** Whether every scope has been listed completely in this session. */
  readonly synced: boolean;
  /** While a list is under way: how many of its objects have arrived, in all scopes. A change of it alone is not emitted: read it. */
  readonly received?: number;
  /**
   * How far the cache may be behind, at most, in milliseconds: the time since the last byte from the server, in the scope where that is longest ago; in the
   * state `restored`, the time since what is read was saved, by the wall clock. Absent before the first list is complete. A change of it alone is not emitted:
   * read it.
   */
  readonly staleMs?: number;
  /**
   * With the option `verification`: when an outage ended in which connections were refused. The server may have been restored from a backup and have overtaken
   * the cache since. Absent when the cache has been verified or listed since then.
   */
  readonly unverifiedSince?: number;
  readonly lastEventAt?: number;
  readonly lastBookmarkAt?: number;
  /** How many attempts in a row have failed. */
  readonly attempt?: number;
  readonly nextAttemptAt?: number;
  /** The last failure, until the link is healthy again. */
  readonly error?: InformerError;
  /** Keys whose transform fails: their last good value is in the cache. */
  readonly degraded: readonly string[];
}
