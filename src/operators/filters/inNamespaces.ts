import type { MonoTypeOperatorFunction } from 'rxjs';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import { filterObjects } from './filterObjects.js';

/**
 * Shows only the objects of these namespaces.
 *
 * ```text
 * source                  +shop/a  +test/b  synced  ~test/b  ~shop/a  -test/b  -shop/a
 * inNamespaces('shop')    +shop/a           synced           ~shop/a           -shop/a
 * ```
 *
 * Without a namespace, it shows none of the namespaced objects. For namespaces that change, give `filterObjects` an Observable.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, inNamespaces, resources } from 'rx-informer';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * pods.resource$.pipe(inNamespaces('shop', 'billing')).subscribe((event) => console.log(event.type));
 * ```
 */
export function inNamespaces<T extends KubernetesObject>(...namespaces: readonly string[]): MonoTypeOperatorFunction<ResourceEvent<T>> {
  const wanted = new Set(namespaces);
  return filterObjects(({ metadata }) => wanted.has(metadata?.namespace ?? ''));
}
