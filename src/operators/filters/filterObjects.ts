import { isObservable, type MonoTypeOperatorFunction, type Observable } from 'rxjs';
import type { ResourceChange } from '../../api/events/resourceChange.js';
import { rules } from '../../api/options/rules.js';
import { createCrossingFilter } from '../../delta/share/crossingFilter.js';
import type { ChangeOrEvent, ObjectOf } from '../changes/changeOrEvent.js';
import { expectArgument } from '../../api/options/expectArgument.js';
import { type EventMapper, mapEvents } from '../changes/mapEvents.js';
import { refilterObjects } from './refilterObjects.js';

/**
 * A predicate of an object alone.
 */
export type ObjectPredicate<T> = (object: T) => boolean;

/**
 * Shows only the objects that pass, as if there were no others: an object that begins to pass is `added`, one that ceases to pass is `deleted`.
 *
 * ```text
 * source                        {+a(on) +b(off)}  {~b(on)}  {~a(off)}  {-a}  {-b}
 * filterObjects(o => o.on)      {+a}              {+b}      {-a}             {-b}
 * ```
 *
 * - It takes changes or events, and emits the same. A change of which nothing is left is dropped, unless it is a snapshot or a list.
 * - A `deleted` that follows from an update carries the last object that passed.
 * - Given an Observable of predicates, nothing is emitted before the first one, which brings a snapshot. Each later one is a change of its own, with
 *   the cause `'view'`; of events, it emits the differences with `inferred: true`, then `synced`. Completion of the predicates changes nothing.
 * - The result fails with what a predicate throws, and with an error of the predicates.
 *
 * @throws TypeError when `predicate` is neither a function nor an Observable.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, filterObjects, resources, toObjects } from 'rx-informer';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * const pending = pods.change$.pipe(filterObjects((pod) => pod.status?.phase === 'Pending'), toObjects());
 * pending.subscribe((list) => console.log(list.length, 'pods are pending'));
 * ```
 *
 * @see client-go: `FilteringResourceEventHandler`
 */
export function filterObjects<T = unknown, V extends ChangeOrEvent<T> = ResourceChange<T>>(
  predicate: ObjectPredicate<T & ObjectOf<V>> | Observable<ObjectPredicate<T & ObjectOf<V>>>,
): MonoTypeOperatorFunction<V> {
  if (isObservable(predicate)) return refilterObjects(predicate as Observable<ObjectPredicate<unknown>>);
  expectArgument('filterObjects', 'predicate', predicate, rules.either(rules.function, rules.observable));
  return mapEvents(() => createCrossingFilter(predicate as ObjectPredicate<unknown>) as EventMapper<unknown>);
}
