import { golden } from '../names.js';
import type { AnyJson } from '../../support/httpClient.js';
import type { GoldenRequest, GoldenRequests } from '../goldenCase.js';

type Fields = Readonly<Record<string, unknown>>;

/** A config map. */
export function configMap(name: string, rest: Fields = {}, metadata: Fields = {}): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, ...rest };
}

/** A pod whose label `app` is its name. */
export function pod(name: string, containers: unknown, spec: Fields = {}): GoldenRequest {
  return { body: { apiVersion: 'v1', kind: 'Pod', metadata: { name, labels: { app: name } }, spec: { containers, ...spec } } };
}

const container = { name: 'c', image: 'nginx' };

/** A deployment of one container. */
export function deployment(name: string, spec: Fields = {}): object {
  const template = { metadata: { labels: { app: name } }, spec: { containers: [container] } };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { selector: { matchLabels: { app: name } }, template, ...spec },
  };
}

const others = { template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } } };
const set = { selector: { matchLabels: { a: 'b' } }, ...others };
const one = (part: Fields): readonly object[] => [{ name: 'c', image: 'n', ...part }];
const specWithoutTemplate = ({ spec: { template: _, ...spec } }: AnyJson): object => spec;
const names = (body: AnyJson): readonly string[] => Object.keys(body).sort();
const data = ({ data: shown }: AnyJson): unknown => shown;

function object(apiVersion: string, kind: string, name: string, rest: Fields): GoldenRequest {
  return { body: { apiVersion, kind, metadata: { name }, ...rest } };
}

const job = (restartPolicy: Fields): GoldenRequest =>
  object('batch/v1', 'Job', 'j', { spec: { template: { spec: { containers: [{ name: 'c', image: 'i' }], ...restartPolicy } } } });

const configMaps: GoldenRequests = {
  'create exists': { body: configMap('c1') },
  'create with rv': { body: configMap('x', {}, { resourceVersion: '5' }) },
  'create with uid': {
    body: configMap('with-uid', {}, { uid: '11111111-1111-1111-1111-111111111111' }),
    shown: ({ metadata }) => metadata.uid === '11111111-1111-1111-1111-111111111111',
  },
  'create no name': { body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} } },
  'create generateName': {
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'gen-' } },
    shown: ({ metadata }) => /^gen-[a-z0-9]{5}$/.test(metadata.name),
  },
  'create bad name': { body: configMap('Bad_Name') },
  'create long name': { body: configMap('a'.repeat(254)) },
  'create ns mismatch': { body: configMap('x', {}, { namespace: 'other' }) },
  'create kind mismatch': { body: { ...configMap('x'), kind: 'Secret' } },
  'create apiVersion mismatch': { body: { ...configMap('x'), apiVersion: 'v2' } },
  'create ns missing': { body: configMap('x') },
  'create broken json': { body: '{"a":', headers: { 'content-type': 'application/json' } },
  'create empty body': { body: '', headers: { 'content-type': 'application/json' } },
  'create array': { body: '[]', headers: { 'content-type': 'application/json' } },
  'create null': { body: 'null', headers: { 'content-type': 'application/json' } },
  'create wrong type data': { body: configMap('x', { data: { a: 1 } }) },
  'create wrong type name': { body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 5 } } },
  'create wrong type labels': { body: configMap('x', {}, { labels: { a: 1 } }) },
  'create bad label value': { body: configMap('x', {}, { labels: { a: 'not valid!' } }) },
  'create bad label key': { body: configMap('x', {}, { labels: { 'a b': 'c' } }) },
  'create bad annotation': { body: configMap('x', {}, { annotations: { 'a b': 'c' } }) },
  'create bad finalizer': { body: configMap('x', {}, { finalizers: ['foo'] }) },
  'create bad owner': { body: configMap('x', {}, { ownerReferences: [{ kind: 'ConfigMap', name: 'y' }] }) },
  'create bad cm key': { body: configMap('x', { data: { 'a b': '1' } }) },
  'create unknown field': { body: configMap('unknown-1', { foo: 1 }), shown: names },
  'create unknown field strict': { body: configMap('uf2', { foo: 1 }) },
  'create unknown field warn': { body: configMap('unknown-3', { foo: 1 }), shown: names },
  'create duplicate field strict': {
    body: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"df"},"data":{"a":"1","a":"2"}}',
    headers: { 'content-type': 'application/json' },
  },
  'create fieldValidation bogus': { body: configMap('x') },
  'create dryRun': { body: configMap('dry', { data: { a: '1' } }), shown: data },
  'create dryRun bogus': { body: configMap('x') },
  'create fieldManager long': { body: configMap('x') },
  'create 415': { body: JSON.stringify(configMap('x')), headers: { 'content-type': 'text/plain' } },
  'create 415 merge': { body: JSON.stringify(configMap('x')), headers: { 'content-type': 'application/merge-patch+json' } },
  'create no content type': { body: JSON.stringify(configMap('no-type', { data: { a: '1' } })), shown: data },
  'create yaml': {
    body: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: yaml\ndata:\n  a: "1"\n',
    headers: { 'content-type': 'application/yaml' },
    shown: data,
  },
  'create to item': { body: configMap('c1') },
  'cluster create of namespaced': { body: configMap('x') },
};

