import { listAt, numberAt, textAt, valueAt } from '../../api/json.js';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import { expectArgument, rules } from '../../api/options.js';

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
  readonly status?: { readonly conditions?: readonly Condition[] | undefined } | undefined;
}

/** Whether a status or a condition refers to the object's current spec. One that names no generation does. */
function isCurrent(object: object, observed: unknown): boolean {
  return typeof observed !== 'number' || observed >= numberAt(object, 'metadata', 'generation');
}

/**
 * The condition of that type, if the status has it.
 *
 * @example
 * ```ts
 * import { conditionOf, createClient, resources } from 'rx-informer';
 *
 * const [node] = (await createClient().list(resources.core.v1.nodes)).items;
 * if (node !== undefined) console.log(conditionOf(node, 'MemoryPressure')?.message);
 * ```
 *
 * @throws TypeError when `object` is none.
 */
export function conditionOf(object: WithConditions, type: string): Condition | undefined {
  expectArgument('conditionOf', 'object', object, rules.object);
  // Custom resources may have conditions of other shapes.
  return listAt(object, 'status', 'conditions').find((one) => valueAt(one, 'type') === type) as Condition | undefined;
}

/**
 * Whether the condition of that type is `True`, observed at the object's current generation. The condition names the generation that it was observed at,
 * or else the status does; where neither does, the condition counts as current.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, filterObjects, isConditionTrue, resources, toObjects } from 'rx-informer';
 *
 * const nodes = createInformer(createClient(), resources.core.v1.nodes);
 * const pressed$ = nodes.change$.pipe(filterObjects((node) => isConditionTrue(node, 'DiskPressure')), toObjects());
 * pressed$.subscribe(({ length }) => console.log(length));
 * ```
 *
 * @throws TypeError when `object` is none.
 *
 * @see kubectl: `wait --for=condition`
 */
export function isConditionTrue(object: WithConditions, type: string): boolean {
  const condition = conditionOf(object, type);
  if (condition?.status !== 'True') return false;
  return isCurrent(object, condition.observedGeneration ?? valueAt(object, 'status', 'observedGeneration'));
}

type Rule = (object: KubernetesObject & WithConditions) => boolean;

/** A counter of the status. Servers omit counters that are 0. */
const count = (object: unknown, name: string): number => numberAt(object, 'status', name);
/** Whether the status refers to the current spec. */
const isObserved: Rule = (object) =>
  object.status !== undefined && count(object, 'observedGeneration') >= (object.metadata?.generation ?? 0);
const wanted = (object: unknown): number => (valueAt(object, 'spec', 'replicas') ?? 1) as number;
const isOnDelete: Rule = (object) => textAt(object, 'spec', 'updateStrategy', 'type') === 'OnDelete';

function condition(type: string): Rule {
  return (object) => isConditionTrue(object, type);
}

function phase(...phases: readonly string[]): Rule {
  return (object) => phases.includes(textAt(object, 'status', 'phase'));
}

/** Every one of these counters has the wanted number. */
function counted(...names: readonly string[]): Rule {
  return (object) => isObserved(object) && names.every((name) => count(object, name) === wanted(object));
}

const statefulSet: Rule = (object) => {
  const partition = numberAt(object, 'spec', 'updateStrategy', 'rollingUpdate', 'partition');
  const toUpdate = isOnDelete(object) ? 0 : wanted(object) - partition;
  // Older servers lack `availableReplicas` and minReadySeconds.
  const ready = numberAt(object, 'spec', 'minReadySeconds') > 0 ? 'availableReplicas' : 'readyReplicas';
  return counted('replicas', ready)(object) && count(object, 'updatedReplicas') >= toUpdate;
};

const daemonSet: Rule = (object) => {
  const desired = count(object, 'desiredNumberScheduled');
  const isUpdated = isOnDelete(object) || count(object, 'updatedNumberScheduled') >= desired;
  return isObserved(object) && isUpdated && count(object, 'numberAvailable') >= desired;
};

const service: Rule = (object) =>
  textAt(object, 'spec', 'type') !== 'LoadBalancer' ||
  listAt(object, 'status', 'loadBalancer', 'ingress').length > 0 ||
  listAt(object, 'spec', 'externalIPs').length > 0;

const always: Rule = () => true;

/** By kind: its API group and its rule. Other groups may have kinds of the same name. */
const rulesByKind: Readonly<Record<string, readonly [group: string, rule: Rule]>> = {
  Pod: ['', condition('Ready')],
  Node: ['', condition('Ready')],
  Service: ['', service],
  ConfigMap: ['', always],
  Secret: ['', always],
  ServiceAccount: ['', always],
  Namespace: ['', phase('Active')],
  PersistentVolumeClaim: ['', phase('Bound')],
  PersistentVolume: ['', phase('Available', 'Bound')],
  ReplicationController: ['', counted('replicas', 'readyReplicas')],
  ReplicaSet: ['apps', counted('replicas', 'readyReplicas')],
  Deployment: ['apps', counted('updatedReplicas', 'replicas', 'availableReplicas')],
  StatefulSet: ['apps', statefulSet],
  DaemonSet: ['apps', daemonSet],
  CronJob: ['batch', always],
  Job: ['batch', condition('Complete')],
  CustomResourceDefinition: ['apiextensions.k8s.io', condition('Established')],
  APIService: ['apiregistration.k8s.io', condition('Available')],
};

/** The rule of a kind that has one of its own. */
function ruleOf({ apiVersion, kind = '' }: KubernetesObject): Rule | undefined {
  const [group, rule] = (Object.hasOwn(rulesByKind, kind) ? rulesByKind[kind] : undefined) ?? [];
  const isOfGroup = apiVersion === undefined || apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/'))) === group;
  return isOfGroup ? rule : undefined;
}

/** Whether an object says if it is ready: its kind has a rule, or it has the condition `Ready`. For another one, `isReady` is false whatever happens. */
export function hasReadiness(object: KubernetesObject): boolean {
  return ruleOf(object) !== undefined || listAt(object, 'status', 'conditions').some((one) => textAt(one, 'type') === 'Ready');
}

/**
 * Whether an object works as intended, by the rules of its kind.
 *
 * An object that is being deleted is not ready. Neither is one whose status, or the condition that decides, was observed at an earlier generation.
 *
 * | kind | is ready when |
 * |---|---|
 * | Pod, Node | its condition `Ready` is true |
 * | Deployment | its controller has seen its spec, and all wanted replicas are updated and available, with no others left |
 * | ReplicaSet, ReplicationController | its controller has seen its spec, and all wanted replicas are ready, with no others left |
 * | StatefulSet | the same, and the pods from the `partition` on are updated; with `OnDelete`, updates are not required |
 * | DaemonSet | its controller has seen its spec, and the pods of all its nodes are updated (not with `OnDelete`) and available |
 * | Job | its condition `Complete` is true |
 * | Service | always; of type `LoadBalancer`, when the load balancer has an address, or `externalIPs` are set |
 * | PersistentVolumeClaim, PersistentVolume | it is bound; a volume also while it is available |
 * | Namespace | it is active |
 * | ConfigMap, Secret, ServiceAccount, CronJob | always |
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
 * @throws TypeError when `object` is none.
 *
 * @see kubectl: `rollout status`, `wait`; kstatus
 */
export function isReady(object: KubernetesObject): boolean {
  expectArgument('isReady', 'object', object, rules.object);
  if (textAt(object, 'metadata', 'deletionTimestamp') !== '') return false;
  return isCurrent(object, valueAt(object, 'status', 'observedGeneration')) && (ruleOf(object) ?? condition('Ready'))(object);
}
