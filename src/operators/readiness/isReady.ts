import type { KubernetesObject } from '../../api/kubernetesObject.js';
import { isConditionTrue, type WithConditions } from './conditions.js';

interface Replicated {
  readonly spec?: { readonly replicas?: number };
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
  };
}

type Rule = (object: KubernetesObject & Replicated & WithConditions) => boolean;

/** The controller's report is about the current spec, not an older one. */
const isObserved: Rule = ({ metadata, status }) => (status?.observedGeneration ?? 0) >= (metadata?.generation ?? 0);
const wanted = ({ spec }: Replicated): number => spec?.replicas ?? 1;

const rules: Readonly<Record<string, Rule>> = {
  Pod: (pod) => isConditionTrue(pod, 'Ready'),
  Node: (node) => isConditionTrue(node, 'Ready'),
  Deployment: (deployment) =>
    isObserved(deployment) &&
    deployment.status?.updatedReplicas === wanted(deployment) &&
    deployment.status.replicas === wanted(deployment) &&
    deployment.status.availableReplicas === wanted(deployment),
  ReplicaSet: (set) => isObserved(set) && (set.status?.readyReplicas ?? 0) === wanted(set),
  StatefulSet: (set) =>
    isObserved(set) && (set.status?.readyReplicas ?? 0) === wanted(set) && (set.status?.updatedReplicas ?? wanted(set)) === wanted(set),
  DaemonSet: (set) =>
    isObserved(set) &&
    set.status?.desiredNumberScheduled !== undefined &&
    (set.status.updatedNumberScheduled ?? 0) === set.status.desiredNumberScheduled &&
    (set.status.numberAvailable ?? 0) === set.status.desiredNumberScheduled,
  Job: (job) => isConditionTrue(job, 'Complete'),
  PersistentVolumeClaim: (claim) => claim.status?.phase === 'Bound',
  Namespace: (namespace) => namespace.status?.phase === 'Active',
  CustomResourceDefinition: (definition) => isConditionTrue(definition, 'Established'),
};

/**
 * Whether an object does what it was made for, by the rules of its kind: a pod is ready, a deployment is rolled out, a job is complete, a claim is
 * bound. A kind without a rule of its own is ready when its condition `Ready` is `True`.
 *
 * A Deployment with 0 replicas is ready once its controller has seen that.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, isReady, resources } from 'rx-informer';
 *
 * const deployments = createInformer(createClient(), resources.apps.v1.deployments);
 * const waiting = deployments.lister.list().filter((deployment) => !isReady(deployment));
 * ```
 */
export function isReady(object: KubernetesObject): boolean {
  const rule = object.kind !== undefined && Object.hasOwn(rules, object.kind) ? rules[object.kind] : undefined;
  return rule === undefined ? isConditionTrue(object as WithConditions, 'Ready') : rule(object);
}
