// Pods as an API server sends them: about 7 kB of JSON each, seven replicas per ReplicaSet, which differ in the same fields as real
// replicas.
import { hex, letters, scramble, time, uid } from './traffic/madeUp.js';

const replicas = 7;
const namespaces = 40;
const apps = ['checkout', 'catalog', 'search', 'payments', 'profile', 'ledger', 'notifier', 'gateway', 'inventory', 'recommendations'];

/** The fields that the replicas of one owner share. */
function familyOf(family: number) {
  const app = `${apps[family % apps.length] ?? ''}-${family}`;
  const hash = letters(family + 7, 10);
  const created = family * 311;
  return { app, hash, created, team: `team-${family % 12}`, owner: uid(family + 1_000_003), set: `${app}-${hash}` };
}

type Family = ReturnType<typeof familyOf>;

const variables = (family: number, { app }: Family) => [
  { name: 'POD_NAME', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
  { name: 'LOG_LEVEL', value: 'info' },
  { name: 'DATABASE_URL', value: `postgres://${app}.databases.svc:5432/${app}?pool_max_conns=${10 + (family % 20)}` },
  { name: 'OTEL_EXPORTER_OTLP_ENDPOINT', value: 'http://otel-collector.monitoring:4317' },
];

const probe = {
  httpGet: { path: '/readyz', port: 8080, scheme: 'HTTP' },
  initialDelaySeconds: 5,
  timeoutSeconds: 1,
  periodSeconds: 5,
  successThreshold: 1,
  failureThreshold: 3,
};

const ending = { terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File', imagePullPolicy: 'IfNotPresent' };

function specOf(at: number, family: number, shared: Family) {
  const access = `kube-api-access-${letters(at + 500_000, 5)}`;
  const account = { name: access, readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' };
  const projected = {
    sources: [
      { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      { downwardAPI: { items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }] } },
    ],
    defaultMode: 420,
  };
  const { app, team } = shared;
  const server = {
    name: app,
    image: `registry.example.com/${team}/${app}:v2.${family % 40}.${family % 7}`,
    args: ['--listen=:8080', `--config=/etc/${app}/config.yaml`],
    ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
    env: variables(family, shared),
    resources: { limits: { cpu: `${1 + (family % 4)}`, memory: '1Gi' }, requests: { cpu: '250m', memory: '512Mi' } },
    volumeMounts: [{ name: 'config', readOnly: true, mountPath: `/etc/${app}` }, { name: 'tmp', mountPath: '/tmp' }, account],
    readinessProbe: probe,
    ...ending,
  };
  const proxy = {
    name: 'proxy',
    image: 'registry.example.com/platform/proxy:v1.31.2',
    args: ['proxy', 'sidecar'],
    resources: { requests: { cpu: '100m', memory: '128Mi' } },
    volumeMounts: [account],
    ...ending,
  };
  return {
    volumes: [
      { name: 'config', configMap: { name: `${app}-config`, defaultMode: 420 } },
      { name: 'tmp', emptyDir: {} },
      { name: access, projected },
    ],
    containers: [server, proxy],
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    serviceAccountName: app,
    serviceAccount: app,
    nodeName: nodeName(at),
    securityContext: { fsGroup: 2000, seccompProfile: { type: 'RuntimeDefault' } },
    schedulerName: 'default-scheduler',
    tolerations: ['not-ready', 'unreachable'].map((key) => ({
      key: `node.kubernetes.io/${key}`,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: 300,
    })),
    priority: 0,
    enableServiceLinks: true,
    preemptionPolicy: 'PreemptLowerPriority',
  };
}

function nodeName(at: number): string {
  const node = scramble(at) % 1000;
  return `ip-10-${node >> 6}-${node % 64}-17.eu-central-1.compute.internal`;
}

function statusOf(at: number, family: number, shared: Family, version: number) {
  const created = shared.created + (at % replicas);
  const ready = version % 2 === 0;
  const changed = created + 12 + version * 60;
  const condition = (type: string, seconds: number, fulfilled = true) => ({
    type,
    status: fulfilled ? 'True' : 'False',
    lastProbeTime: null,
    lastTransitionTime: time(seconds),
    ...(!fulfilled && { reason: 'ContainersNotReady', message: `containers with unready status: [${shared.app}]` }),
  });
  const container = (name: string, image: string, seed: number, fulfilled: boolean, startedAt: number) => ({
    name,
    state: { running: { startedAt: time(startedAt) } },
    lastState: {},
    ready: fulfilled,
    restartCount: 0,
    image,
    imageID: `${image.slice(0, image.lastIndexOf(':'))}@sha256:${hex(family * 2 + seed, 64)}`,
    containerID: `containerd://${hex(at * 2 + seed + 90_000_001, 64)}`,
    started: true,
  });
  const node = scramble(at) % 1000;
  const ip = `10.${128 + (at >> 16)}.${(at >> 8) & 255}.${at & 255}`;
  const host = `10.${node >> 6}.${node % 64}.17`;
  return {
    phase: 'Running',
    conditions: [
      condition('PodReadyToStartContainers', created + 3),
      condition('Initialized', created + 1),
      condition('Ready', changed, ready),
      condition('ContainersReady', changed, ready),
      condition('PodScheduled', created),
    ],
    hostIP: host,
    hostIPs: [{ ip: host }],
    podIP: ip,
    podIPs: [{ ip }],
    startTime: time(created),
    containerStatuses: [
      container(shared.app, `registry.example.com/${shared.team}/${shared.app}:v2.${family % 40}.${family % 7}`, 0, ready, created + 2),
      container('proxy', 'registry.example.com/platform/proxy:v1.31.2', 1, true, created + 3),
    ],
    qosClass: 'Burstable',
  };
}

const set = (...names: readonly string[]): Readonly<Record<string, object>> => Object.fromEntries(names.map((name) => [`f:${name}`, {}]));

/** Keys as the server encodes them: `k:{"name":"x"}` and `f:name`. */
function managedFieldsOf({ owner, app }: Family, created: number, changed: number): object[] {
  const readiness = ['failureThreshold', 'initialDelaySeconds', 'periodSeconds', 'successThreshold', 'timeoutSeconds'];
  const container = { '.': {}, ...set('args', 'image', 'imagePullPolicy', 'name') };
  const mounts = (...paths: readonly string[]) => ({
    '.': {},
    ...Object.fromEntries(
      paths.map((path) => [`k:${JSON.stringify({ mountPath: path })}`, { '.': {}, ...set('mountPath', 'name', 'readOnly') }]),
    ),
  });
  const env = ['POD_NAME', 'LOG_LEVEL', 'DATABASE_URL'].map((name): [string, object] => [
    `k:${JSON.stringify({ name })}`,
    { '.': {}, ...set('name', 'value') },
  ]);
  const ports = { '.': {}, 'k:{"containerPort":8080,"protocol":"TCP"}': { '.': {}, ...set('containerPort', 'name', 'protocol') } };
  const spec = {
    'f:containers': {
      [`k:${JSON.stringify({ name: app })}`]: {
        ...container,
        'f:env': { '.': {}, ...Object.fromEntries(env) },
        'f:ports': ports,
        'f:readinessProbe': { '.': {}, ...set(...readiness), 'f:httpGet': { '.': {}, ...set('path', 'port', 'scheme') } },
        'f:resources': { '.': {}, 'f:limits': { '.': {}, ...set('cpu', 'memory') }, 'f:requests': { '.': {}, ...set('cpu', 'memory') } },
        ...set('terminationMessagePath', 'terminationMessagePolicy'),
        'f:volumeMounts': mounts(`/etc/${app}`, '/tmp'),
      },
      'k:{"name":"proxy"}': container,
    },
    ...set('dnsPolicy', 'enableServiceLinks', 'restartPolicy', 'schedulerName', 'serviceAccountName', 'terminationGracePeriodSeconds'),
    'f:volumes': {
      '.': {},
      'k:{"name":"config"}': { '.': {}, 'f:configMap': { '.': {}, ...set('defaultMode', 'name') }, ...set('name') },
      'k:{"name":"tmp"}': { '.': {}, ...set('emptyDir', 'name') },
    },
  };
  const labels = { '.': {}, ...set('app.kubernetes.io/name', 'app.kubernetes.io/part-of', 'pod-template-hash', 'team') };
  const owners = { '.': {}, [`k:${JSON.stringify({ uid: owner })}`]: {} };
  const condition = (type: string): [string, object] => [
    `k:${JSON.stringify({ type })}`,
    { '.': {}, ...set('lastProbeTime', 'lastTransitionTime', 'status', 'type') },
  ];
  const status = {
    'f:conditions': Object.fromEntries(['ContainersReady', 'Initialized', 'Ready'].map(condition)),
    ...set('containerStatuses', 'hostIP', 'hostIPs', 'phase', 'podIP'),
    'f:podIPs': { '.': {}, 'k:{"ip":"10.0.0.1"}': { '.': {}, ...set('ip') } },
    ...set('startTime'),
  };
  const annotations = { '.': {}, ...set('checksum/config', 'prometheus.io/scrape') };
  return [
    {
      manager: 'kube-controller-manager',
      operation: 'Update',
      apiVersion: 'v1',
      time: time(created),
      fieldsType: 'FieldsV1',
      fieldsV1: {
        'f:metadata': { 'f:annotations': annotations, ...set('generateName'), 'f:labels': labels, 'f:ownerReferences': owners },
        'f:spec': spec,
      },
    },
    {
      manager: 'kubelet',
      operation: 'Update',
      apiVersion: 'v1',
      time: time(changed),
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:status': status },
      subresource: 'status',
    },
  ];
}

/** The position of a pod in the list, and its name. */
export interface PodName {
  /** Which pod it is. */
  readonly at: number;
  readonly namespace: string;
  readonly name: string;
}

/** The name of the pod at this position. Seven consecutive positions, starting at a multiple of seven, are replicas of one owner. */
export function podName(at: number): PodName {
  const { set } = familyOf(Math.floor(at / replicas));
  return {
    at,
    namespace: `namespace-${String(Math.floor(at / replicas) % namespaces).padStart(2, '0')}`,
    name: `${set}-${letters(at, 5)}`,
  };
}

/** The names of this many pods, in the order in which an API server lists them. */
export function podNames(count: number): PodName[] {
  const before = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
  return Array.from({ length: count }, (_, at) => podName(at)).sort((a, b) => before(a.namespace, b.namespace) || before(a.name, b.name));
}

/**
 * One version of a pod, as JSON. Every version has a different resourceVersion; every second version is not ready.
 *
 * @param typed - with `kind` and `apiVersion`, as in a watch; items of a list have neither.
 */
export function podJson({ at, namespace, name }: PodName, version: number, resourceVersion: number, typed: boolean): string {
  const family = Math.floor(at / replicas);
  const shared = familyOf(family);
  const created = shared.created + (at % replicas);
  const { app, set, hash, team, owner } = shared;
  const metadata = {
    name,
    generateName: `${set}-`,
    namespace,
    uid: uid(at),
    resourceVersion: String(resourceVersion),
    generation: 1,
    creationTimestamp: time(created),
    labels: { 'app.kubernetes.io/name': app, 'app.kubernetes.io/part-of': 'shop', 'pod-template-hash': hash, team },
    annotations: { 'checksum/config': hex(family + 77, 64), 'prometheus.io/scrape': 'true' },
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: set, uid: owner, controller: true, blockOwnerDeletion: true }],
    managedFields: managedFieldsOf(shared, created, created + 12 + version * 60),
  };
  const type = typed ? { kind: 'Pod', apiVersion: 'v1' } : {};
  return JSON.stringify({ ...type, metadata, spec: specOf(at, family, shared), status: statusOf(at, family, shared, version) });
}
