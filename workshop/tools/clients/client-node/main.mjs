// The cases for @kubernetes/client-node: prints one line of JSON per case.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import * as k8s from '@kubernetes/client-node';

const config = new k8s.KubeConfig();
config.loadFromFile(process.argv[2]);
const core = config.makeApiClient(k8s.CoreV1Api);
const apps = config.makeApiClient(k8s.AppsV1Api);
const patience = 30_000;

async function eventually(what, holds) {
  for (const until = Date.now() + patience; !(await holds()); await sleep(20))
    if (Date.now() > until) throw new Error(`Expected ${what} within half a minute`);
}

async function refused(code, call) {
  const error = await call().then(
    () => undefined,
    (thrown) => thrown,
  );
  assert.equal(error?.code, code, `Expected ${code}, got ${error}`);
}

const namespaceOf = async () => (await core.createNamespace({ body: { metadata: { generateName: 'case-' } } })).metadata.name;
const configMap = (name, data) => ({ metadata: { name, labels: { app: name } }, data });
const deployment = (name, replicas) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'c', image: 'nginx:1' }] } },
  },
});
const typed = (contentType) => k8s.setHeaderOptions('Content-Type', contentType);

async function readsAndWrites(namespace) {
  const created = await core.createNamespacedConfigMap({ namespace, body: configMap('a', { k: '1' }) });
  assert.ok(created.metadata.creationTimestamp instanceof Date);
  assert.equal((await core.readNamespacedConfigMap({ namespace, name: 'a' })).metadata.uid, created.metadata.uid);
  created.data.k = '2';
  await core.replaceNamespacedConfigMap({ namespace, name: 'a', body: created });
  await refused(409, () => core.replaceNamespacedConfigMap({ namespace, name: 'a', body: created }));
  await refused(409, () => core.createNamespacedConfigMap({ namespace, body: configMap('a') }));
  await core.deleteNamespacedConfigMap({ namespace, name: 'a' });
  await refused(404, () => core.readNamespacedConfigMap({ namespace, name: 'a' }));
}

async function patches(namespace) {
  await apps.createNamespacedDeployment({ namespace, body: deployment('web', 1) });
  const name = 'web';
  const side = { spec: { template: { spec: { containers: [{ name: 'side', image: 'b' }] } } } };
  const { StrategicMergePatch, MergePatch } = k8s.PatchStrategy;
  const patched = await apps.patchNamespacedDeployment({ namespace, name, body: side }, typed(StrategicMergePatch));
  assert.equal(patched.spec.template.spec.containers.length, 2);
  const operations = [{ op: 'replace', path: '/spec/replicas', value: 4 }];
  assert.equal((await apps.patchNamespacedDeployment({ namespace, name, body: operations })).spec.replicas, 4);
  const status = { status: { replicas: 4, readyReplicas: 4 } };
  assert.equal((await apps.patchNamespacedDeploymentStatus({ namespace, name, body: status }, typed(MergePatch))).status.readyReplicas, 4);
  const scale = { spec: { replicas: 7 } };
  assert.equal((await apps.patchNamespacedDeploymentScale({ namespace, name, body: scale }, typed(MergePatch))).spec.replicas, 7);
}

async function lists(namespace) {
  for (let number = 0; number < 25; number += 1) await core.createNamespacedConfigMap({ namespace, body: configMap(`m${number}`) });
  let [pages, names, token] = [0, 0, undefined];
  do {
    const page = await core.listNamespacedConfigMap({ namespace, limit: 10, _continue: token });
    [pages, names, token] = [pages + 1, names + page.items.length, page.metadata._continue];
  } while (token);
  assert.deepEqual([pages, names], [3, 25]);
  assert.equal((await core.listNamespacedConfigMap({ namespace, labelSelector: 'app in (m1,m2)' })).items.length, 2);
  assert.equal((await core.listNamespacedConfigMap({ namespace, fieldSelector: 'metadata.name=m3' })).items.length, 1);
  await core.deleteCollectionNamespacedConfigMap({ namespace, labelSelector: 'app!=m1' });
  assert.equal((await core.listNamespacedConfigMap({ namespace })).items.length, 1);
}

async function watches(namespace) {
  const { metadata } = await core.listNamespacedConfigMap({ namespace });
  const seen = [];
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const ended = [];
  const stream = await new k8s.Watch(config).watch(
    path,
    { resourceVersion: metadata.resourceVersion },
    (phase, object) => seen.push(`${phase} ${object.metadata.name}`),
    (error) => ended.push(error),
  );
  await core.createNamespacedConfigMap({ namespace, body: configMap('a') });
  await core.patchNamespacedConfigMap({ namespace, name: 'a', body: [{ op: 'add', path: '/data', value: { k: 'v' } }] });
  await core.deleteNamespacedConfigMap({ namespace, name: 'a' });
  await eventually('three events', () => seen.length === 3);
  assert.deepEqual(seen, ['ADDED a', 'MODIFIED a', 'DELETED a']);
  stream.abort();
  await eventually('the end of the watch', () => ended.length > 0);
}

