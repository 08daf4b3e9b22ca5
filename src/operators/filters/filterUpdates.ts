import { filter, type MonoTypeOperatorFunction } from 'rxjs';
import type { NoInference } from '../../api/noInference.js';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import type { UpdatePredicate } from './updatePredicates.js';

/**
 * Lets only those updates pass that the predicate finds worth it; everything else always passes.
 *
 * ```text
 * source                        +a  ~a(labels)  ~a(spec)  -a  synced
 * filterUpdates(specChanged)    +a              ~a        -a  synced
 * ```
 *
 * Nothing is remembered: what is compared are the two versions that the update itself carries. A `resync` update passes if the predicate says
 * so, which those of this package do not, since nothing has changed. A predicate that throws ends the observable with that error.
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
export function filterUpdates<T>(predicate: UpdatePredicate<NoInference<T>>): MonoTypeOperatorFunction<ResourceEvent<T>> {
  return filter((event) => event.type !== 'updated' || predicate(event.oldObject, event.object));
}
