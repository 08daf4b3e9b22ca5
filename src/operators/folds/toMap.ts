import { defer, filter, map, type OperatorFunction } from 'rxjs';
import type { ResourceChange } from '../../api/events.js';
import { emptySnapshot, type IndexSnapshot, snapshotWith } from '../../cache/snapshotWith.js';
import { changesOnly } from '../changes/changeOrEvent.js';

/** Folds changes: emits the result of `fold` for each, beginning with the first synced one. `begin` makes the fold for each subscription. */
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

/**
 * Emits the objects by key: one map for each change, beginning with the first synced one.
 *
 * ```text
 * source     {+a +b synced}  {~a}    {-b}
 * toMap()    {a b}           {a' b}  {a'}
 * ```
 *
 * - A map is immutable and shares everything unchanged with the maps before and after it, so that the cost of a change does not depend on the number of
 *   objects. It is a `ReadonlyMap`, not a `Map`; its order is not guaranteed. A change that alters nothing emits the same map again.
 * - It takes changes only. The result fails with a TypeError at the first value that is not a change.
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

/**
 * Emits the objects as an array, in order of arrival: one array for each change, beginning with the first synced one.
 *
 * ```text
 * source         {+a +b synced}  {~a}    {-b}
 * toObjects()    [a b]           [a' b]  [a']
 * ```
 *
 * - Each array is an immutable copy, so the cost of a change is proportional to the number of objects; use `toMap` for many. A change that alters
 *   nothing emits the same array again.
 * - It takes changes only. The result fails with a TypeError at the first value that is not a change.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, filterObjects, resources, toObjects } from 'rx-informer';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * const pending = pods.change$.pipe(filterObjects((pod) => pod.status?.phase === 'Pending'), toObjects());
 * pending.subscribe((list) => console.log(list.length, 'pods are pending'));
 * ```
 */
export function toObjects<T>(): OperatorFunction<ResourceChange<T>, readonly T[]> {
  return foldChanges('toObjects', () => {
    const objects = new Map<string, T>();
    let array: readonly T[] = [];
    return ({ events }) => {
      let differs = false;
      for (const event of events) {
        if (event.type === 'deleted') differs = objects.delete(event.key) || differs;
        else if (objects.get(event.key) !== event.object) {
          objects.set(event.key, event.object);
          differs = true;
        }
      }
      if (differs) array = [...objects.values()];
      return array;
    };
  });
}
