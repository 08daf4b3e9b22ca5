import type { OperatorFunction } from 'rxjs';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import { foldEvents } from './foldEvents.js';

/**
 * The objects as a live array, in the order of their first arrival: a new array after the first `synced` and after every later change.
 *
 * ```text
 * source         +a  +b  synced  ~a      -b
 * toObjects()            [a b]   [a' b]  [a']
 * ```
 *
 * A relist shows as one change. Each array is a copy, so a change costs as much as there are objects.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, filterObjects, resources, toObjects } from 'rx-informer';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * const pending = pods.resource$.pipe(filterObjects((pod) => pod.status?.phase === 'Pending'), toObjects());
 * pending.subscribe((list) => console.log(list.length, 'pods are pending'));
 * ```
 */
export function toObjects<T>(): OperatorFunction<ResourceEvent<T>, readonly T[]> {
  return foldEvents((objects) => [...objects.values()]);
}
