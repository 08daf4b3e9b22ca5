import { filter, type Observable } from 'rxjs';
import { resources } from 'rx-informer';
import { mappedKeys, type Outcome } from '@rx-informer/controller';
import { loopOver, rootCertificates, tolerate, type WorkloadContext } from './workloadContext.js';

const name = 'default';

/** Simulates the service account controller: every namespace has an account `default`. */
export function serviceAccountLoop({ client, namespaces, serviceAccounts, scheduler }: WorkloadContext): Observable<Outcome> {
  const sources = {
    namespaces,
    serviceAccounts: serviceAccounts.resource$.pipe(
      filter((event) => event.type === 'deleted'),
      mappedKeys(({ metadata }) => [metadata?.namespace ?? '']),
    ),
  };
  return loopOver(namespaces, { sources, caches: [serviceAccounts], scheduler }, async (_, namespace) => {
    if (serviceAccounts.indexer.getByKey(`${namespace}/${name}`) === undefined)
      await tolerate(client.create(resources.core.v1.serviceaccounts, { metadata: { name, namespace } }));
  });
}

/**
 * Simulates the publisher of root certificates: every namespace has a config map `kube-root-ca.crt`, which is restored when it is deleted or changed.
 *
 * @param certificate - as PEM; empty if the server has none.
 */
export function rootCertificateLoop(context: WorkloadContext, certificate: string): Observable<Outcome> {
  const { client, namespaces, rootCertificates: published, scheduler } = context;
  const { configmaps } = resources.core.v1;
  const data = { 'ca.crt': certificate };
  const sources = { namespaces, configMaps: published.resource$.pipe(mappedKeys(({ metadata }) => [metadata?.namespace ?? ''])) };
  return loopOver(namespaces, { sources, caches: [published], scheduler }, async (_, namespace) => {
    const known = published.indexer.getByKey(`${namespace}/${rootCertificates}`);
    if (known === undefined) await tolerate(client.create(configmaps, { metadata: { name: rootCertificates, namespace }, data }));
    else if (known.data?.['ca.crt'] !== certificate)
      await tolerate(client.patch(configmaps, rootCertificates, 'merge', { data }, { namespace }));
  });
}
