import { tap } from 'rxjs';

import { applyStatus, ensureFinalizer, hasFinalizer, isBeingDeleted, type Outcome, removeFinalizer } from '@rx-informer/controller';
import { type Edited, resources } from 'rx-informer';
import type { Controller } from '@rx-informer/controller/manager';
import { desiredChildren, statusOf } from './desiredState.js';
import { type WebSite, websites } from './webSite.js';

/** A system outside of the cluster, which must learn of sites and of their deletion. Both calls are safe to repeat. */
export interface NameServer {
  register(host: string): Promise<void>;
  unregister(host: string): Promise<void>;
}

export interface WebSiteControllerOptions {
  readonly nameServer: NameServer;
  /** Called with every outcome. */
  readonly tell: (outcome: Outcome) => void;
}

const { deployments } = resources.apps.v1;
const { services } = resources.core.v1;
const finalizer = 'example.com/name';

/** Serves every WebSite: a deployment and a service for each, its host registered with the name server as long as it exists, and its status. */
export function webSiteController({ nameServer, tell }: WebSiteControllerOptions): Controller {
  return ({ name: fieldManager, informer, client, children, reconcile, recorder }) => {
    const [sites, ownDeployments] = [informer(websites), informer(deployments)];
    const patchIfChanged = async ({ metadata }: WebSite, { patch }: Edited<WebSite>): Promise<void> => {
      const { name = '', namespace = '' } = metadata ?? {};
      if (patch.length > 0) await client.patch(websites, name, 'json', patch, { namespace });
    };

    const serve = async (key: string, site: WebSite): Promise<void> => {
      await patchIfChanged(site, ensureFinalizer(site, finalizer));
      // Only after the finalizer is set: from now on the deletion of the site waits until the name is unregistered.
      await nameServer.register(site.spec.host);
      await children(site, desiredChildren(site));
      const status = statusOf(site, ownDeployments.lister.get(key), new Date());
      if (status === site.status) return;
      await applyStatus(client, websites, { ...site, status }, { fieldManager });
      const [ready] = status.conditions ?? [];
      if (ready !== undefined) recorder.record(site, { type: 'Normal', reason: ready.reason, note: ready.message });
    };
    const clear = async (site: WebSite): Promise<void> => {
      if (!hasFinalizer(site, finalizer)) return;
      await nameServer.unregister(site.spec.host);
      await patchIfChanged(site, removeFinalizer(site, finalizer));
    };

    return reconcile({
      for: websites,
      owns: [deployments, services],
      concurrent: 4,
      deadlineMs: 60_000,
      reconcile: async ({ key }) => {
        const site = sites.lister.get(key);
        // The garbage collector deletes the children of a deleted site.
        if (site !== undefined) await (isBeingDeleted(site) ? clear(site) : serve(key, site));
      },
    }).pipe(tap(tell));
  };
}
