import type { AddedEvent, DeletedEvent, UpdatedEvent } from './resourceEvent.js';

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
