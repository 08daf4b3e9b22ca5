import type { Observable } from 'rxjs';

import {
  anyOf,
  filterUpdates,
  generationChanged,
  partChanged,
  type ResourceEvent,
  specChanged,
  type V1Deployment,
  type V1Service,
} from 'rx-informer';
import { ownerKeys, type SourceValue } from '@rx-informer/controller';
import { type WebSite, websites } from './webSite.js';

const readyReplicasChanged = partChanged((deployment: V1Deployment) => deployment.status?.readyReplicas);

/**
 * The triggers of a site: changes of its spec (not of the status that the operator writes itself), and relevant changes of the deployment
 * and the service that it owns.
 */
export function webSiteSources(
  sites: Observable<ResourceEvent<WebSite>>,
  deployments: Observable<ResourceEvent<V1Deployment>>,
  services: Observable<ResourceEvent<V1Service>>,
): Readonly<Record<string, Observable<SourceValue>>> {
  return {
    sites: sites.pipe(filterUpdates(generationChanged)),
    deployments: deployments.pipe(filterUpdates(anyOf(specChanged, readyReplicasChanged)), ownerKeys(websites)),
    services: services.pipe(filterUpdates(specChanged), ownerKeys(websites)),
  };
}
