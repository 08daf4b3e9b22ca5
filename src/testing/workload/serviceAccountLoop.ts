import { filter, finalize, type Observable, type SchedulerLike } from 'rxjs';
import type { V1ConfigMap } from '../../api/kubernetes/coreV1.js';
import { resources } from '../../api/resources.js';
import type { KubeClient } from '../../client/kubeClient.js';
import { createInformer } from '../../informer/createInformer.js';
import type { SharedInformer } from '../../informer/sharedInformer.js';
import type { Outcome } from '../../controller/reconcile/outcome.js';
import { mappedKeys } from '../../controller/reconcile/mappedKeys.js';
import { reconcile } from '../../controller/reconcile/reconcile.js';
import { tolerate } from './dependents.js';
import type { WorkloadContext } from './workloadContext.js';

const name = 'default';

/** Simulates the service account controller: every namespace has an account `default`. */
export function serviceAccountLoop({ client, namespaces, serviceAccounts, scheduler }: WorkloadContext): Observable<Outcome> {
  return reconcile({
    sources: {
      namespaces: namespaces.resource$.pipe(filter((event) => event.type !== 'deleted')),
      serviceAccounts: serviceAccounts.resource$.pipe(
        filter((event) => event.type === 'deleted'),
        mappedKeys(({ metadata }) => [metadata?.namespace ?? '']),
      ),
    },
    caches: [namespaces, serviceAccounts],
    scheduler,
    reconcile: async ({ key: namespace }) => {
      const found = namespaces.indexer.getByKey(namespace);
      if (found === undefined || found.metadata?.deletionTimestamp !== undefined) return;
      if (serviceAccounts.indexer.getByKey(`${namespace}/${name}`) !== undefined) return;
      await tolerate(client.create(resources.core.v1.serviceaccounts, { metadata: { name, namespace } }));
    },
  });
}

const rootCertificates = 'kube-root-ca.crt';

/**
 * Simulates the publisher of root certificates: every namespace has a config map `kube-root-ca.crt`, which is restored when it is deleted or changed.
 *
 * @param certificate - as PEM; empty if the server has none.
 */
export function rootCertificateLoop({ client, namespaces, scheduler }: WorkloadContext, certificate: string): Observable<Outcome> {
  const { configmaps } = resources.core.v1;
  const data = { 'ca.crt': certificate };
  const published = createObjectsNamed(client, rootCertificates, scheduler);
  return reconcile({
    sources: {
      namespaces: namespaces.resource$.pipe(filter((event) => event.type !== 'deleted')),
      configMaps: published.resource$.pipe(mappedKeys(({ metadata }) => [metadata?.namespace ?? ''])),
    },
    caches: [namespaces, published],
    scheduler,
    reconcile: async ({ key: namespace }) => {
      const found = namespaces.indexer.getByKey(namespace);
      if (found === undefined || found.metadata?.deletionTimestamp !== undefined) return;
      const known = published.indexer.getByKey(`${namespace}/${rootCertificates}`);
      if (known === undefined) await tolerate(client.create(configmaps, { metadata: { name: rootCertificates, namespace }, data }));
      else if (known.data?.['ca.crt'] !== certificate)
        await tolerate(client.patch(configmaps, rootCertificates, 'merge', { data }, { namespace }));
    },
  }).pipe(finalize(() => void published.stop()));
}

/** An informer of all config maps with this name. */
function createObjectsNamed(client: KubeClient, called: string, scheduler: SchedulerLike): SharedInformer<V1ConfigMap> {
  return createInformer(client, resources.core.v1.configmaps, { fieldSelector: `metadata.name=${called}`, scheduler });
}
