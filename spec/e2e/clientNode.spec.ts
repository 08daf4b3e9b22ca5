import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  CoordinationV1Api,
  CoreV1Api,
  type Informer,
  KubeConfig,
  makeInformer,
  NetworkingV1Api,
  type ObjectCache,
  V1ConfigMap,
  V1ObjectMeta,
} from '@kubernetes/client-node';
import { resources } from '../../src/api/resources.js';
import { createClient } from '../../src/client/createClient.js';
import { toClientNode } from '../../src/client/toClientNode.js';
import { startServerProcess, type ServerProcess } from './serverProcess.js';

const namespace = 'default';

function configMap(name: string, data: Record<string, string> = {}): V1ConfigMap {
  return Object.assign(new V1ConfigMap(), { metadata: Object.assign(new V1ObjectMeta(), { name }), data });
}

/** Resolves with the next object that the informer tells of. */
function next(informer: Informer<V1ConfigMap>, verb: 'add' | 'update' | 'delete', name: string): Promise<V1ConfigMap> {
  return new Promise((resolve) => {
    informer.on(verb as 'add', (object) => {
      if (object.metadata?.name === name) resolve(object);
    });
  });
}

describe('@kubernetes/client-node', () => {
  let server: ServerProcess;
  let config: KubeConfig;
  let api: CoreV1Api;
  let informer: Informer<V1ConfigMap> & ObjectCache<V1ConfigMap>;

  beforeAll(async () => {
    server = await startServerProcess();
    config = new KubeConfig();
    const cluster = { name: 'c', server: server.url, skipTLSVerify: true };
    config.loadFromClusterAndUser(cluster, { name: 'u' });
    api = config.makeApiClient(CoreV1Api);
  });

  afterAll(async () => {
    await server.end();
  });

  it('reads, writes and refuses through its typed API', async () => {
    const created = await api.createNamespacedConfigMap({ namespace, body: configMap('typed', { a: '1' }) });
    expect(created.metadata?.uid).toMatch(/^[0-9a-f-]{36}$/);
    const replaced = await api.replaceNamespacedConfigMap({ namespace, name: 'typed', body: Object.assign(created, { data: { a: '2' } }) });
    expect(replaced.data).toEqual({ a: '2' });
    const patch = [{ op: 'replace', path: '/data/a', value: '3' }];
    const patched = await api.patchNamespacedConfigMap({ namespace, name: 'typed', body: patch });
    expect(patched.data).toEqual({ a: '3' });
    expect((await api.listNamespacedConfigMap({ namespace })).items.map(({ metadata }) => metadata?.name)).toContain('typed');
    await api.deleteNamespacedConfigMap({ namespace, name: 'typed' });
    await expect(api.readNamespacedConfigMap({ namespace, name: 'typed' })).rejects.toMatchObject({ code: 404 });
  });

  it('follows changes with its informer', async () => {
    await api.createNamespacedConfigMap({ namespace, body: configMap('first', { a: '1' }) });
    informer = makeInformer(config, `/api/v1/namespaces/${namespace}/configmaps`, () => api.listNamespacedConfigMap({ namespace }));
    const first = next(informer, 'add', 'first');
    await informer.start();
    expect((await first).data).toEqual({ a: '1' });

    const second = next(informer, 'add', 'second');
    await api.createNamespacedConfigMap({ namespace, body: configMap('second') });
    await second;
    const updated = next(informer, 'update', 'first');
    await api.patchNamespacedConfigMap({ namespace, name: 'first', body: [{ op: 'replace', path: '/data/a', value: '2' }] });
    expect((await updated).data).toEqual({ a: '2' });
    const deleted = next(informer, 'delete', 'second');
    await api.deleteNamespacedConfigMap({ namespace, name: 'second' });
    await deleted;
    expect(informer.list(namespace).map(({ metadata }) => metadata?.name)).toEqual(['first']);
    await informer.stop();
  });

  it('writes what toClientNode converts, and loses nothing', async () => {
    const client = createClient({ server: server.url });
    const policy = await client.create(resources.networking.v1.networkpolicies, {
      metadata: { name: 'web', namespace },
      spec: { podSelector: {}, policyTypes: ['Ingress'], ingress: [{ from: [{ podSelector: { matchLabels: { app: 'web' } } }] }] },
    });
    const lease = await client.create(resources.coordination.v1.leases, {
      metadata: { name: 'web', namespace },
      spec: { holderIdentity: 'a', renewTime: '2024-01-01T00:00:00.123456Z' },
    });

    await config.makeApiClient(NetworkingV1Api).replaceNamespacedNetworkPolicy({ name: 'web', namespace, body: toClientNode(policy) });
    await config.makeApiClient(CoordinationV1Api).replaceNamespacedLease({ name: 'web', namespace, body: toClientNode(lease) });
    expect((await client.get(resources.networking.v1.networkpolicies, 'web', { namespace })).spec).toEqual(policy.spec);
    expect((await client.get(resources.coordination.v1.leases, 'web', { namespace })).spec).toEqual(lease.spec);
    client.close();
  });
});
