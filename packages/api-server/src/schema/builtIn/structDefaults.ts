import { asString, isJsonArray, isJsonObject, without, type Json, type JsonObject } from '../../json.js';

type Complete = (value: JsonObject) => JsonObject;

/** Sets absent fields to defaults. `plain` has fields that are not pointers in Go: for these, an empty value counts as absent. */
function fill(defaults: JsonObject, plain: JsonObject = {}): Complete {
  const all = { ...defaults, ...plain };
  const [names, plainNames] = [Object.keys(all), Object.keys(plain)];
  return (value) => {
    const empty = plainNames.filter((name) => value[name] === '' || value[name] === 0);
    if (empty.length === 0 && names.every((name) => value[name] !== undefined)) return value;
    return { ...all, ...(empty.length === 0 ? value : without(value, ...empty)) };
  };
}

/** `Always` for images without a tag, or with the tag `latest`. */
function pullPolicyOf(image: string): string {
  if (image.includes('@')) return 'IfNotPresent';
  const tag = image.slice(image.lastIndexOf('/') + 1).split(':')[1];
  return tag === undefined || tag === 'latest' ? 'Always' : 'IfNotPresent';
}

const terminationMessage = fill({}, { terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' });

const completeContainer: Complete = (container) => {
  const filled = terminationMessage(container);
  const { imagePullPolicy, resources, image } = container;
  if (imagePullPolicy && isJsonObject(resources)) return filled;
  return {
    ...filled,
    imagePullPolicy: imagePullPolicy || pullPolicyOf(asString(image)),
    resources: isJsonObject(resources) ? resources : {},
  };
};

const podDefaults = fill(
  { terminationGracePeriodSeconds: 30, securityContext: {} },
  { restartPolicy: 'Always', dnsPolicy: 'ClusterFirst', schedulerName: 'default-scheduler' },
);

/** The deprecated field `serviceAccount` has the same value as `serviceAccountName`. */
const completePodSpec: Complete = (spec) => {
  const { serviceAccountName: name, serviceAccount: older } = spec;
  const account = name || older || '';
  const filled = podDefaults(spec);
  return account === '' || (name === account && older === account)
    ? filled
    : { ...filled, serviceAccountName: account, serviceAccount: account };
};

const rbacGroup = 'rbac.authorization.k8s.io';
const webhook: JsonObject = {
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
};
const anyScope = fill({ scope: '*' });
const failing = fill({ failurePolicy: 'Fail' });
const mode420 = fill({ defaultMode: 420 });
const rbd = { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' };
const tcp = fill({}, { protocol: 'TCP' });

const exactCount: Complete = (request) => {
  const allocationMode = request['allocationMode'] || 'ExactCount';
  return { ...request, allocationMode, ...(allocationMode === 'ExactCount' && { count: request['count'] || 1 }) };
};

/** For containers, `max` is the default limit, and the default request is the default limit, or `min`. */
function completeLimit(item: JsonObject): JsonObject {
  if (item['type'] !== 'Container') return item;
  const part = (name: string): JsonObject => (isJsonObject(item[name]) ? item[name] : {});
  const byDefault = { ...part('max'), ...part('default') };
  const asked = { ...part('min'), ...byDefault, ...part('defaultRequest') };
  const filled = (value: JsonObject): boolean => Object.keys(value).length > 0;
  return { ...item, ...(filled(byDefault) && { default: byDefault }), ...(filled(asked) && { defaultRequest: asked }) };
}

const percent = { type: 'Percent', value: 100, periodSeconds: 15 };
const scalingUp: JsonObject = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [{ type: 'Pods', value: 4, periodSeconds: 15 }, percent],
};
const scalingDown: JsonObject = { selectPolicy: 'Max', policies: [percent] };

/** Only the strategy RollingUpdate has the field `rollingUpdate`. */
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

/** A claim in a template has `apiVersion` and `kind`. */
function claimTemplate(claim: Json): Json {
  if (!isJsonObject(claim)) return claim;
  const { kind: _, apiVersion: __, ...rest } = claim;
  const status = isJsonObject(claim['status']) ? claim['status'] : {};
  return { kind: 'PersistentVolumeClaim', apiVersion: 'v1', ...rest, status: { phase: 'Pending', ...status } };
}

/** Completes a field that is an object; an absent one is created. */
function withObject(value: JsonObject, name: string, complete: Complete): JsonObject {
  const inner = value[name];
  return inner === undefined || isJsonObject(inner) ? { ...value, [name]: complete(inner ?? {}) } : value;
}

/** The defaulting functions of Kubernetes, by the name of the struct. */
/** By the name of the struct, or by the full name of its definition. */
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
  PodSpec: completePodSpec,
  Volume: (volume) => (Object.keys(volume).every((name) => name === 'name') ? { ...volume, emptyDir: {} } : volume),
  SecretVolumeSource: mode420,
  ConfigMapVolumeSource: mode420,
  DownwardAPIVolumeSource: mode420,
  ProjectedVolumeSource: mode420,
  ServiceAccountTokenProjection: fill({ expirationSeconds: 3600 }),
  HostPathVolumeSource: fill({ type: '' }),
  ISCSIVolumeSource: fill({}, { iscsiInterface: 'default' }),
  ISCSIPersistentVolumeSource: fill({}, { iscsiInterface: 'default' }),
  RBDVolumeSource: fill({}, rbd),
  RBDPersistentVolumeSource: fill({}, rbd),
  // The feature gate ClusterTrustBundleProjection is off.
  VolumeProjection: (projection) =>
    projection['clusterTrustBundle'] === undefined ? projection : without(projection, 'clusterTrustBundle'),
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
        ...(isJsonArray(spec['volumeClaimTemplates']) && { volumeClaimTemplates: spec['volumeClaimTemplates'].map(claimTemplate) }),
      },
      'updateStrategy',
      rollingStatefulSet,
    ),
  DaemonSetSpec: (spec) => withObject({ revisionHistoryLimit: 10, ...spec }, 'updateStrategy', rollingDaemonSet),
  CronJobSpec: fill({ suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 }, { concurrencyPolicy: 'Allow' }),
  // Services and the network
  ServiceSpec: fill({}, { sessionAffinity: 'None', type: 'ClusterIP' }),
  ServicePort: (port) => ({
    ...tcp(port),
    // Go writes 0 for an unset port.
    ...(port['port'] !== undefined && { targetPort: port['targetPort'] || port['port'] }),
  }),
  EndpointPort: tcp,
  'io.k8s.api.discovery.v1.EndpointPort': fill({ name: '' }, { protocol: 'TCP' }),
  IngressClassParametersReference: fill({ scope: 'Cluster' }),
  NetworkPolicyPort: tcp,
  NetworkPolicySpec: (spec) => ({ policyTypes: spec['egress'] === undefined ? ['Ingress'] : ['Ingress', 'Egress'], ...spec }),
  // Storage
  PersistentVolumeSpec: fill({ volumeMode: 'Filesystem' }, { persistentVolumeReclaimPolicy: 'Retain' }),
  PersistentVolumeClaimSpec: fill({ volumeMode: 'Filesystem' }),
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
  'io.k8s.api.rbac.v1.Subject': (subject) =>
    subject['kind'] === 'User' || subject['kind'] === 'Group' ? { apiGroup: rbacGroup, ...subject } : subject,
  FlowSchemaSpec: fill({}, { matchingPrecedence: 1_000 }),
  ExemptPriorityLevelConfiguration: fill({ nominalConcurrencyShares: 0, lendablePercent: 0 }),
  LimitedPriorityLevelConfiguration: fill({ nominalConcurrencyShares: 30, lendablePercent: 0 }),
  QueuingConfiguration: fill({}, { handSize: 8, queues: 64, queueLengthLimit: 50 }),
  PodFailurePolicyOnPodConditionsPattern: fill({}, { status: 'True' }),
  ExactDeviceRequest: exactCount,
  DeviceSubRequest: exactCount,
  LimitRangeItem: completeLimit,
  HorizontalPodAutoscalerBehavior: ({ scaleUp, scaleDown }) => ({
    scaleUp: { ...scalingUp, ...(isJsonObject(scaleUp) ? scaleUp : {}) },
    scaleDown: { ...scalingDown, ...(isJsonObject(scaleDown) ? scaleDown : {}) },
  }),
  PriorityClass: fill({ preemptionPolicy: 'PreemptLowerPriority' }),
  ValidatingWebhook: fill(webhook),
  MutatingWebhook: fill({ ...webhook, reinvocationPolicy: 'Never' }),
  RuleWithOperations: anyScope,
  NamedRuleWithOperations: anyScope,
  ValidatingAdmissionPolicySpec: failing,
  MutatingAdmissionPolicySpec: failing,
  MatchResources: fill({ matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} }),
  ServiceReference: fill({ port: 443 }),
};

/** The defaulting function of a struct; undefined when there is none. */
export function defaultsOf({ name, definition }: { readonly name: string; readonly definition: string }): Complete | undefined {
  if (Object.hasOwn(structDefaults, definition)) return structDefaults[definition];
  return Object.hasOwn(structDefaults, name) ? structDefaults[name] : undefined;
}
