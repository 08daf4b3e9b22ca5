import type { KubernetesObject } from '../../api/kubernetesObject.js';

/** One observation about an object, as in `status.conditions` of most kinds. */
export interface Condition {
  readonly type: string;
  /** `True`, `False` or `Unknown`. */
  readonly status: string;
  /** Why, in one CamelCase word. */
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  /** When `status` last changed, as a timestamp. */
  readonly lastTransitionTime?: string | null | undefined;
  /** The generation of the object that this was observed at. */
  readonly observedGeneration?: number | undefined;
}

/** An object whose status may have conditions. */
export interface WithConditions {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** The condition of that type, if the status has it. */
export function conditionOf(object: WithConditions, type: string): Condition | undefined {
  return object.status?.conditions?.find((condition) => condition.type === type);
}

/** Whether the condition of that type is `True`. */
export function isConditionTrue(object: WithConditions, type: string): boolean {
  return conditionOf(object, type)?.status === 'True';
}

interface Workload {
  readonly spec?: {
    readonly replicas?: number;
    readonly type?: string;
    readonly minReadySeconds?: number;
    readonly updateStrategy?: { readonly type?: string; readonly rollingUpdate?: { readonly partition?: number } };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly desiredNumberScheduled?: number;
    readonly updatedNumberScheduled?: number;
    readonly numberAvailable?: number;
    readonly phase?: string;
    readonly loadBalancer?: { readonly ingress?: readonly unknown[] };
  };
}

type Rule = (object: KubernetesObject & Workload & WithConditions) => boolean;

/** Whether the status refers to the current spec. */
const isObserved: Rule = ({ metadata, status }) => status !== undefined && (status.observedGeneration ?? 0) >= (metadata?.generation ?? 0);
const wanted = ({ spec }: Workload): number => spec?.replicas ?? 1;
/** Servers omit counters that are 0. */
const count = (counter: number | undefined): number => counter ?? 0;
const isOnDelete = ({ spec }: Workload): boolean => spec?.updateStrategy?.type === 'OnDelete';

function condition(type: string): Rule {
  return (object) => isConditionTrue(object, type);
}

function phase(...phases: readonly string[]): Rule {
  // mutation text: equivalent: no phase or kind in the rules is equal to the mutated text
  // mutation fallback: equivalent: no rule allows an empty or undefined phase
  return ({ status }) => phases.includes(status?.phase ?? '');
}

const deployment: Rule = (object) => {
  const { status } = object;
  // mutation chain: equivalent: `isObserved` is false without a status
  const counters = [status?.updatedReplicas, status?.replicas, status?.availableReplicas];
  return isObserved(object) && counters.every((counter) => count(counter) === wanted(object));
};

// mutation chain: equivalent: `isObserved` is false without a status
const replicaSet: Rule = (object) =>
  isObserved(object) && [object.status?.replicas, object.status?.readyReplicas].every((counter) => count(counter) === wanted(object));

const statefulSet: Rule = (object) => {
  const { spec, status } = object;
  const partition = spec?.updateStrategy?.rollingUpdate?.partition ?? 0;
  const toUpdate = isOnDelete(object) ? 0 : wanted(object) - partition;
  // Older servers lack `availableReplicas` and minReadySeconds.
  const ready = count(spec?.minReadySeconds) > 0 ? status?.availableReplicas : status?.readyReplicas;
  // mutation chain: equivalent: `isObserved` is false without a status
  return (
    isObserved(object) &&
    count(status?.replicas) === wanted(object) &&
    count(ready) === wanted(object) &&
    count(status?.updatedReplicas) >= toUpdate
  );
};

const daemonSet: Rule = (object) => {
  const { status } = object;
  const desired = count(status?.desiredNumberScheduled);
  const isUpdated = isOnDelete(object) || count(status?.updatedNumberScheduled) >= desired;
  // mutation chain: equivalent: `isObserved` is false without a status
  return isObserved(object) && isUpdated && count(status?.numberAvailable) >= desired;
};

const service: Rule = ({ spec, status }) => spec?.type !== 'LoadBalancer' || count(status?.loadBalancer?.ingress?.length) > 0;

/** By kind: its API group and its rule. Other groups may have kinds of the same name. */
// mutation text: equivalent: no phase or kind in the rules is equal to the mutated text
const rulesByKind: Readonly<Record<string, readonly [group: string, rule: Rule]>> = {
  Pod: ['', condition('Ready')],
  Node: ['', condition('Ready')],
  Service: ['', service],
  Namespace: ['', phase('Active')],
  PersistentVolumeClaim: ['', phase('Bound')],
  PersistentVolume: ['', phase('Available', 'Bound')],
  ReplicationController: ['', replicaSet],
  ReplicaSet: ['apps', replicaSet],
  Deployment: ['apps', deployment],
  StatefulSet: ['apps', statefulSet],
  DaemonSet: ['apps', daemonSet],
  Job: ['batch', condition('Complete')],
  CustomResourceDefinition: ['apiextensions.k8s.io', condition('Established')],
  APIService: ['apiregistration.k8s.io', condition('Available')],
};

// mutation text: equivalent: no phase or kind in the rules is equal to the mutated text
function ruleOf({ apiVersion, kind = '' }: KubernetesObject): Rule {
  // mutation list: equivalent: the group is ignored if there is no rule
  const [group, rule] = (Object.hasOwn(rulesByKind, kind) ? rulesByKind[kind] : undefined) ?? [];
  const isOfGroup = apiVersion === undefined || apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/'))) === group;
  return rule !== undefined && isOfGroup ? rule : condition('Ready');
}

/**
 * Whether an object works as intended, by the rules of its kind.
 *
 * | kind | is ready when |
 * |---|---|
 * | Pod, Node | its condition `Ready` is true |
 * | Deployment | its controller has seen its spec, and all wanted replicas are updated and available, with no others left |
 * | ReplicaSet, ReplicationController | its controller has seen its spec, and all wanted replicas are ready, with no others left |
 * | StatefulSet | the same, and the pods from the `partition` on are updated; with `OnDelete`, updates are not required |
 * | DaemonSet | its controller has seen its spec, and the pods of all its nodes are updated (not with `OnDelete`) and available |
 * | Job | its condition `Complete` is true |
 * | Service | always; of type `LoadBalancer`, when the load balancer has an address |
 * | PersistentVolumeClaim, PersistentVolume | it is bound; a volume also while it is available |
 * | Namespace | it is active |
 * | CustomResourceDefinition, APIService | its condition `Established`, or `Available`, is true |
 * | any other | its condition `Ready` is true |
 *
 * Missing counters are 0: a Deployment with 0 replicas is ready once its controller has observed that. A pod that has run to completion is
 * not ready.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, isReady, resources } from 'rx-informer';
 *
 * const deployments = createInformer(createClient(), resources.apps.v1.deployments);
 * await deployments.whenSynced();
 * const waiting = deployments.lister.list().filter((deployment) => !isReady(deployment));
 * ```
 *
 * @see kubectl: `rollout status`
 */
export function isReady(object: KubernetesObject): boolean {
  return ruleOf(object)(object);
}
