import type { MonoTypeOperatorFunction } from 'rxjs';
import type { ResourceChange } from '../../api/events/resourceChange.js';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import { rules } from '../../api/options/rules.js';
import type { ChangeOrEvent } from '../changes/changeOrEvent.js';
import { expectArgument } from '../../api/options/optionRule.js';
import { filterObjects } from './filterObjects.js';

/**
 * Shows only the objects of these namespaces. It takes changes or events, by the rules of `filterObjects`.
 *
 * ```text
 * source                  {+shop/a +test/b}  {~test/b}  {~shop/a}  {-test/b}  {-shop/a}
 * inNamespaces('shop')    {+shop/a}                     {~shop/a}             {-shop/a}
 * ```
 *
 * Without a namespace, it shows none of the namespaced objects. For namespaces that change, give `filterObjects` an Observable.
 *
 * @throws TypeError when a namespace is no string.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, inNamespaces, resources, toMap } from 'rx-informer';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * pods.change$.pipe(inNamespaces('shop', 'billing'), toMap()).subscribe((byKey) => console.log(byKey.size));
 * ```
 */
export function inNamespaces<V extends ChangeOrEvent<KubernetesObject> = ResourceChange<KubernetesObject>>(
  ...namespaces: readonly string[]
): MonoTypeOperatorFunction<V> {
  for (const namespace of namespaces) expectArgument('inNamespaces', 'namespaces', namespace, rules.string);
  const wanted = new Set(namespaces);
  return filterObjects<KubernetesObject, V>(({ metadata }) => wanted.has(metadata?.namespace ?? ''));
}
