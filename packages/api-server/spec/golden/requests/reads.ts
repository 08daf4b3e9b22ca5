import type { AnyJson } from '../../support/httpClient.js';
import type { GoldenRequests, Replay } from '../goldenCase.js';
import { stable } from '../observe.js';
import { golden } from '../names.js';

const labelled = 'labelSelector=n';
const configMaps = (query: string) => (replay: Replay) => replay.in(`configmaps?${query.replace('RV', replay.kept.get('rv') ?? '')}`);
const accept = (value: string): { readonly headers: Readonly<Record<string, string>> } => ({ headers: { accept: value } });

export const table: GoldenRequests[string] = accept('application/json;as=Table;v=v1;g=meta.k8s.io');
const partial = accept('application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io');
const partialList = accept('application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io');
const future = '999999999';

const configMap = (name: string, label: number): GoldenRequests[string] => ({
  body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { n: String(label) } }, data: { a: '1' } },
});

const names = (body: AnyJson): readonly string[] => Object.keys(body).sort();

/** Requests that create objects, and requests that read them. */
export const reads: GoldenRequests = {
  'ns create': {
    before: async ({ send }) => {
      // So that resourceVersions have two digits, as in the recording.
      for (let at = 0; at < 8; at += 1)
        await send('POST', '/api/v1/namespaces/default/secrets', { body: { metadata: { name: `s${String(at)}` } } });
    },
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: golden.namespace } },
    shown: ({ spec, status, metadata }) => ({ spec, status, labels: metadata.labels }),
  },
  'cm create 0': configMap('c0', 0),
  'cm create 1': configMap('c1', 1),
  'cm create 2': configMap('c2', 0),
  'cm create 3': configMap('c3', 1),
  'cm create 4': configMap('c4', 0),
  'list exact': { path: configMaps(`${labelled}&resourceVersion=RV&resourceVersionMatch=Exact`) },
  'list exact limit': { path: configMaps(`${labelled}&limit=2&resourceVersion=RV&resourceVersionMatch=Exact`) },
  'list notOlderThan': { path: configMaps(`${labelled}&resourceVersion=RV&resourceVersionMatch=NotOlderThan`) },
  'list rv future': { path: configMaps(`resourceVersion=${future}`) },
  'list rv future exact': { path: configMaps(`resourceVersion=${future}&resourceVersionMatch=Exact`) },
  'list pods field phase': { path: (replay) => replay.in('pods?fieldSelector=status.phase%21%3DRunning,spec.nodeName%3D') },
  'list table': table,
  'list table includeObject none': table,
  'list table includeObject bad': table,
  'list table v1beta1': accept('application/json;as=Table;v=v1beta1;g=meta.k8s.io'),
  'list partial': partialList,
  'get partial': { ...partial, shown: names },
  'list accept xml': accept('application/xml'),
  'list accept xml,*': accept('application/xml,*/*'),
  'list accept text/plain': accept('text/plain'),
  'list accept table bogus': accept('application/json;as=Bogus;v=v1;g=meta.k8s.io'),
  'get yaml': accept('application/yaml'),
  pretty: { shown: stable },
  'get rv=0': { shown: ({ data }) => data },
  'get rv future': { path: (replay) => replay.in(`configmaps/c1?resourceVersion=${future}`) },
  'watch rv old (list)': { path: (replay) => replay.in(`configmaps?watch=1&${labelled}&resourceVersion=${replay.kept.get('c1') ?? ''}`) },
  'watch rv future': { path: configMaps(`watch=1&${labelled}&resourceVersion=${future}`) },
  'watch table': table,
  'watch partial': partial,
  'watch partial list': partialList,
  'watch yaml': accept('application/yaml'),
  'watch xml': accept('application/xml'),
  'table pods': {
    ...table,
    before: async ({ send, in: path }) => {
      const containers = ['n2', 'only'].map((name) => ({ name, image: 'i' }));
      await send('POST', path('pods'), { body: { metadata: { name: 'd1-758d564ff6-5lf72' }, spec: { containers } } });
    },
  },
  'table deployments': table,
  'table services': table,
  'table statefulsets': table,
  'table daemonsets': table,
  'table replicasets': {
    ...table,
    before: async ({ send, fill }) => {
      const labels = { app: 'd1', 'pod-template-hash': '584c9d55d7' };
      const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'nginx' }] } };
      const body = { metadata: { name: 'd1-584c9d55d7' }, spec: { replicas: 0, selector: { matchLabels: labels }, template } };
      await send('POST', fill('/apis/apps/v1/namespaces/NS/replicasets'), { body });
    },
  },
  'table jobs': {
    ...table,
    before: async ({ send, fill }) => {
      const body = { status: { startTime: new Date().toISOString().replace(/\.\d+/, '') } };
      const headers = { 'content-type': 'application/merge-patch+json' };
      await send('PATCH', fill('/apis/batch/v1/namespaces/NS/jobs/j/status'), { headers, body });
    },
  },
  'table cronjobs': table,
  'table secrets': table,
  'table events': {
    ...table,
    before: async ({ send, in: path }) => {
      const now = new Date().toISOString().replace(/\.\d+/, '');
      const body = {
        metadata: { name: 'd1-68fc48765.18ea3a926a53ee76', namespace: golden.namespace },
        involvedObject: { kind: 'ReplicaSet', name: 'd1-68fc48765', namespace: golden.namespace },
        type: 'Normal',
        reason: 'SuccessfulCreate',
        message: 'Created pod: d1-68fc48765-pwzrp',
        source: { component: 'replicaset-controller' },
        count: 1,
        firstTimestamp: now,
        lastTimestamp: now,
      };
      await send('POST', path('events'), { body });
    },
  },
  'table namespaces': {
    ...table,
    before: async ({ send }) => {
      await send('POST', '/api/v1/namespaces', { body: { metadata: { name: golden.leftover } } });
    },
  },
  'table nodes': {
    ...table,
    before: async ({ send }) => {
      await send('POST', '/api/v1/nodes', { body: { metadata: { name: `n-${golden.leftover}` } } });
    },
  },
  'table pvc': table,
  'table ingresses': table,
  'table leases': table,
  'table crds': table,
  'table endpointslices': {
    ...table,
    before: async ({ send, fill }) => {
      const body = { metadata: { name: 's1-tv7ht' }, addressType: 'IPv4', endpoints: [], ports: [] };
      await send('POST', fill('/apis/discovery.k8s.io/v1/namespaces/NS/endpointslices'), { body });
    },
  },
  'table hpa': table,
  'delete all ns': {},
  // The client of the recording normalized the dots itself.
  dotdot: { path: ({ fill }) => fill('/api/v1/namespaces/NS') },
  percent: { path: (replay) => replay.in('configmaps/c%31') },
  'bad query': {
    before: async ({ send, in: path }) => {
      // The config maps that controllers of that cluster put into every namespace.
      for (const name of ['kube-root-ca.crt', 'distribution-ca.crt'])
        await send('POST', path('configmaps'), { body: { metadata: { name } } });
    },
  },
};
