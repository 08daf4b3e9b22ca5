import { map, Observable, share } from 'rxjs';
import type { ResourceChange } from '../../api/events/resourceChange.js';
import type { IndexSnapshot } from '../../cache/snapshot/indexSnapshot.js';
import { emptySnapshot, type SnapshotChange, snapshotWith } from '../../cache/snapshot/snapshotWith.js';

/**
 * Immutable snapshots from changes: the current one, then one after each change. All subscribers share them; without any, none are made.
 */
export function sharedSnapshots<T>(changes: Observable<ResourceChange<T>>): Observable<IndexSnapshot<T>> {
  let current: IndexSnapshot<T> | undefined;
  const shared = new Observable<IndexSnapshot<T>>((subscriber) => {
    subscriber.add(() => (current = undefined));
    const apply = ({ cause, events }: ResourceChange<T>): IndexSnapshot<T> => {
      const entries = events.map((event): SnapshotChange<T> => [event.key, event.type === 'deleted' ? undefined : event.object]);
      const before = current === undefined || cause === 'snapshot' ? emptySnapshot<T>() : current;
      return (current = snapshotWith(before, entries, ''));
    };
    return changes.pipe(map(apply)).subscribe(subscriber);
  }).pipe(share());
  return new Observable((subscriber) => {
    if (current !== undefined) subscriber.next(current);
    return shared.subscribe(subscriber);
  });
}
