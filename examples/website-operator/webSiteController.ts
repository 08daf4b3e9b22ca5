import { tap } from 'rxjs';

import {
  applyObject,
  applyStatus,
  ensureFinalizer,
  hasFinalizer,
  isBeingDeleted,
  type Outcome,
  removeFinalizer,
} from '@rx-informer/controller';
import { type Edited, type KubeClient, resources } from 'rx-informer';
import type { Controller } from '@rx-informer/controller/manager';
import { desiredDeployment, desiredService, statusOf } from './desiredState.js';
import { type WebSite, websites } from './webSite.js';
import { webSiteSources } from './webSiteSources.js';

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

const finalizer = 'example.com/name';
const fieldManager = 'website-operator';

async function patchIfChanged(client: KubeClient, site: WebSite, change: Edited<WebSite>): Promise<void> {
  const { name = '', namespace = '' } = site.metadata ?? {};
  if (change.patch.length > 0) await client.patch(websites, name, 'json', change.patch, { namespace });
}

/**
 * Serves every WebSite: maintains a deployment and a service for each, registers its host with the name server as long as it exists, and
 * updates its status.
 *
 * Requests its informers at once, so that the caches of a standby are warm. The client is bound to the leadership.
 */
export function webSiteController({ nameServer, tell }: WebSiteControllerOptions): Controller {
  return ({ informer, client, reconcile, recorder }) => {
    const sites = informer(websites);
    const deployments = informer(resources.apps.v1.deployments);
    const services = informer(resources.core.v1.services);

    const serve = async (key: string, site: WebSite): Promise<void> => {
      await patchIfChanged(client, site, ensureFinalizer(site, finalizer));
      // Only after the finalizer is set: from now on the deletion of the site waits until the name is unregistered.
      await nameServer.register(site.spec.host);
      const deployment = deployments.lister.get(key);
      const applied = { fieldManager, owner: site };
      await applyObject(client, resources.apps.v1.deployments, desiredDeployment(site), { ...applied, current: deployment });
      await applyObject(client, resources.core.v1.services, desiredService(site), { ...applied, current: services.lister.get(key) });
      const status = statusOf(site, deployment, new Date());
      if (status === site.status) return;
      await applyStatus(client, websites, { ...site, status }, { fieldManager });
      const [ready] = status.conditions ?? [];
      if (ready !== undefined) recorder.record(site, { type: 'Normal', reason: ready.reason, note: ready.message });
    };
    const clear = async (site: WebSite): Promise<void> => {
      if (!hasFinalizer(site, finalizer)) return;
      await nameServer.unregister(site.spec.host);
      await patchIfChanged(client, site, removeFinalizer(site, finalizer));
    };

    return reconcile({
      sources: webSiteSources(sites.resource$, deployments.resource$, services.resource$),
      concurrent: 4,
      deadlineMs: 60_000,
      reconcile: async ({ key }) => {
        const site = sites.lister.get(key);
        // The garbage collector deletes the dependents of a deleted site.
        if (site !== undefined) await (isBeingDeleted(site) ? clear(site) : serve(key, site));
      },
    }).pipe(tap(tell));
  };
}
