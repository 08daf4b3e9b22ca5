import { filter, type Observable } from 'rxjs';
import { resources } from '../../api/resources.js';
import type { Outcome } from '../../controller/reconcile/outcome.js';
import { mappedKeys } from '../../controller/reconcile/mappedKeys.js';
import { reconcile } from '../../controller/reconcile/reconcile.js';
import { tolerate } from './dependents.js';
import type { WorkloadContext } from './workloadContext.js';

const name = 'default';

/** Stands in for the controller of service accounts: every namespace has one called `default`. */
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
