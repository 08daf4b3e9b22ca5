import type { MonoTypeOperatorFunction } from 'rxjs';
import type { KubernetesObject } from '../api/kubernetesObject.js';
import type { ResourceEvent } from '../api/resourceEvent.js';
import { filterObjects } from './filterObjects.js';

/**
 * Shows only the objects of these namespaces.
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
