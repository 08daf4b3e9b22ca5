import type { MonoTypeOperatorFunction } from 'rxjs';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { LabelSelectorObject } from '../../api/selectors/labelSelector.js';
import { parseLabelSelector } from '../../api/selectors/parseLabelSelector.js';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import { filterObjects } from './filterObjects.js';

/**
 * Shows only the objects that a label selector selects; one whose labels change is added or deleted accordingly.
 *
 * ```text
 * source                   +a(web)  +b(db)  synced  ~b(web)  ~a(db)  -a  -b
 * withLabels('app=web')    +a               synced  +b       -a          -b
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
export function withLabels<T extends KubernetesObject>(selector: string | LabelSelectorObject): MonoTypeOperatorFunction<ResourceEvent<T>> {
  const parsed = parseLabelSelector(selector);
  return filterObjects(({ metadata }) => parsed.matches(metadata?.labels));
}
