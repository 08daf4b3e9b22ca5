import { defer, filter, map, type OperatorFunction } from 'rxjs';
import type { ResourceChange } from '../../api/events.js';
import { emptySnapshot, type IndexSnapshot, snapshotWith } from '../../cache/snapshotWith.js';
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

/**
 * The objects as an array, in the order of their arrival: one array for each change, from the first one on that is synced.
 *
 * ```text
 * source         {+a +b synced}  {~a}    {-b}
 * toObjects()    [a b]           [a' b]  [a']
 * ```
 *
 * - An array stays as it is: each is a copy, so that a change costs as much as there are objects; where they are many, take `toMap`. A change that alters
 *   nothing emits the same array again.
 * - It takes changes only. The result fails with a TypeError at the first value that is none.
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
