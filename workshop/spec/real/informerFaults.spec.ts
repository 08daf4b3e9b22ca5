import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createClient,
  createInformer,
  customResource,
  type KubeClient,
  type KubernetesObject,
  type Resource,
  type ResourceInformerOptions,
  resources,
} from 'rx-informer';
import { requests } from 'rx-informer/pipeline';
import { type RealApiServer, startRealApiServer } from '@rx-informer/api-server';
import { Follower } from '../../../spec/e2e/follower.js';
import { apiServerArgs } from '../../tools/real/apiServerArgs.js';

const configMaps = resources.core.v1.configmaps;
const patienceMs = 120_000;
const group = 'real.example.com';
const widgets = customResource<KubernetesObject>({ group, version: 'v1', plural: 'widgets', kind: 'Widget', namespaced: true });
const definition = {
  metadata: { name: `widgets.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

describe('an informer of a real API server', () => {
  let server: RealApiServer;
  /** Sees the server as it is. */
  let truth: KubeClient;
  let namespace: string;
  let spaces = 0;
  const ends: (() => unknown)[] = [];

  beforeAll(async () => {
    server = await startRealApiServer({ apiServerArgs });
    truth = createClient({ server: server.url, ...server.credentials });
  }, patienceMs);
  afterAll(async () => {
    truth.close();
    await server.close();
  });
  beforeEach(async () => {
    spaces += 1;
    namespace = `space-${String(spaces)}`;
    await truth.create(resources.core.v1.namespaces, { metadata: { name: namespace } });
    for (const name of ['a', 'b', 'c']) await truth.create(configMaps, { metadata: { name, namespace } });
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  const follow = <T extends KubernetesObject>(
    client: KubeClient,
    resource: Resource<T, 'list' | 'watch'>,
    options: ResourceInformerOptions<T> = {},
  ): Follower<T> => {
    const informer = createInformer(client, resource, { namespace, backoff: { initialMs: 20, maxMs: 100 }, ...options });
    ends.push(() => informer.stop());
    return new Follower<T>(informer, { truth, resource: resource as Resource<T>, namespace });
  };
  const change = async (): Promise<void> => {
    await truth.create(configMaps, { metadata: { name: 'd', namespace } });
    await truth.patch(configMaps, 'b', 'merge', { data: { changed: 'yes' } }, { namespace });
    await truth.delete(configMaps, 'c', { namespace });
  };

  it.each(['list', 'watchList'] as const)(
    'misses nothing while the server is killed and starts again, with the strategy %s',
    async (listStrategy) => {
      const follower = follow(server.client, configMaps, { listStrategy });
      await follower.reaches(({ state }) => state === 'watching');
      await change();
      await server.compact();
      await server.restart('SIGKILL');
      await truth.create(configMaps, { metadata: { name: 'e', namespace } });
      expect(await follower.differences()).toEqual([]);
      expect(follower.errors.length).toBeGreaterThan(0);
    },
    patienceMs,
  );

  it(
    'replaces the connection to a server that has stopped, and goes on when it is back',
    async () => {
      const follower = follow(server.client, configMaps, { idleTimeoutMs: 1_000, parts: [requests({ listTimeoutMs: 1_000 })] });
      await follower.reaches(({ state }) => state === 'watching');
      const { pid = 0 } = server;
      process.kill(pid, 'SIGSTOP');
      try {
        await follower.fails('ERR_WATCH_START');
        expect(follower.informer.health()).toMatchObject({ synced: true, state: 'retrying' });
      } finally {
        process.kill(pid, 'SIGCONT');
      }
      await change();
      expect(await follower.differences()).toEqual([]);
    },
    patienceMs,
  );

  it(
    'is there when a custom resource is defined, removed and defined again',
    async () => {
      const definitions = resources.apiextensions.v1.customresourcedefinitions;
      const follower = follow(server.client, widgets);
      await follower.fails('ERR_NOT_SERVED');
      await truth.create(definitions, definition);
      await follower.reaches(({ state }) => state === 'watching');
      await truth.create(widgets, { metadata: { name: 'one', namespace } });
      expect(await follower.differences()).toEqual([]);
      await truth.delete(definitions, definition.metadata.name);
      await follower.reaches(({ state }) => state === 'retrying');
      for (;;) {
        // The definition is deleted only after its objects.
        const made = await truth.create(definitions, definition).catch(() => undefined);
        if (made !== undefined) break;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      await follower.reaches(({ state }) => state === 'watching');
      await truth.create(widgets, { metadata: { name: 'two', namespace } });
      expect(await follower.differences()).toEqual([]);
    },
    patienceMs,
  );

  it('is refused with 403, and reads once a role is granted', async () => {
    const { cert: clientCert, key: clientKey } = server.issueCertificate({ name: 'carol', groups: [] });
    const carol = createClient({ server: server.url, ca: server.credentials.ca ?? '', clientCert, clientKey });
    ends.push(() => carol.close());
    const follower = follow(carol, configMaps);
    await follower.fails('ERR_LIST');
    await truth.create(resources.rbac.v1.rolebindings, {
      metadata: { name: 'carol-reads', namespace },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'User', name: 'carol', apiGroup: 'rbac.authorization.k8s.io' }],
    });
    await follower.reaches(({ state }) => state === 'watching');
    expect(await follower.differences()).toEqual([]);
  });
});
