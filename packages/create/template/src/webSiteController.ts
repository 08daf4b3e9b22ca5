import { filterUpdates, generationChanged, resources } from 'rx-informer';
import { applyObject, applyStatus, isBeingDeleted, ownerKeys } from '@rx-informer/controller';
import type { Controller } from '@rx-informer/controller/manager';
import { desiredDeployment, desiredService, statusOf } from './desiredState.js';
import { type WebSite, websites } from './webSite.js';

const { deployments } = resources.apps.v1;
const { services } = resources.core.v1;
const fieldManager = 'my-operator';

/**
 * Maintains a deployment and a service for every WebSite, and its status.
 *
 * It decides by the content of the caches, and every step can be repeated: if it throws, the key is processed again later.
 */
export const webSiteController: Controller = ({ informer, client, reconcile, recorder }) => {
  const sites = informer(websites);
  const ownDeployments = informer(deployments);
  const ownServices = informer(services);

  const serve = async (key: string, site: WebSite, signal: AbortSignal): Promise<void> => {
    await applyObject(client, deployments, desiredDeployment(site), { fieldManager, signal });
    await applyObject(client, services, desiredService(site), { fieldManager, signal });
    const status = statusOf(site, ownDeployments.lister.get(key), new Date());
    if (status === site.status) return;
    await applyStatus(client, websites, { ...site, status }, { fieldManager, signal });
    const [ready] = status.conditions ?? [];
    if (ready !== undefined) recorder.record(site, { type: 'Normal', reason: ready.reason, note: ready.message });
  };

  return reconcile({
    sources: {
      // Not changes of the status, which this program writes itself.
      sites: sites.resource$.pipe(filterUpdates(generationChanged)),
      deployments: ownDeployments.resource$.pipe(ownerKeys(websites)),
      services: ownServices.resource$.pipe(ownerKeys(websites)),
    },
    concurrent: 4,
    deadlineMs: 60_000,
    reconcile: async ({ key, signal }) => {
      const site = sites.lister.get(key);
      // The garbage collector deletes the dependents of a deleted site.
      if (site !== undefined && !isBeingDeleted(site)) await serve(key, site, signal);
      return {};
    },
  });
};
