import type { Observable } from 'rxjs';
import { filterUpdates, generationChanged, resources, type V1Pod, type V1StatefulSet } from 'rx-informer';
import { type Outcome, ownerKeys } from '@rx-informer/controller';
import { isServing } from './podState.js';
import { recordEvent } from './recordEvent.js';
import { dependentsOf, loopOver, podOf, revisionLabel, revisionOf, tolerate, type WorkloadContext } from './workloadContext.js';

const { statefulsets } = resources.apps.v1;

function ordinalOf({ metadata }: V1Pod): number {
  return Number(metadata?.name?.split('-').at(-1));
}

function claimName(claim: string, pod: string): string {
  return `${claim}-${pod}`;
}

/** The name of the revision of the template, which the members of this revision are labelled with. */
function revisionNameOf({ metadata, spec }: V1StatefulSet): string {
  return `${metadata?.name ?? ''}-${revisionOf(spec?.template)}`;
}

/** The pod of an ordinal, with its identity and its claims. */
function memberOf(set: V1StatefulSet, ordinal: number): V1Pod {
  const { template, serviceName, volumeClaimTemplates = [] } = set.spec ?? {};
  const name = `${set.metadata?.name ?? ''}-${String(ordinal)}`;
  const identity = { 'statefulset.kubernetes.io/pod-name': name, 'apps.kubernetes.io/pod-index': String(ordinal) };
  const labels = { ...template?.metadata?.labels, ...identity, [revisionLabel]: revisionNameOf(set) };
  const pod = podOf(set, { ...template, metadata: { ...template?.metadata, labels } }, name);
  const claimed = volumeClaimTemplates.map(({ metadata }) => metadata?.name ?? '');
  const volumes = [
    ...(pod.spec?.volumes ?? []).filter((volume) => !claimed.includes(volume.name)),
    ...claimed.map((claim) => ({ name: claim, persistentVolumeClaim: { claimName: claimName(claim, name) } })),
  ];
  return {
    ...pod,
    spec: { containers: [], ...pod.spec, hostname: name, ...(serviceName !== undefined && { subdomain: serviceName }), volumes },
  };
}

async function createMember({ client }: WorkloadContext, set: V1StatefulSet, ordinal: number): Promise<boolean> {
  const pod = memberOf(set, ordinal);
  const { namespace = '', name = '' } = pod.metadata ?? {};
  for (const { metadata, spec } of set.spec?.volumeClaimTemplates ?? []) {
    const own = {
      ...metadata,
      name: claimName(metadata?.name ?? '', name),
      namespace,
      labels: { ...metadata?.labels, ...set.spec?.selector.matchLabels },
    };
    await tolerate(client.create(resources.core.v1.persistentvolumeclaims, { metadata: own, ...(spec !== undefined && { spec }) }));
  }
  return tolerate(client.create(resources.core.v1.pods, pod));
}

/** What is to be done next: one member is created, or some are deleted; undefined when all is well. */
function nextStep(
  set: V1StatefulSet,
  members: readonly V1Pod[],
): { readonly create?: number; readonly remove?: readonly V1Pod[] } | undefined {
  const { replicas = 1, podManagementPolicy, updateStrategy, ordinals } = set.spec ?? {};
  const first = ordinals?.start ?? 0;
  const inOrder = podManagementPolicy !== 'Parallel';
  const ended = members.filter(({ status, metadata }) => status?.phase === 'Failed' && metadata?.deletionTimestamp === undefined);
  if (ended.length > 0) return { remove: ended };
  const known = new Map(members.map((pod) => [ordinalOf(pod), pod]));
  for (let ordinal = first; ordinal < first + replicas; ordinal += 1) {
    const member = known.get(ordinal);
    if (member === undefined) return { create: ordinal };
    if (inOrder && !isServing(member)) return undefined;
  }
  const surplus = members.filter((pod) => ordinalOf(pod) < first || ordinalOf(pod) >= first + replicas);
  const leaving = surplus.some(({ metadata }) => metadata?.deletionTimestamp !== undefined);
  if (surplus.length > 0) return inOrder && leaving ? undefined : { remove: inOrder ? surplus.slice(-1) : surplus };
  if (updateStrategy?.type === 'OnDelete' || !members.every(isServing)) return undefined;
  // From the last one down to the partition, one at a time.
  const partition = updateStrategy?.rollingUpdate?.partition ?? 0;
  const outdated = members.filter((pod) => pod.metadata?.labels?.[revisionLabel] !== revisionNameOf(set) && ordinalOf(pod) >= partition);
  return outdated.length > 0 ? { remove: outdated.slice(-1) } : undefined;
}

function statusOf(set: V1StatefulSet, members: readonly V1Pod[]): V1StatefulSet['status'] {
  const revision = revisionNameOf(set);
  const updated = members.filter(({ metadata }) => metadata?.labels?.[revisionLabel] === revision).length;
  const isDone = updated === members.length && members.length === (set.spec?.replicas ?? 1);
  const ready = members.filter(isServing).length;
  return {
    replicas: members.length,
    readyReplicas: ready,
    availableReplicas: ready,
    updatedReplicas: updated,
    currentReplicas: isDone ? updated : members.length - updated,
    updateRevision: revision,
    currentRevision: isDone ? revision : (set.status?.currentRevision ?? revision),
    observedGeneration: set.metadata?.generation ?? 0,
  };
}

/** Simulates the controller of stateful sets: members with a name and claims of their own, created in order, and removed and updated from the last one. */
export function statefulSetLoop(context: WorkloadContext): Observable<Outcome> {
  const { client, statefulSets, pods, scheduler } = context;
  const sources = {
    statefulSets: statefulSets.resource$.pipe(filterUpdates(generationChanged)),
    pods: pods.resource$.pipe(ownerKeys(statefulsets)),
  };
  return loopOver(statefulSets, { sources, caches: [statefulSets, pods], scheduler }, async (set, name, namespace) => {
    const members = dependentsOf(pods, set).sort((a, b) => ordinalOf(a) - ordinalOf(b));
    const report = (reason: string, message: string): Promise<void> =>
      recordEvent(context, statefulsets, set, { component: 'statefulset-controller', reason, message });
    const { create, remove = [] } = nextStep(set, members) ?? {};
    // The name of a member is its own, so that a second creation is refused while the cache does not have the first.
    if (create !== undefined && (await createMember(context, set, create)))
      await report('SuccessfulCreate', `create Pod ${name}-${String(create)} in StatefulSet ${name} successful`);
    // By its uid, since another one may have the name by now.
    for (const { metadata: { name: member = '', uid = '' } = {} } of remove)
      if (await tolerate(client.delete(resources.core.v1.pods, member, { namespace, preconditions: { uid } })))
        await report('SuccessfulDelete', `delete Pod ${member} in StatefulSet ${name} successful`);
    await tolerate(client.status.patch(statefulsets, name, 'merge', { status: statusOf(set, members) }, { namespace }));
  });
}
