import { filter, groupBy, type GroupedObservable, type OperatorFunction } from 'rxjs';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';

/**
 * An event that concerns one object.
 */
export type ObjectEvent<T> = Exclude<ResourceEvent<T>, { readonly type: 'synced' }>;

/**
 * One inner observable for the life of each object: it completes with the `deleted`, and what is created under the same name later gets another.
 *
 * ```text
 * source        +a  +b  synced  ~a  -a  +a
 * groupByKey()  a   b                   a
 *         a     +a              ~a  -a|
 *           b       +b
 *                       a (again)       +a
 * ```
 *
 * No group outlives its object. Boundaries belong to no object and are left out.
 *
 * @example
 * ```ts
 * import { mergeMap, takeLast } from 'rxjs';
 * import { createClient, createInformer, groupByKey, resources } from 'rx-informer';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * const lastWords = pods.resource$.pipe(groupByKey(), mergeMap((pod) => pod.pipe(takeLast(1))));
 * lastWords.subscribe((event) => console.log(event.key));
 * ```
 */
export function groupByKey<T>(): OperatorFunction<ResourceEvent<T>, GroupedObservable<string, ObjectEvent<T>>> {
  return (source) =>
    source.pipe(
      filter((event): event is ObjectEvent<T> => event.type !== 'synced'),
      groupBy((event) => event.key, { duration: (group) => group.pipe(filter((event) => event.type === 'deleted')) }),
    );
}
