import type { MonoTypeOperatorFunction } from 'rxjs';
import type { ResourceChange } from '../../api/events/resourceChange.js';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import { describeValue } from '../../api/options/optionRule.js';
import type { ChangeOrEvent } from '../changes/changeOrEvent.js';
import { filterObjects } from './filterObjects.js';

/**
 * Shows only the objects that one owner owns, by its uid. It takes changes or events, by the rules of `filterObjects`.
 *
 * ```text
 * source            {+a(web) +b(db)}  {~b(web)}  {~a()}  {-a}  {-b}
 * ownedBy(web)      {+a}              {+b}       {-a}          {-b}
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
export function ownedBy<V extends ChangeOrEvent<KubernetesObject> = ResourceChange<KubernetesObject>>(
  owner: KubernetesObject,
): MonoTypeOperatorFunction<V> {
  const metadata = (owner as KubernetesObject | undefined)?.metadata;
  const uid = metadata?.uid;
  if (uid === undefined)
    throw new TypeError(
      `Expected \`owner\` to have a \`metadata.uid\`, got ${metadata?.name === undefined ? describeValue(owner) : JSON.stringify(metadata.name)} without one`,
    );
  return filterObjects<KubernetesObject, V>(
    (object) => object.metadata?.ownerReferences?.some((reference) => reference.uid === uid) ?? false,
  );
}
