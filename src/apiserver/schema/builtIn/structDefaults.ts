import { asString, isJsonObject, without, type Json, type JsonObject } from '../../json.js';

type Complete = (value: JsonObject) => JsonObject;

/** Adds the fields that are absent; `plain` are those of which Go does not know whether they are, and takes an empty one for an absent one. */
function fill(defaults: JsonObject, plain: JsonObject = {}): Complete {
  const names = Object.keys(plain);
  return (value) => {
    const empty = names.filter((name) => value[name] === '' || value[name] === 0);
    return { ...defaults, ...plain, ...(empty.length === 0 ? value : without(value, ...empty)) };
  };
}

/** `Always` for images without a tag, or with the tag `latest`. */
function pullPolicyOf(image: string): string {
  if (image.includes('@')) return 'IfNotPresent';
  const tag = image.slice(image.lastIndexOf('/') + 1).split(':')[1];
  return tag === undefined || tag === 'latest' ? 'Always' : 'IfNotPresent';
}

/** A limit asks for as much, where nothing else is asked for. */
function completeResources(value: Json | undefined): JsonObject {
  const resources = isJsonObject(value) ? value : {};
  const { limits, requests } = resources;
  if (!isJsonObject(limits)) return resources;
  return { ...resources, requests: { ...limits, ...(isJsonObject(requests) ? requests : {}) } };
}

const terminationMessage = fill({}, { terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' });

const completeContainer: Complete = (container) => ({
  ...terminationMessage(container),
  imagePullPolicy: container['imagePullPolicy'] || pullPolicyOf(asString(container['image'])),
  resources: isJsonObject(container['resources']) ? container['resources'] : {},
});

const rbacGroup = 'rbac.authorization.k8s.io';
const webhook: JsonObject = {
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
};
const mode420 = fill({ defaultMode: 420 });
const tcp = fill({}, { protocol: 'TCP' });

/** A rolling update has its numbers, and no other strategy has any. */
function rolling(numbers: JsonObject): Complete {
  return (strategy) => {
    const { rollingUpdate } = strategy;
    const type = strategy['type'] || 'RollingUpdate';
    if (type !== 'RollingUpdate') return { ...strategy, type };
    return { type, rollingUpdate: { ...numbers, ...(isJsonObject(rollingUpdate) ? rollingUpdate : {}) } };
  };
}

const rollingDeployment = rolling({ maxUnavailable: '25%', maxSurge: '25%' });
const rollingDaemonSet = rolling({ maxUnavailable: 1, maxSurge: 0 });
const rollingStatefulSet = rolling({ partition: 0 });

/** Completes a field that is an object, or makes it. */
function withObject(value: JsonObject, name: string, complete: Complete): JsonObject {
  const inner = value[name];
  return inner === undefined || isJsonObject(inner) ? { ...value, [name]: complete(inner ?? {}) } : value;
}

const times = { lastProbeTime: null, lastTransitionTime: null };

/**
 * What is filled in when an object is written, by the struct that it is filled into. Facts of Kubernetes' own defaulting; an object that Go always
 * writes is here too, as an empty one.
 */
export const structDefaults: Readonly<Record<string, Complete>> = {
  // Pods
  Container: completeContainer,
  EphemeralContainer: completeContainer,
  ContainerPort: tcp,
  Probe: fill({}, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 }),
  HTTPGetAction: fill({}, { path: '/', scheme: 'HTTP' }),
  GRPCAction: fill({ service: '' }),
  ObjectFieldSelector: fill({}, { apiVersion: 'v1' }),
  ResourceFieldSelector: fill({ divisor: '0' }),
  PodSpec: fill(
    { terminationGracePeriodSeconds: 30, securityContext: {} },
    { restartPolicy: 'Always', dnsPolicy: 'ClusterFirst', schedulerName: 'default-scheduler' },
  ),
  PodTemplateSpec: fill({ metadata: {}, spec: {} }),
  PodCondition: fill(times),
  Volume: (volume) => (Object.keys(volume).every((name) => name === 'name') ? { ...volume, emptyDir: {} } : volume),
  SecretVolumeSource: mode420,
  ConfigMapVolumeSource: mode420,
  DownwardAPIVolumeSource: mode420,
  ProjectedVolumeSource: mode420,
  ServiceAccountTokenProjection: fill({ expirationSeconds: 3600 }),
  HostPathVolumeSource: fill({ type: '' }),
  // Workloads
  DeploymentSpec: (spec) =>
    withObject({ replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600, ...spec }, 'strategy', rollingDeployment),
  ReplicaSetSpec: fill({ replicas: 1 }),
  ReplicationControllerSpec: fill({ replicas: 1 }),
  StatefulSetSpec: (spec) =>
    withObject(
      {
        replicas: 1,
        podManagementPolicy: 'OrderedReady',
        revisionHistoryLimit: 10,
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
        ...spec,
      },
      'updateStrategy',
      rollingStatefulSet,
    ),
  DaemonSetSpec: (spec) => withObject({ revisionHistoryLimit: 10, ...spec }, 'updateStrategy', rollingDaemonSet),
  CronJobSpec: fill({ suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 }, { concurrencyPolicy: 'Allow' }),
  JobTemplateSpec: fill({ metadata: {} }),
  JobCondition: fill(times),
  // Services and the network
  ServiceSpec: fill({}, { sessionAffinity: 'None', type: 'ClusterIP' }),
  ServicePort: (port) => ({
    ...tcp(port),
    // Go writes 0 for a port that was not set.
    ...(port['port'] !== undefined && { targetPort: port['targetPort'] || port['port'] }),
  }),
  EndpointPort: tcp,
  NetworkPolicyPort: tcp,
  NetworkPolicySpec: (spec) => ({
    policyTypes: spec['egress'] === undefined ? ['Ingress'] : ['Ingress', 'Egress'],
    podSelector: {},
    ...spec,
  }),
  // Storage
  PersistentVolumeSpec: fill({ volumeMode: 'Filesystem' }, { persistentVolumeReclaimPolicy: 'Retain' }),
  PersistentVolumeClaimSpec: (spec) => ({ volumeMode: 'Filesystem', resources: {}, ...spec }),
  StorageClass: fill({ reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }),
  CSIDriverSpec: fill({
    attachRequired: true,
    podInfoOnMount: false,
    volumeLifecycleModes: ['Persistent'],
    storageCapacity: false,
    fsGroupPolicy: 'ReadWriteOnceWithFSType',
    requiresRepublish: false,
    seLinuxMount: false,
  }),
  // Policies and access
  RoleRef: fill({}, { apiGroup: rbacGroup }),
  Subject: (subject) => (subject['kind'] === 'User' || subject['kind'] === 'Group' ? { apiGroup: rbacGroup, ...subject } : subject),
  PriorityClass: fill({ preemptionPolicy: 'PreemptLowerPriority' }),
  ValidatingWebhook: fill(webhook),
  MutatingWebhook: fill({ ...webhook, reinvocationPolicy: 'Never' }),
  RuleWithOperations: fill({ scope: '*' }),
  ServiceReference: fill({ port: 443 }),
  ResourceRequirements: completeResources,
  NodeDaemonEndpoints: fill({ kubeletEndpoint: { Port: 0 } }),
};