const workloads: GoldenRequests = {
  'create pod ok': { ...pod('p1', [container]), shown: ({ spec, status, metadata: { labels } }) => ({ spec, status, labels }) },
  'create pod no containers': pod('x', []),
  'create pod no image': pod('x', [{ name: 'c' }]),
  'create pod dup container': pod('x1', [...one({}), ...one({})]),
  'create pod bad restartPolicy': pod('x2', one({}), { restartPolicy: 'Bad' }),
  'create pod bad port': pod('x3', one({ ports: [{ containerPort: 70_000 }] })),
  'create pod bad resources': pod('x4', one({ resources: { limits: { cpu: 'abc' } } })),
  'create pod requests > limits': pod('x5', one({ resources: { limits: { cpu: '1' }, requests: { cpu: '2' } } })),
  'create pod type error': pod('x6', [container], { terminationGracePeriodSeconds: 'x' }),
  'create pod env bad': pod('x7', one({ env: [{ name: 'a b', value: '1' }] })),
  'create pod volume missing': pod('x8', one({ volumeMounts: [{ name: 'v', mountPath: '/v' }] })),
  'create deploy ok': { body: deployment('d1'), shown: ({ spec, metadata }) => ({ spec, gen: metadata.generation }) },
  'create deploy selector mismatch': { body: deployment('dx1', { selector: { matchLabels: { app: 'other' } } }) },
  'create deploy no selector': { body: deployment('dx2', { selector: undefined }) },
  'create deploy replicas -1': { body: deployment('dx3', { replicas: -1 }) },
  'create deploy replicas str': { body: deployment('dx4', { replicas: 'two' }) },
  'create deploy unknown spec field': { body: deployment('dx5', { replica: 2 }) },
  'create deploy unknown spec field warn': { body: deployment('dx6', { replica: 2 }), shown: ({ spec }) => spec['replica'] },
  'create job': job({}),
  'create job ok': {
    ...job({ restartPolicy: 'Never' }),
    shown: (body) => ({
      ...specWithoutTemplate(body),
      selector: Object.keys((body.spec['selector'] as { readonly matchLabels?: object } | undefined)?.matchLabels ?? {}),
    }),
  },
  'create cronjob': object('batch/v1', 'CronJob', 'cj', {
    spec: {
      schedule: 'not a schedule',
      jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } } },
    },
  }),
  'create ss': { ...object('apps/v1', 'StatefulSet', 'ss', { spec: { ...set, serviceName: 's' } }), shown: specWithoutTemplate },
  'create ds': { ...object('apps/v1', 'DaemonSet', 'ds', { spec: set }), shown: specWithoutTemplate },
  'create rs': { ...object('apps/v1', 'ReplicaSet', 'rs', { spec: set }), shown: specWithoutTemplate },
  'create pod p9': { ...pod('p9', [container]), shown: () => 1 },
  'create pod scheduled': { ...pod('ps', [container], { nodeName: 'node1' }), shown: ({ spec }) => spec['nodeName'] },
};

const otherKinds: GoldenRequests = {
  'create service': {
    ...object('v1', 'Service', 's1', { spec: { ports: [{ port: 80 }], selector: { a: 'b' } } }),
    shown: ({ spec }) => ({ ...spec, clusterIP: typeof spec['clusterIP'], clusterIPs: typeof spec['clusterIPs'] }),
  },
  'create service no ports': object('v1', 'Service', 's2', { spec: {} }),
  'create service bad name': object('v1', 'Service', '1abc', { spec: { ports: [{ port: 80 }] } }),
  'create secret': {
    ...object('v1', 'Secret', 'sec', { stringData: { a: 'b' } }),
    shown: ({ data: shown, type }) => ({ data: shown, type }),
  },
  'create secret bad b64': object('v1', 'Secret', 'sec2', { data: { a: '***' } }),
  'create ingress': object('networking.k8s.io/v1', 'Ingress', 'i', { spec: {} }),
  'create pvc bad': object('v1', 'PersistentVolumeClaim', 'pvc', { spec: {} }),
  'create lease': object('coordination.k8s.io/v1', 'Lease', 'l', { spec: { leaseDurationSeconds: 0 } }),
  'create hpa': object('autoscaling/v1', 'HorizontalPodAutoscaler', 'h', { spec: {} }),
  'create event': object('v1', 'Event', 'e', { involvedObject: { namespace: 'other' } }),
  'create sa': { ...object('v1', 'ServiceAccount', 'sa1', {}), shown: names },
  'sa token': {
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
    shown: ({ kind, status }) => [kind, typeof status['token']],
  },
  'create role': object('rbac.authorization.k8s.io/v1', 'Role', 'r', { rules: [{ resources: ['pods'] }] }),
  'create rolebinding': object('rbac.authorization.k8s.io/v1', 'RoleBinding', 'r', {
    subjects: [{ kind: 'User', name: 'x' }],
    roleRef: {},
  }),
  'create netpol': object('networking.k8s.io/v1', 'NetworkPolicy', 'np', { spec: {} }),
  'create quota': object('v1', 'ResourceQuota', 'q', { spec: { hard: { configmaps: 'abc' } } }),
  'create pdb': object('policy/v1', 'PodDisruptionBudget', 'pdb', { spec: { minAvailable: 1, maxUnavailable: 1, selector: {} } }),
  'create node': { ...object('v1', 'Node', `n-${golden.namespace}`, {}), shown: ({ spec, status }) => [spec, status] },
  'create pv': object('v1', 'PersistentVolume', `pv-${golden.namespace}`, { spec: {} }),
  eviction: { body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p1', namespace: golden.namespace } } },
  binding: { body: { apiVersion: 'v1', kind: 'Binding', target: { kind: 'Node', name: 'n1' } } },
  'create cm holding': {
    body: configMap('hold', {}, { finalizers: ['x.com/hold'] }),
    shown: ({ metadata }) => metadata.finalizers,
  },
  'create in terminating ns': { body: configMap('late') },
};

/** Requests that create objects. */
export const creates: GoldenRequests = { ...configMaps, ...workloads, ...otherKinds };
