import { filter, type Observable } from 'rxjs';
import {
  annotationsChanged,
  anyOf,
  filterUpdates,
  generationChanged,
  resources,
  type V1Deployment,
  type V1Pod,
  type V1ReplicaSet,
} from 'rx-informer';
import { controllerOf, mappedKeys, type Outcome, ownerKeys, ownerReferenceOf } from '@rx-informer/controller';
import { deadlineMsOf, deploymentStatus } from './deploymentStatus.js';
import { rolloutPlan, wantedBy } from './rolloutPlan.js';
import { recordEvent } from './recordEvent.js';
import { dependentsOf, loopOver, revisionOf as templateRevision, tolerate, type WorkloadContext } from './workloadContext.js';

const hashLabel = 'pod-template-hash';
/** The annotation that `kubectl rollout history` and `undo` use. */
const revisionAnnotation = 'deployment.kubernetes.io/revision';
/** The default of Kubernetes. */
const defaultHistoryLimit = 10;

/** Annotations of a deployment that are not copied to its ReplicaSets: they have their own, or would grow with each copy. */
const ownAnnotations = new Set([revisionAnnotation, 'kubectl.kubernetes.io/last-applied-configuration']);

/** The annotations of a deployment that are copied to its newest set, such as the change cause in `kubectl rollout history`. */
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

/** Gives the current template the highest revision, even if it equals an older template. */
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
  // Written through the status subresource, which does not change the generation.
  if (revisionOf(deployment) !== revision)
    await tolerate(client.status.patch(resources.apps.v1.deployments, name, 'merge', patch, { namespace }));
}

/** The name of the set for the deployment's current template. */
function currentName({ metadata, spec }: V1Deployment): { readonly name: string; readonly hash: string } {
  const hash = templateRevision(spec?.template);
  return { name: `${metadata?.name ?? ''}-${hash}`, hash };
}

/** Deletes the oldest sets without pods, beyond `revisionHistoryLimit`. */
async function forgetOld({ client }: WorkloadContext, { metadata, spec }: V1Deployment, old: readonly V1ReplicaSet[]): Promise<void> {
  const empty = old.filter(
    (set) => wantedBy(set) === 0 && (set.status?.replicas ?? 0) === 0 && set.status?.observedGeneration !== undefined,
  );
  const oldestFirst = empty.sort((a, b) => revisionOf(a) - revisionOf(b));
  const surplus = Math.max(0, empty.length - (spec?.revisionHistoryLimit ?? defaultHistoryLimit));
  for (const set of oldestFirst.slice(0, surplus))
    await tolerate(client.delete(resources.apps.v1.replicasets, set.metadata?.name ?? '', { namespace: metadata?.namespace ?? '' }));
}

/** Moves the rollout one step from the old template to the new one. */
async function rollOut(
  context: WorkloadContext,
  deployment: V1Deployment,
  current: V1ReplicaSet | undefined,
  old: readonly V1ReplicaSet[],
): Promise<void> {
  const { name, hash } = currentName(deployment);
  const isPaused = deployment.spec?.paused === true;
  // A pause stops the rollout; existing ReplicaSets are still scaled.
  if (isPaused && (current === undefined || old.some((set) => wantedBy(set) > 0))) return;
  const plan = rolloutPlan(deployment, current, old);
  const revision = Math.max(current === undefined ? 1 : revisionOf(current), ...old.map((set) => revisionOf(set) + 1));
  if (current !== undefined) await scale(context, deployment, current, plan.current);
  else if (
    await tolerate(context.client.create(resources.apps.v1.replicasets, replicaSetOf(deployment, name, hash, plan.current, revision)))
  )
    if (plan.current > 0) await reportScale(context, deployment, name, 0, plan.current);
  await number(context, deployment, current, revision);
  for (const [set, replicas] of plan.old) await scale(context, deployment, set, replicas);
  await forgetOld(context, deployment, old);
}

/** Whether a user changed the deployment, not this loop its status. */
const isAsked = anyOf(generationChanged, annotationsChanged);

/**
 * Simulates the deployment controller: makes a ReplicaSet for each template, rolls from the old one to the new one, and reports the progress.
 */
export function deploymentLoop(context: WorkloadContext): Observable<Outcome> {
  const { client, deployments, pods, replicaSets, scheduler } = context;
  /** The deployment that owns the set of a pod. */
  const aboveSet = ({ metadata = {} }: V1Pod): readonly string[] => {
    const { namespace = '' } = metadata;
    const set = replicaSets.indexer.getByKey(`${namespace}/${controllerOf({ metadata })?.name ?? ''}`);
    const owner = set && controllerOf(set)?.name;
    return owner === undefined ? [] : [`${namespace}/${owner}`];
  };
  const sources = {
    deployments: deployments.resource$.pipe(filterUpdates(isAsked)),
    replicaSets: replicaSets.resource$.pipe(ownerKeys(resources.apps.v1.deployments)),
    pods: pods.resource$.pipe(
      filter((event) => event.type === 'deleted'),
      mappedKeys(aboveSet),
    ),
  };
  return loopOver(deployments, { sources, caches: [deployments, replicaSets, pods], scheduler }, async (deployment, name, namespace) => {
    const sets = dependentsOf(replicaSets, deployment);
    const current = sets.find((set) => set.metadata?.name === currentName(deployment).name);
    await rollOut(
      context,
      deployment,
      current,
      // Pods that are terminating count until they are gone.
      sets.filter((set) => set !== current).map((set) => ({ ...set, status: { ...set.status, replicas: dependentsOf(pods, set).length } })),
    );
    const status = deploymentStatus(deployment, current, sets, scheduler.now());
    await tolerate(client.status.patch(resources.apps.v1.deployments, name, 'merge', { status }, { namespace }));
    // Requeue: no event reports that time has passed.
    const waits = status.conditions?.some(({ type, reason }) => type === 'Progressing' && reason !== 'NewReplicaSetAvailable') === true;
    const deadlineMs = deadlineMsOf(deployment);
    return waits && Number.isFinite(deadlineMs) ? { requeueAfterMs: deadlineMs + 1_000 } : undefined;
  });
}
