import { distinctUntilChanged, Observable, Subject } from 'rxjs';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import type { Indexer } from '../../cache/store/indexer.js';
import type { IndexSnapshot } from '../../cache/snapshot/indexSnapshot.js';
import { emptySnapshot, type SnapshotChange, snapshotWith } from '../../cache/snapshot/snapshotWith.js';

/**
 * Makes the snapshots of `index$`: one after each change, and none while nobody looks.
 */
export interface IndexSnapshots<T> {
  /** Collects what a change consists of. */
  note(event: ResourceEvent<T>): void;
  /** The change is over, everybody else has been told. */
  flush(): void;
  /** Forgets everything: another session begins. */
  reset(): void;
  /** Keeps the informer running; emits the current snapshot, if the cache is complete, and those that follow. */
  readonly index$: Observable<IndexSnapshot<T>>;
}

/**
 * What they have to know of the informer.
 */
export interface IndexSnapshotsOptions<T> {
  readonly indexer: Indexer<T>;
  /** Keeps the informer running. */
  readonly event$: Observable<unknown>;
  readonly hasSynced: () => boolean;
  readonly isChanging: () => boolean;
}

export function createIndexSnapshots<T>({ indexer, event$, hasSynced, isChanging }: IndexSnapshotsOptions<T>): IndexSnapshots<T> {
  const snapshots = new Subject<IndexSnapshot<T>>();
  let current: IndexSnapshot<T> | undefined;
  let changes: SnapshotChange<T>[] = [];
  /** Somebody has come in the middle of a change. */
  let awaited = false;

  const reset = (): void => {
    current = undefined;
    changes = [];
  };

  const build = (): IndexSnapshot<T> => {
    const entries = indexer.listKeys().map((key): SnapshotChange<T> => [key, indexer.getByKey(key)]);
    return snapshotWith(emptySnapshot<T>(), entries, indexer.lastStoreSyncResourceVersion());
  };

  const observed = new Observable<IndexSnapshot<T>>((subscriber) => {
    subscriber.add(snapshots.subscribe(subscriber));
    subscriber.add(() => {
      if (!snapshots.observed) reset();
    });
    // In the middle of a change, the snapshot comes with everybody else's, when the change is over.
    const wasChanging = isChanging();
    if (wasChanging) awaited = true;
    subscriber.add(event$.subscribe({ error: (error: unknown) => subscriber.error(error), complete: () => subscriber.complete() }));
    if (!wasChanging && hasSynced() && !subscriber.closed) subscriber.next((current ??= build()));
  });

  return {
    reset,
    note: (event) => {
      // Without a snapshot to change, the next one is built from the cache.
      if (current === undefined || event.type === 'synced') return;
      changes.push([event.key, event.type === 'deleted' ? undefined : event.object]);
    },
    flush: () => {
      if (!snapshots.observed || !hasSynced()) return;
      if (current !== undefined && changes.length === 0 && !awaited) return;
      awaited = false;
      current = current === undefined ? build() : snapshotWith(current, changes, indexer.lastStoreSyncResourceVersion());
      changes = [];
      snapshots.next(current);
    },
    index$: observed.pipe(distinctUntilChanged()),
  };
}
