import type { Observable } from 'rxjs';
import type { V1Pod } from '../../api/kubernetes/coreV1.js';
import type { V1ReplicaSet } from '../../api/kubernetes/appsV1.js';
import { resources } from '../../api/resources.js';
import type { Outcome } from '../../controller/reconcile/outcome.js';
import { ownerKeys } from '../../controller/owners/ownerKeys.js';
import { ownerReferenceOf } from '../../controller/owners/ownerReferences.js';
import { reconcile } from '../../controller/reconcile/reconcile.js';
import { filterUpdates, generationChanged } from '../../operators/filters/filterUpdates.js';
import { shortHash } from './chance.js';
import { dependentsOf, tolerate } from './dependents.js';
import { isActive, isServing } from './podState.js';
import { recordEvent } from './recordEvent.js';
import type { WorkloadContext } from './workloadContext.js';

/** A name belongs to a place, so that creating a pod again that the cache does not show yet does no harm. */
function podName({ metadata }: V1ReplicaSet, place: number): string {
  return `${metadata?.name ?? ''}-${shortHash(`${metadata?.uid ?? ''}/${String(place)}`, 5)}`;
}

function podOf(set: V1ReplicaSet, name: string): V1Pod {
  const template = set.spec?.template;
  return {
    metadata: {
      ...template?.metadata,
      name,
      namespace: set.metadata?.namespace ?? '',
      ownerReferences: [ownerReferenceOf(set, { controller: true })],
    },
    ...(template?.spec !== undefined && { spec: template.spec }),
  };
}

/** The pods to do without: those that do not serve before those that do, the younger before the older. */
function surplus(active: readonly V1Pod[], count: number): V1Pod[] {
  const born = ({ metadata }: V1Pod): string => metadata?.creationTimestamp ?? '';
  const ranked = [...active].sort((a, b) => Number(isServing(a)) - Number(isServing(b)) || born(b).localeCompare(born(a)));
  return ranked.slice(0, Math.max(0, count));
}

async function scalePods(context: WorkloadContext, set: V1ReplicaSet, pods: readonly V1Pod[]): Promise<void> {
  const { client } = context;
  const namespace = set.metadata?.namespace ?? '';
  const report = (reason: string, message: string): Promise<void> =>
    recordEvent(context, resources.apps.v1.replicasets, set, { component: 'replicaset-controller', reason, message });
  const active = pods.filter(isActive);
  const wanted = set.spec?.replicas ?? 1;
  const taken = new Set(pods.map(({ metadata }) => metadata?.name));
  for (let place = 0, missing = wanted - active.length; missing > 0; place += 1) {
    const name = podName(set, place);
    if (taken.has(name)) continue;
    if (await tolerate(client.create(resources.core.v1.pods, podOf(set, name)))) await report('SuccessfulCreate', `Created pod: ${name}`);
    missing -= 1;
  }
  for (const { metadata } of surplus(active, active.length - wanted)) {
    const name = metadata?.name ?? '';
    if (await tolerate(client.delete(resources.core.v1.pods, name, { namespace })))
      await report('SuccessfulDelete', `Deleted pod: ${name}`);
  }
}

async function reportStatus({ client }: WorkloadContext, set: V1ReplicaSet, pods: readonly V1Pod[]): Promise<void> {
  const active = pods.filter(isActive);
  const ready = active.filter(isServing).length;
  const status = {
    replicas: active.length,
    fullyLabeledReplicas: active.length,
    readyReplicas: ready,
    availableReplicas: ready,
    observedGeneration: set.metadata?.generation ?? 0,
  };
  const { name = '', namespace = '' } = set.metadata ?? {};
  await tolerate(client.status.patch(resources.apps.v1.replicasets, name, 'merge', { status }, { namespace }));
}

/** Stands in for the replica set controller: keeps as many pods as a ReplicaSet wants, and counts them in its status. */
export function replicaSetLoop(context: WorkloadContext): Observable<Outcome> {
  const { replicaSets, pods, scheduler } = context;
  return reconcile({
    sources: {
      replicaSets: replicaSets.resource$.pipe(filterUpdates(generationChanged)),
      pods: pods.resource$.pipe(ownerKeys(resources.apps.v1.replicasets)),
    },
    caches: [replicaSets, pods],
    scheduler,
    reconcile: async ({ key }) => {
      const set = replicaSets.indexer.getByKey(key);
      if (set === undefined || set.metadata?.deletionTimestamp !== undefined) return;
      await scalePods(context, set, dependentsOf(pods, set));
      await reportStatus(context, set, dependentsOf(pods, set));
    },
  });
}
