// The cases for kubernetes-fluent-client: prints one line of JSON per case.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

process.env.KUBECONFIG = process.argv[2];
const { K8s, kind, WatchEvent } = await import('kubernetes-fluent-client');
const log = console.log;
console.log = () => undefined;

const patience = 30_000;

async function eventually(what, holds) {
  for (const until = Date.now() + patience; !(await holds()); await sleep(20))
    if (Date.now() > until) throw new Error(`Expected ${what} within half a minute`);
}

async function refused(status, call) {
  const error = await call().then(
    () => undefined,
    (thrown) => thrown,
  );
  assert.equal(error?.status, status, `Expected ${status}, got ${JSON.stringify(error)}`);
}

let namespaces = 0;
async function namespaceOf() {
  const name = `fluent-${Date.now()}-${(namespaces += 1)}`;
  await K8s(kind.Namespace).Create({ metadata: { name } });
  return name;
}

const configMap = (namespace, name, data) => ({ metadata: { name, namespace, labels: { app: name } }, data });

async function readsAndWrites(namespace) {
  const maps = K8s(kind.ConfigMap).InNamespace(namespace);
  await K8s(kind.ConfigMap).Create(configMap(namespace, 'a', { k: '1' }));
  await refused(409, () => K8s(kind.ConfigMap).Create(configMap(namespace, 'a')));
  assert.equal((await maps.Get('a')).data.k, '1');
  assert.equal((await maps.Get()).items.filter(({ metadata }) => metadata.name === 'a').length, 1);
  assert.equal((await K8s(kind.ConfigMap).InNamespace(namespace).WithLabel('app', 'a').Get()).items.length, 1);
  await K8s(kind.ConfigMap).InNamespace(namespace).Delete('a');
  await refused(404, () => K8s(kind.ConfigMap).InNamespace(namespace).Get('a'));
}

async function applies(namespace) {
  const applied = await K8s(kind.ConfigMap).Apply(configMap(namespace, 'a', { k: '1' }));
  assert.equal(applied.data.k, '1');
  assert.equal((await K8s(kind.ConfigMap).Apply(configMap(namespace, 'a', { k: '2' }), { force: true })).data.k, '2');
  const patched = await K8s(kind.ConfigMap, { namespace, name: 'a' }).Patch([{ op: 'replace', path: '/data/k', value: '3' }]);
  assert.equal(patched.data.k, '3');
  await K8s(kind.ConfigMap, { namespace, name: 'a' }).Finalize('add', 'example.com/hold');
  assert.deepEqual((await K8s(kind.ConfigMap).InNamespace(namespace).Get('a')).metadata.finalizers, ['example.com/hold']);
  await K8s(kind.ConfigMap, { namespace, name: 'a' }).Finalize('remove', 'example.com/hold');
}

async function scales(namespace) {
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'nginx:1' }] } };
  const metadata = { name: 'web', namespace };
  await K8s(kind.Deployment).Apply({ metadata, spec: { replicas: 1, selector: { matchLabels: labels }, template } });
  await K8s(kind.Deployment, metadata).Scale(3);
  assert.equal((await K8s(kind.Deployment).InNamespace(namespace).Get('web')).spec.replicas, 3);
  const status = { replicas: 3, readyReplicas: 3 };
  assert.equal((await K8s(kind.Deployment).PatchStatus({ metadata, status })).status.readyReplicas, 3);
}

function watch(namespace, options) {
  const seen = [];
  const watcher = K8s(kind.ConfigMap)
    .InNamespace(namespace)
    .WithLabel('watched')
    .Watch(({ metadata }, phase) => void seen.push(`${phase} ${metadata.name}`), options);
  return { seen, watcher };
}

const watched = (namespace, name, data) => ({ metadata: { name, namespace, labels: { watched: 'yes' } }, data });

async function watches(namespace) {
  await K8s(kind.ConfigMap).Create(watched(namespace, 'a'));
  const { seen, watcher } = watch(namespace, {});
  await watcher.start();
  await eventually('the first', () => seen.length === 1);
  await K8s(kind.ConfigMap).Create(watched(namespace, 'b'));
  await K8s(kind.ConfigMap).Apply(watched(namespace, 'a', { k: 'v' }), { force: true });
  await K8s(kind.ConfigMap).InNamespace(namespace).Delete('b');
  await eventually('three more', () => seen.length === 4);
  assert.deepEqual(seen, ['ADDED a', 'ADDED b', 'MODIFIED a', 'DELETED b']);
  watcher.close();
}

/** Starts a watcher, and waits until it has emitted an event `times` times, and then been quiet. */
async function after(namespace, event, times, options) {
  await K8s(kind.ConfigMap).Create(watched(namespace, 'a'));
  const { seen, watcher } = watch(namespace, options);
  let count = 0;
  watcher.events.on(event, () => (count += 1));
  await watcher.start();
  await K8s(kind.ConfigMap).Create(watched(namespace, 'b'));
  await eventually('what was made', () => seen.includes('ADDED b'));
  await eventually(`${event}, ${times} times`, () => count >= times);
  await K8s(kind.ConfigMap).Create(watched(namespace, 'c'));
  await eventually('what was made in the meantime', () => seen.includes('ADDED c'));
  watcher.close();
}

const relists = (namespace) => after(namespace, WatchEvent.LIST, 3, { relistIntervalSec: 1 });
const reconnects = (namespace) => after(namespace, WatchEvent.RECONNECT, 1, { resyncDelaySec: 1, lastSeenLimitSeconds: 1 });

const cases = {
  'fluent: creates, reads, selects, deletes': readsAndWrites,
  'fluent: applies, patches, adds and removes finalizers': applies,
  'fluent: scales, and writes statuses': scales,
  'Watcher: brings what there is and every change': watches,
  'Watcher: relists from time to time': relists,
  'Watcher: reconnects after a quiet time': reconnects,
};

for (const [name, body] of Object.entries(cases)) {
  const why = await namespaceOf()
    .then(body)
    .then(
      () => undefined,
      (error) => (error instanceof Error ? String(error) : JSON.stringify(error)),
    );
  log(JSON.stringify({ case: name, passed: why === undefined, why }));
}
process.exit(0);
