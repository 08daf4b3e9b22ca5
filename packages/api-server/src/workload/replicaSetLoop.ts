import { merge, type Observable } from 'rxjs';
import {
  filterUpdates,
  generationChanged,
  type Resource,
  resources,
  type SharedInformer,
  type V1Pod,
  type V1ReplicaSet,
  type V1ReplicationController,
} from 'rx-informer';
import { type Outcome, ownerKeys } from '@rx-informer/controller';
import { FreshPods } from './freshPods.js';
import { isActive, isServing } from './podState.js';
import { recordEvent } from './recordEvent.js';
import { dependentsOf, loopOver, podOf, tolerate, type WorkloadContext } from './workloadContext.js';

/** Both kinds maintain a number of pods of one template, and have the same status. */
type PodSet = V1ReplicaSet | V1ReplicationController;

/** A kind of sets, with the reporting component of events about its pods. */
interface SetKind {
  readonly resource: Resource<PodSet>;
  readonly component: string;
  readonly fresh: FreshPods;
}

/** The surplus pods: first those that are not ready, then the youngest. */
function surplus(active: readonly V1Pod[], count: number): V1Pod[] {
  const born = ({ metadata }: V1Pod): string => metadata?.creationTimestamp ?? '';
  const ranked = [...active].sort((a, b) => Number(isServing(a)) - Number(isServing(b)) || born(b).localeCompare(born(a)));
  return ranked.slice(0, Math.max(0, count));
}

async function scalePods(
  context: WorkloadContext,
  { resource, component, fresh }: SetKind,
  set: PodSet,
  pods: readonly V1Pod[],
): Promise<void> {
  const { client } = context;
  const namespace = set.metadata?.namespace ?? '';
  const report = (reason: string, message: string): Promise<void> => recordEvent(context, resource, set, { component, reason, message });
  const active = pods.filter(isActive);
  const wanted = set.spec?.replicas ?? 1;
  for (let missing = wanted - active.length - fresh.pending(set); missing > 0; missing -= 1) {
    const name = await fresh.create(set, (own) => podOf(set, set.spec?.template, own));
    if (name !== undefined) await report('SuccessfulCreate', `Created pod: ${name}`);
  }
  for (const { metadata } of surplus(active, active.length - wanted)) {
    const name = metadata?.name ?? '';
    if (await tolerate(client.delete(resources.core.v1.pods, name, { namespace })))
      await report('SuccessfulDelete', `Deleted pod: ${name}`);
  }
}

function statusOf(set: PodSet, pods: readonly V1Pod[]): PodSet['status'] {
  const active = pods.filter(isActive);
  const ready = active.filter(isServing).length;
  return {
    replicas: active.length,
    fullyLabeledReplicas: active.length,
    readyReplicas: ready,
    availableReplicas: ready,
    observedGeneration: set.metadata?.generation ?? 0,
  };
}

function loopOf(context: WorkloadContext, kind: SetKind, source: string, sets: SharedInformer<PodSet>): Observable<Outcome> {
  const { client, pods, scheduler } = context;
  const sources = {
    [source]: sets.resource$.pipe(filterUpdates(generationChanged)),
    pods: kind.fresh.noted(pods.resource$).pipe(ownerKeys(kind.resource)),
  };
  return loopOver(sets, { sources, caches: [sets, pods], scheduler }, async (set, name, namespace) => {
    await scalePods(context, kind, set, dependentsOf(pods, set));
    const status = statusOf(set, dependentsOf(pods, set));
    await tolerate(client.status.patch(kind.resource, name, 'merge', { status }, { namespace }));
  });
}

/** Simulates the controllers of replica sets and of replication controllers: maintains the number of pods, and counts them in the status. */
export function replicaSetLoop(context: WorkloadContext): Observable<Outcome> {
  const { replicasets } = resources.apps.v1;
  const { replicationcontrollers } = resources.core.v1;
  return merge(
    loopOf(
      context,
      { resource: replicasets, component: 'replicaset-controller', fresh: new FreshPods(context) },
      'replicaSets',
      context.replicaSets,
    ),
    loopOf(
      context,
      { resource: replicationcontrollers, component: 'replication-controller', fresh: new FreshPods(context) },
      'controllers',
      context.replicationControllers,
    ),
  );
}
