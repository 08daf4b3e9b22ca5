import type { V1Deployment, V1DeploymentCondition, V1DeploymentStatus, V1ReplicaSet } from 'rx-informer';
import { limitsOf, sumOf, wantedBy } from './rolloutPlan.js';
import { timestampOf } from './workloadContext.js';

/** The default of Kubernetes. */
const defaultDeadlineSeconds = 600;

/** The time after which a rollout without progress counts as failed, in milliseconds; Infinity for never. */
export function deadlineMsOf({ spec }: V1Deployment): number {
  const seconds = spec?.progressDeadlineSeconds ?? defaultDeadlineSeconds;
  return seconds >= 2_147_483_647 ? Infinity : seconds * 1_000;
}

type Finding = Pick<V1DeploymentCondition, 'status' | 'reason' | 'message'>;

const conditionOf = ({ status }: V1Deployment, wanted: string): V1DeploymentCondition | undefined =>
  status?.conditions?.find(({ type }) => type === wanted);

function availability(deployment: V1Deployment, available: number): Finding {
  const isEnough = available >= wantedBy(deployment) - limitsOf(deployment).maxUnavailable;
  return isEnough
    ? { status: 'True', reason: 'MinimumReplicasAvailable', message: 'Deployment has minimum availability.' }
    : { status: 'False', reason: 'MinimumReplicasUnavailable', message: 'Deployment does not have minimum availability.' };
}

type Counts = Required<Pick<V1DeploymentStatus, 'replicas' | 'updatedReplicas' | 'availableReplicas'>>;

/** The condition of the rollout's progress; undefined if it has not changed. */
function progress(deployment: V1Deployment, counts: Counts, current: V1ReplicaSet | undefined, nowMs: number): Finding | undefined {
  const { replicas, updatedReplicas, availableReplicas } = counts;
  const before = conditionOf(deployment, 'Progressing');
  const set = `ReplicaSet "${current?.metadata?.name ?? ''}"`;
  if (deployment.spec?.paused === true) return { status: 'Unknown', reason: 'DeploymentPaused', message: 'Deployment is paused' };
  const wanted = wantedBy(deployment);
  const isComplete = updatedReplicas === wanted && replicas === wanted && availableReplicas === wanted;
  if (current !== undefined && isComplete)
    return { status: 'True', reason: 'NewReplicaSetAvailable', message: `${set} has successfully progressed.` };
  if (before?.reason === 'DeploymentPaused') return { status: 'Unknown', reason: 'DeploymentResumed', message: 'Deployment is resumed' };
  if (current === undefined) return before;
  const { status = {} } = deployment;
  const gotOn =
    updatedReplicas > (status.updatedReplicas ?? 0) ||
    availableReplicas > (status.availableReplicas ?? 0) ||
    replicas - updatedReplicas < (status.replicas ?? 0) - (status.updatedReplicas ?? 0);
  const isNew = before === undefined || (before.reason === 'NewReplicaSetAvailable' && updatedReplicas < wanted);
  if (isNew)
    return { status: 'True', reason: 'NewReplicaSetCreated', message: `Created new replica set "${current.metadata?.name ?? ''}"` };
  if (gotOn) return { status: 'True', reason: 'ReplicaSetUpdated', message: `${set} is progressing.` };
  const since = Date.parse(before.lastUpdateTime ?? '');
  if (before.reason !== 'NewReplicaSetAvailable' && nowMs - since >= deadlineMsOf(deployment))
    return { status: 'False', reason: 'ProgressDeadlineExceeded', message: `${set} has timed out progressing.` };
  return undefined;
}

/** A condition with its times: of the last change of its status, and of the last change of its reason. */
function timed(
  type: string,
  before: V1DeploymentCondition | undefined,
  found: Finding,
  now: string,
  renew: boolean,
): V1DeploymentCondition {
  const isSame = before?.status === found.status && before.reason === found.reason && !renew;
  return {
    type,
    ...found,
    lastUpdateTime: isSame ? (before.lastUpdateTime ?? now) : now,
    lastTransitionTime: before?.status === found.status ? (before.lastTransitionTime ?? now) : now,
  };
}

/**
 * The status of a deployment as its controller writes it, including the conditions that `kubectl rollout status`, Helm and Flux wait for.
 */
export function deploymentStatus(
  deployment: V1Deployment,
  current: V1ReplicaSet | undefined,
  sets: readonly V1ReplicaSet[],
  nowMs: number,
): V1DeploymentStatus {
  const now = timestampOf(nowMs);
  const counts = {
    replicas: sumOf(sets, ({ status }) => status?.replicas ?? 0),
    updatedReplicas: current?.status?.replicas ?? 0,
    readyReplicas: sumOf(sets, ({ status }) => status?.readyReplicas ?? 0),
    availableReplicas: sumOf(sets, ({ status }) => status?.availableReplicas ?? 0),
  };
  const [before, available] = [conditionOf(deployment, 'Progressing'), conditionOf(deployment, 'Available')];
  const found = progress(deployment, counts, current, nowMs);
  const progressing = found === undefined ? before : timed('Progressing', before, found, now, found.reason === 'ReplicaSetUpdated');
  return {
    observedGeneration: deployment.metadata?.generation ?? 0,
    ...counts,
    unavailableReplicas: Math.max(0, wantedBy(deployment) - counts.availableReplicas),
    conditions: [
      timed('Available', available, availability(deployment, counts.availableReplicas), now, false),
      ...(progressing === undefined ? [] : [progressing]),
    ],
  };
}
