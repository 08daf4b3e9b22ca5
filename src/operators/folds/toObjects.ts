import type { OperatorFunction } from 'rxjs';
import type { ResourceChange } from '../../api/events/resourceChange.js';
import { foldChanges } from './foldChanges.js';

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
