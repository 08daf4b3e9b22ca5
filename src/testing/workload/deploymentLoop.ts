import type { Observable } from 'rxjs';
import type { V1Deployment, V1DeploymentStatus, V1ReplicaSet } from '../../api/kubernetes/appsV1.js';
import { resources } from '../../api/resources.js';
import type { Outcome } from '../../controller/reconcile/outcome.js';
import { ownerKeys } from '../../controller/owners/ownerKeys.js';
import { ownerReferenceOf } from '../../controller/owners/ownerReferences.js';
import { reconcile } from '../../controller/reconcile/reconcile.js';
import { shortHash } from './chance.js';
import { dependentsOf, tolerate } from './dependents.js';
import { recordEvent } from './recordEvent.js';
import type { WorkloadContext } from './workloadContext.js';

const hashLabel = 'pod-template-hash';
/** `kubectl rollout history` and `undo` go by it. */
const revisionAnnotation = 'deployment.kubernetes.io/revision';
const wantedBy = ({ spec }: V1Deployment | V1ReplicaSet): number => spec?.replicas ?? 1;
const readyOf = ({ status }: V1ReplicaSet): number => status?.readyReplicas ?? 0;
const sum = (sets: readonly V1ReplicaSet[], count: (set: V1ReplicaSet) => number): number =>
  sets.reduce((total, set) => total + count(set), 0);

/** What of a deployment's annotations its sets do not get: they have their own, or would grow with each copy. */
const ownAnnotations = new Set([revisionAnnotation, 'kubectl.kubernetes.io/last-applied-configuration']);

/** The annotations of a deployment that its newest set gets too, such as the cause of the change that `kubectl rollout history` shows. */
function copiedAnnotations({ metadata }: V1Deployment): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(metadata?.annotations ?? {}).filter(([name]) => !ownAnnotations.has(name)));
}

function revisionOf({ metadata }: V1Deployment | V1ReplicaSet): number {
  return Number(metadata?.annotations?.[revisionAnnotation] ?? '0');
}

function replicaSetOf(deployment: V1Deployment, name: string, hash: string, replicas: number, revision: number): V1ReplicaSet {
  const { selector, template } = deployment.spec ?? {};
  const labels = { ...template?.metadata?.labels, [hashLabel]: hash };
  return {
    metadata: {
      name,
      namespace: deployment.metadata?.namespace ?? '',
      labels,
      annotations: { ...copiedAnnotations(deployment), [revisionAnnotation]: String(revision) },
      ownerReferences: [ownerReferenceOf(deployment, { controller: true })],
    },
    spec: {
      replicas,
      selector: { ...selector, matchLabels: { ...selector?.matchLabels, [hashLabel]: hash } },
      template: { ...template, metadata: { ...template?.metadata, labels } },
    },
  };
}

function reportScale(context: WorkloadContext, deployment: V1Deployment, set: string, from: number, to: number): Promise<void> {
  const message = `Scaled ${to > from ? 'up' : 'down'} replica set ${set} from ${String(from)} to ${String(to)}`;
  return recordEvent(context, resources.apps.v1.deployments, deployment, {
    component: 'deployment-controller',
    reason: 'ScalingReplicaSet',
    message,
  });
}

async function scale(
  context: WorkloadContext,
  deployment: V1Deployment,
  { metadata, spec }: V1ReplicaSet,
  replicas: number,
): Promise<void> {
  if (spec?.replicas === replicas) return;
  const { name = '', namespace = '' } = metadata ?? {};
  const patch = context.client.patch(resources.apps.v1.replicasets, name, 'merge', { spec: { replicas } }, { namespace });
  if (await tolerate(patch)) await reportScale(context, deployment, name, spec?.replicas ?? 1, replicas);
}

/** The newest template has the highest revision, also when it is an older one again. */
async function number(
  { client }: WorkloadContext,
  deployment: V1Deployment,
  current: V1ReplicaSet | undefined,
  revision: number,
): Promise<void> {
  const { name = '', namespace = '' } = deployment.metadata ?? {};
  const patch = { metadata: { annotations: { [revisionAnnotation]: String(revision) } } };
  const wanted = { ...copiedAnnotations(deployment), ...patch.metadata.annotations };
  const known = current?.metadata?.annotations ?? {};
  if (current !== undefined && Object.entries(wanted).some(([annotation, value]) => known[annotation] !== value)) {
    const copy = { metadata: { annotations: wanted } };
    await tolerate(client.patch(resources.apps.v1.replicasets, current.metadata?.name ?? '', 'merge', copy, { namespace }));
  }
  if (revisionOf(deployment) !== revision) await tolerate(client.patch(resources.apps.v1.deployments, name, 'merge', patch, { namespace }));
}

