import type { MonoTypeOperatorFunction } from 'rxjs';
import type { ResourceChange } from '../../api/events/resourceChange.js';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { LabelMap, LabelSelectorObject } from '../../api/selectors/labelSelector.js';
import { parseLabelSelector } from '../../api/selectors/parseLabelSelector.js';
import type { ChangeOrEvent } from '../changes/changeOrEvent.js';
import { filterObjects } from './filterObjects.js';

/**
 * Shows only the objects that a label selector selects; one whose labels change is added or deleted accordingly. It takes changes or events, by the rules
 * of `filterObjects`.
 *
 * ```text
 * source                   {+a(web) +b(db)}  {~b(web)}  {~a(db)}  {-a}  {-b}
 * withLabels('app=web')    {+a}              {+b}       {-a}            {-b}
 * ```
 *
 * @throws TypeError when the selector cannot be parsed.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources, withLabels } from 'rx-informer';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * pods.resource$.pipe(withLabels('app=web,tier!=cache')).subscribe((event) => console.log(event.type));
 * ```
 */
export function withLabels<V extends ChangeOrEvent<KubernetesObject> = ResourceChange<KubernetesObject>>(
  selector: string | LabelSelectorObject | LabelMap,
): MonoTypeOperatorFunction<V> {
  const parsed = parseLabelSelector(selector);
  return filterObjects<KubernetesObject, V>(({ metadata }) => parsed.matches(metadata?.labels));
}
