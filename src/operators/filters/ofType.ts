import { filter, type OperatorFunction } from 'rxjs';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';

/**
 * Lets only events of these types pass, and narrows their type.
 *
 * ```text
 * source              +a  +b  synced  ~a  -b
 * ofType('deleted')                       -b
 * ```
 *
 * What comes out is no longer a complete account of the objects: boundaries pass only if `'synced'` is named.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, ofType, resources } from 'rx-informer';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * pods.resource$.pipe(ofType('deleted')).subscribe(({ object }) => console.log('gone:', object.metadata?.name));
 * ```
 */
export function ofType<T, K extends ResourceEvent<T>['type']>(
  ...types: readonly K[]
): OperatorFunction<ResourceEvent<T>, Extract<ResourceEvent<T>, { readonly type: K }>> {
  const wanted: ReadonlySet<string> = new Set(types);
  return filter((event): event is Extract<ResourceEvent<T>, { readonly type: K }> => wanted.has(event.type));
}
