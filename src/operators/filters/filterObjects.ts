import { defer, filter, isObservable, map, type MonoTypeOperatorFunction, type Observable } from 'rxjs';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import { createCrossingFilter } from '../../delta/share/crossingFilter.js';
import { refilterObjects } from './refilterObjects.js';

/**
 * Decides by an object alone.
 */
export type ObjectPredicate<T> = (object: T) => boolean;

/**
 * Shows only the objects that pass, as if there were no others: an object that begins to pass is `added`, one that ceases to pass is `deleted`.
 *
 * ```text
 * source                          +a(on)  +b(off)  synced  ~b(on)  ~a(off)  -a  -b
 * filterObjects(o => o.on)        +a               synced  +b      -a           -b
 * ```
 *
 * - A `deleted` that follows from an update carries the last object that passed. Boundaries always pass.
 * - Given an Observable of predicates, nothing is told before the first one; each later one tells the difference that it makes, with
 *   `inferred: true`, and then `synced`. Its completion changes nothing, its error ends the result.
 * - A predicate that throws ends the result with that error.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, filterObjects, resources } from 'rx-informer';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * const pending = pods.resource$.pipe(filterObjects((pod) => pod.status?.phase === 'Pending'));
 * pending.subscribe((event) => console.log(event.type));
 * ```
 *
 * @see client-go: `FilteringResourceEventHandler`
 */
export function filterObjects<T>(
  predicate: ObjectPredicate<T> | Observable<ObjectPredicate<T>>,
): MonoTypeOperatorFunction<ResourceEvent<T>> {
  if (isObservable(predicate)) return refilterObjects(predicate);
  return (source) =>
    defer(() =>
      source.pipe(
        map(createCrossingFilter(predicate)),
        filter((event) => event !== undefined),
      ),
    );
}