/** One pod of the new template above the wanted number at a time; the old ones make room as the new ones become ready. */
async function rollOut(context: WorkloadContext, deployment: V1Deployment, sets: readonly V1ReplicaSet[]): Promise<void> {
  const wanted = wantedBy(deployment);
  const hash = shortHash(JSON.stringify(deployment.spec?.template ?? {}), 10);
  const name = `${deployment.metadata?.name ?? ''}-${hash}`;
  const current = sets.find(({ metadata }) => metadata?.name === name);
  const others = sets.filter((set) => set !== current);
  const old = others.filter((set) => wantedBy(set) > 0);
  const revision = Math.max(current === undefined ? 1 : revisionOf(current), ...others.map((set) => revisionOf(set) + 1));
  const allowed = old.length === 0 ? wanted : Math.min(wanted, (current === undefined ? 0 : readyOf(current)) + 1);
  if (current !== undefined) await scale(context, deployment, current, allowed);
  else if (await tolerate(context.client.create(resources.apps.v1.replicasets, replicaSetOf(deployment, name, hash, allowed, revision))))
    await reportScale(context, deployment, name, 0, allowed);
  await number(context, deployment, current, revision);
  let room = Math.max(0, wanted - (current === undefined ? 0 : readyOf(current)));
  for (const set of old) {
    const kept = Math.min(wantedBy(set), room);
    await scale(context, deployment, set, kept);
    room -= kept;
  }
}

function statusOf(deployment: V1Deployment, sets: readonly V1ReplicaSet[], now: string): V1DeploymentStatus {
  const hash = shortHash(JSON.stringify(deployment.spec?.template ?? {}), 10);
  const current = sets.filter(({ metadata }) => metadata?.labels?.[hashLabel] === hash);
  const available = sum(sets, readyOf);
  const enough = available >= wantedBy(deployment);
  const before = deployment.status?.conditions?.find(({ type }) => type === 'Available');
  const status = enough ? 'True' : 'False';
  const since = before?.status === status ? before.lastTransitionTime : now;
  return {
    observedGeneration: deployment.metadata?.generation ?? 0,
    replicas: sum(sets, (set) => set.status?.replicas ?? 0),
    updatedReplicas: sum(current, (set) => set.status?.replicas ?? 0),
    readyReplicas: available,
    availableReplicas: available,
    unavailableReplicas: Math.max(0, wantedBy(deployment) - available),
    conditions: [
      {
        type: 'Available',
        status,
        reason: enough ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
        message: `${String(available)} of ${String(wantedBy(deployment))} pods are ready`,
        ...(since !== undefined && { lastTransitionTime: since, lastUpdateTime: since }),
      },
    ],
  };
}

/**
 * Stands in for the deployment controller: makes a ReplicaSet for each template, rolls from the old one to the new one, and reports how far that is.
 */
export function deploymentLoop(context: WorkloadContext): Observable<Outcome> {
  const { client, deployments, replicaSets, scheduler } = context;
  return reconcile({
    sources: { deployments: deployments.resource$, replicaSets: replicaSets.resource$.pipe(ownerKeys(resources.apps.v1.deployments)) },
    caches: [deployments, replicaSets],
    scheduler,
    reconcile: async ({ key }) => {
      const deployment = deployments.indexer.getByKey(key);
      if (deployment === undefined || deployment.metadata?.deletionTimestamp !== undefined) return;
      const sets = dependentsOf(replicaSets, deployment);
      await rollOut(context, deployment, sets);
      const { name = '', namespace = '' } = deployment.metadata ?? {};
      const status = statusOf(deployment, sets, `${new Date(scheduler.now()).toISOString().slice(0, 19)}Z`);
      await tolerate(client.status.patch(resources.apps.v1.deployments, name, 'merge', { status }, { namespace }));
    },
  });
}
