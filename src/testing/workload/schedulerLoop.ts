import type { Observable } from 'rxjs';
import { resources } from '../../api/resources.js';
import type { Outcome } from '../../controller/reconcile/outcome.js';
import { mappedKeys } from '../../controller/reconcile/mappedKeys.js';
import { reconcile } from '../../controller/reconcile/reconcile.js';
import { tolerate } from './dependents.js';
import { isActive } from './podState.js';
import { recordEvent } from './recordEvent.js';
import type { WorkloadContext } from './workloadContext.js';

/** The index of pods by the node they are on; `''` for those that wait for one. */
export const nodeIndex = 'node';

/** The node with the fewest active pods, the first by name among equals. */
function leastLoaded({ nodes, pods }: WorkloadContext): string | undefined {
  const names = nodes.indexer.listKeys().sort();
  const loads = new Map(names.map((name) => [name, pods.indexer.byIndex(nodeIndex, name).filter(isActive).length]));
  return names.reduce<string | undefined>(
    (best, name) => (best !== undefined && (loads.get(best) ?? 0) <= (loads.get(name) ?? 0) ? best : name),
    undefined,
  );
}

/** Stands in for the scheduler: gives every pod that has no node the one with the fewest pods. Pods wait while there is no node. */
export function schedulerLoop(context: WorkloadContext): Observable<Outcome> {
  const { client, pods, nodes, scheduler } = context;
  return reconcile({
    sources: {
      pods: pods.resource$,
      nodes: nodes.resource$.pipe(mappedKeys(() => pods.indexer.indexKeys(nodeIndex, ''))),
    },
    caches: [pods, nodes],
    scheduler,
    reconcile: async ({ key }) => {
      const pod = pods.indexer.getByKey(key);
      const nodeName = leastLoaded(context);
      if (pod === undefined || !isActive(pod) || pod.spec?.nodeName !== undefined) return;
      const event = { component: 'default-scheduler', reason: 'FailedScheduling', message: 'no nodes available to schedule pods' };
      if (nodeName === undefined) {
        await recordEvent(context, resources.core.v1.pods, pod, { ...event, type: 'Warning' });
        return;
      }
      const { name = '', namespace = '' } = pod.metadata ?? {};
      // A pod is placed once: if the cache does not show it yet, the second binding is refused.
      const binding = { metadata: { name, namespace }, target: { apiVersion: 'v1', kind: 'Node', name: nodeName } };
      const message = `Successfully assigned ${namespace}/${name} to ${nodeName}`;
      if (await tolerate(client.create(resources.core.v1.bindings, binding)))
        await recordEvent(context, resources.core.v1.pods, pod, { ...event, reason: 'Scheduled', message });
    },
  });
}
