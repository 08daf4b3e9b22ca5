import type { MonoTypeOperatorFunction } from 'rxjs';
import type { ResourceChange } from '../../api/events/resourceChange.js';
import { rules } from '../../api/options/rules.js';
import type { ChangeOrEvent, ObjectOf } from '../changes/changeOrEvent.js';
import { expectArgument } from '../../api/options/optionRule.js';
import { mapEvents } from '../changes/mapEvents.js';
import type { UpdatePredicate } from './updatePredicates.js';

/**
 * Emits only those updates for which `predicate(oldObject, object)` is true; everything else always passes.
 *
 * ```text
 * source                        {+a}  {~a(labels)}  {~a(spec)}  {-a}
 * filterUpdates(specChanged)    {+a}                {~a}        {-a}
 * ```
 *
 * - It takes changes or events, and emits the same. A change of which nothing is left is dropped, unless it is a snapshot or a list.
 * - Nothing is remembered: the two versions that an update itself carries are compared. So the parts that the predicate does not look at may be out of
 *   date behind it.
 * - A `resync` update passes if the predicate is true for two equal objects; those of this package are not.
 * - The result fails with what the predicate throws.
 *
 * @throws TypeError when `predicate` is no function.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, filterUpdates, generationChanged, resources } from 'rx-informer';
 *
 * const deployments = createInformer(createClient(), resources.apps.v1.deployments);
 * deployments.resource$.pipe(filterUpdates(generationChanged)).subscribe((event) => console.log(event.type));
 * ```
 *
 * @see controller-runtime: `predicate.Predicate`
 */
export function filterUpdates<T = unknown, V extends ChangeOrEvent<T> = ResourceChange<T>>(
  predicate: UpdatePredicate<T & ObjectOf<V>>,
): MonoTypeOperatorFunction<V> {
  expectArgument('filterUpdates', 'predicate', predicate, rules.function);
  const passes = predicate as UpdatePredicate<unknown>;
  return mapEvents(() => (event) => (event.type !== 'updated' || passes(event.oldObject, event.object) ? event : undefined));
}
