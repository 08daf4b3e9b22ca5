import { resources } from 'rx-informer';
import { applyStatus, isBeingDeleted } from '@rx-informer/controller';
import type { Controller } from '@rx-informer/controller/manager';
import { desiredChildren, statusOf } from './desiredState.js';
import { websites } from './webSite.js';

const { deployments } = resources.apps.v1;
const { services } = resources.core.v1;

/** Maintains what every WebSite needs, and its status. It decides by the content of the caches; if it throws, the key is processed again later. */
export const webSiteController: Controller = ({ name, informer, client, children, reconcile, recorder }) => {
  const sites = informer(websites);
  const ownDeployments = informer(deployments);
  return reconcile({
    for: websites,
    owns: [deployments, services],
    concurrent: 4,
    deadlineMs: 60_000,
    reconcile: async ({ key, signal }) => {
      const site = sites.lister.get(key);
      // The garbage collector deletes the children of a deleted site.
      if (site === undefined || isBeingDeleted(site)) return;
      await children(site, desiredChildren(site), { signal });
      const status = statusOf(site, ownDeployments.lister.get(key), new Date());
      if (status === site.status) return;
      await applyStatus(client, websites, { ...site, status }, { fieldManager: name, signal });
      const [ready] = status.conditions ?? [];
      if (ready !== undefined) recorder.record(site, { type: 'Normal', reason: ready.reason, note: ready.message });
    },
  });
};
