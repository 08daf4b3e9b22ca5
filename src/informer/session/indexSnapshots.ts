import { distinctUntilChanged, finalize, ignoreElements, Observable, share, Subject, tap } from 'rxjs';
import type { ResourceChange } from '../../api/events.js';
import { emptySnapshot, type IndexSnapshot, type SnapshotChange, snapshotWith } from '../../cache/snapshotWith.js';
import type { Store } from '../../cache/store/store.js';
import type { Trampoline } from '../../rx/trampoline.js';

/**
 * Folds changes into immutable snapshots, once for all subscribers: the current one, then one after each change, after the subscribers of the change.
 * Nothing is emitted before every scope is complete. Without subscribers nothing is kept.
 *
 * @param settled$ - the changes, each as soon as the store has changed.
 */
export function indexSnapshots<T>(
  settled$: Observable<ResourceChange<T>>,
  turns: Trampoline,
  store: Pick<Store<T>, 'lastStoreSyncResourceVersion'>,
): Observable<IndexSnapshot<T>> {
  const snapshot$ = new Subject<IndexSnapshot<T>>();
  let current = emptySnapshot<T>();
  let synced = false;

  const emit = (): void => {
    if (synced) snapshot$.next(current);
  };
  /** Queued after the subscribers of this change. */
  const emitLast = (): void => turns.tell(emit);
  const fold = ({ events, synced: isSynced }: ResourceChange<T>): void => {
    if (synced && events.length === 0) return;
    const differing = events.map((event): SnapshotChange<T> => [event.key, event.type === 'deleted' ? undefined : event.object]);
    synced ||= isSynced;
    current = snapshotWith(current, differing, store.lastStoreSyncResourceVersion());
    turns.tell(emitLast);
  };
  const folding$ = settled$.pipe(
    tap(fold),
    ignoreElements(),
    finalize(() => {
      current = emptySnapshot<T>();
      synced = false;
    }),
    share(),
  );

  const snapshots$ = new Observable<IndexSnapshot<T>>((subscriber) => {
    // During a change: emit after it, together with all others.
    turns.tell(() => {
      if (synced) subscriber.next(current);
    });
    subscriber.add(snapshot$.subscribe(subscriber));
    subscriber.add(folding$.subscribe(subscriber));
  });
  return snapshots$.pipe(distinctUntilChanged());
}
