import type { MonoTypeOperatorFunction } from 'rxjs';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import { filterObjects } from './filterObjects.js';

/**
 * Shows only the objects that one owner owns, by its uid.
 *
 * ```text
 * source            +a(web)  +b(db)  synced  ~b(web)  ~a()  -a  -b
 * ownedBy(web)      +a               synced  +b       -a        -b
 * ```
 *
 * @throws TypeError when the owner has no uid: it must come from the server.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, ownedBy, resources } from 'rx-informer';
 *
 * const client = createClient();
 * const deployment = await client.get(resources.apps.v1.deployments, 'web', { namespace: 'default' });
 * const replicaSets = createInformer(client, resources.apps.v1.replicasets);
 * replicaSets.resource$.pipe(ownedBy(deployment)).subscribe((event) => console.log(event.type));
 * ```
 */
export function ownedBy<T extends KubernetesObject>(owner: KubernetesObject): MonoTypeOperatorFunction<ResourceEvent<T>> {
  const uid = owner.metadata?.uid;
  if (uid === undefined)
    throw new TypeError(`Expected \`owner\` to have a \`metadata.uid\`, got ${JSON.stringify(owner.metadata?.name)} without one`);
  return filterObjects(({ metadata }) => metadata?.ownerReferences?.some((reference) => reference.uid === uid) ?? false);
}
