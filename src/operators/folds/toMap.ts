import type { OperatorFunction } from 'rxjs';
import type { ResourceChange } from '../../api/events/resourceChange.js';
import type { IndexSnapshot } from '../../cache/snapshot/indexSnapshot.js';
import { emptySnapshot, snapshotWith } from '../../cache/snapshot/snapshotWith.js';
import { foldChanges } from './foldChanges.js';

/**
 * The objects by key: one map for each change, from the first one on that is synced.
 *
 * ```text
 * source     {+a +b synced}  {~a}    {-b}
 * toMap()    {a b}           {a' b}  {a'}
 * ```
 *
 * - A map stays as it is; it shares everything unchanged with the maps before and after it, so that a change costs the same however many objects
 *   there are. It is a `ReadonlyMap`, but no `Map`, and its order is not promised. A change that alters nothing emits the same map again.
 * - It takes changes only. The result fails with a TypeError at the first value that is none.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources, toMap } from 'rx-informer';
 *
 * const nodes = createInformer(createClient(), resources.core.v1.nodes);
 * nodes.change$.pipe(toMap()).subscribe((byKey) => console.log(byKey.size));
 * ```
 */
export function toMap<T>(): OperatorFunction<ResourceChange<T>, ReadonlyMap<string, T>> {
  return foldChanges('toMap', () => {
    let snapshot = emptySnapshot<T>();
    return ({ events }) => {
      const changes = events.map((event) => [event.key, event.type === 'deleted' ? undefined : event.object] as const);
      snapshot = snapshotWith(snapshot, changes, '');
      return snapshot as IndexSnapshot<T> & ReadonlyMap<string, T>;
    };
  });
}
