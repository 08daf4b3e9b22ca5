import { defer, filter, map, type OperatorFunction } from 'rxjs';
import type { ResourceChange } from '../../api/events/resourceChange.js';
import { changesOnly } from '../changes/changeOrEvent.js';

/** Folds changes: emits what `fold` returns for each, from the first synced one on. `begin` makes the fold of each subscription. */
export function foldChanges<T, R extends object>(
  owner: string,
  begin: () => (change: ResourceChange<T>) => R,
): OperatorFunction<ResourceChange<T>, R> {
  return (source) =>
    defer(() => {
      const fold = begin();
      let synced = false;
      return source.pipe(
        changesOnly(owner),
        map((change) => {
          const content = fold(change);
          synced ||= change.synced;
          return synced ? content : undefined;
        }),
        filter((content) => content !== undefined),
      );
    });
}