async function informs(namespace) {
  await core.createNamespacedConfigMap({ namespace, body: configMap('a', { k: '1' }) });
  const informer = k8s.makeInformer(
    config,
    `/api/v1/namespaces/${namespace}/configmaps`,
    () => core.listNamespacedConfigMap({ namespace }),
    'app in (a,b)',
  );
  const seen = [];
  for (const verb of ['add', 'update', 'delete']) informer.on(verb, ({ metadata }) => seen.push(`${verb} ${metadata.name}`));
  await informer.start();
  await eventually('the first', () => seen.length === 1);
  await core.createNamespacedConfigMap({ namespace, body: configMap('b') });
  await eventually('the second', () => seen.length === 2);
  await core.patchNamespacedConfigMap({ namespace, name: 'b', body: [{ op: 'replace', path: '/metadata/labels/app', value: 'z' }] });
  await eventually('what leaves the selection', () => seen.length === 3);
  await core.deleteNamespacedConfigMap({ namespace, name: 'a' });
  await eventually('the deletion', () => seen.length === 4);
  assert.deepEqual(seen, ['add a', 'add b', 'delete b', 'delete a']);
  await informer.stop();
}

async function writesAnyKind(namespace) {
  const objects = k8s.KubernetesObjectApi.makeApiClient(config);
  const body = { ...deployment('web', 2), metadata: { name: 'web', namespace } };
  await objects.create(body);
  const identity = { apiVersion: body.apiVersion, kind: body.kind, metadata: body.metadata };
  assert.equal((await objects.read(identity)).spec.replicas, 2);
  const applied = { ...body, spec: { ...body.spec, replicas: 5 } };
  const patched = await objects.patch(applied, undefined, undefined, 'me', true, k8s.PatchStrategy.ServerSideApply);
  assert.equal(patched.spec.replicas, 5);
  assert.equal((await objects.list('apps/v1', 'Deployment', namespace)).items.length, 1);
  await objects.delete(identity);
  await refused(404, () => objects.read(identity));
}

async function customResources(namespace) {
  const definitions = config.makeApiClient(k8s.ApiextensionsV1Api);
  const schema = { type: 'object', properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } } };
  const name = 'boxes.node.example.com';
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }];
  const names = { plural: 'boxes', singular: 'box', kind: 'Box' };
  await definitions.createCustomResourceDefinition({
    body: { metadata: { name }, spec: { group: 'node.example.com', scope: 'Namespaced', names, versions } },
  });
  await eventually('the definition to be established', async () => {
    const { status } = await definitions.readCustomResourceDefinition({ name });
    return (status?.conditions ?? []).some(({ type, status: is }) => type === 'Established' && is === 'True');
  });
  const custom = config.makeApiClient(k8s.CustomObjectsApi);
  const place = { group: 'node.example.com', version: 'v1', namespace, plural: 'boxes' };
  const body = { apiVersion: 'node.example.com/v1', kind: 'Box', metadata: { name: 'a' }, spec: { size: 3 } };
  await custom.createNamespacedCustomObject({ ...place, body });
  await refused(422, () =>
    custom.createNamespacedCustomObject({ ...place, body: { ...body, metadata: { name: 'b' }, spec: { size: 'x' } } }),
  );
  assert.equal((await custom.listNamespacedCustomObject(place)).items.length, 1);
  await definitions.deleteCustomResourceDefinition({ name });
}

async function discovers() {
  assert.equal((await config.makeApiClient(k8s.VersionApi).getCode()).major, '1');
  assert.ok((await config.makeApiClient(k8s.ApisApi).getAPIVersions()).groups.some(({ name }) => name === 'apps'));
  const review = { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } };
  assert.equal((await config.makeApiClient(k8s.AuthorizationV1Api).createSelfSubjectAccessReview({ body: review })).status.allowed, true);
}

const cases = {
  'typed: reads, writes, is refused stale writes, deletes': readsAndWrites,
  'typed: patches objects, statuses and scales': patches,
  'typed: lists in pages, by labels and fields, deletes a collection': lists,
  'Watch: brings every change from the version of a list': watches,
  'informer: follows what a selector chooses': informs,
  'KubernetesObjectApi: writes and applies any kind': writesAnyKind,
  'custom resources: defines, writes, is refused': customResources,
  'discovery: groups, version, access': discovers,
};

for (const [name, body] of Object.entries(cases)) {
  const why = await namespaceOf()
    .then(body)
    .then(() => undefined, String);
  console.log(JSON.stringify({ case: name, passed: why === undefined, why }));
}
process.exit(0);
