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
