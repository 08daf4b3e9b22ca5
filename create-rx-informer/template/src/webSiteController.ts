import { filterUpdates, generationChanged, resources } from 'rx-informer';
import { applyObject, applyStatus, isBeingDeleted, ownerKeys } from 'rx-informer/controller';
import type { Controller } from 'rx-informer/manager';
import { desiredDeployment, desiredService, statusOf } from './desiredState.js';
import { type WebSite, websites } from './webSite.js';

const { deployments } = resources.apps.v1;
const { services } = resources.core.v1;
const fieldManager = 'my-operator';

/**
 * Keeps a deployment and a service for every WebSite, and its status.
 *
 * It decides by what is in the caches, and every step of it may be repeated: a failure is thrown, and the same key comes again later.
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
      // Not the status, which this program writes itself.
      sites: sites.resource$.pipe(filterUpdates(generationChanged)),
      deployments: ownDeployments.resource$.pipe(ownerKeys(websites)),
      services: ownServices.resource$.pipe(ownerKeys(websites)),
    },
    concurrent: 4,
    deadlineMs: 60_000,
    reconcile: async ({ key, signal }) => {
      const site = sites.lister.get(key);
      // What a deleted site owned, the garbage collector takes away.
      if (site !== undefined && !isBeingDeleted(site)) await serve(key, site, signal);
      return {};
    },
  });
};
