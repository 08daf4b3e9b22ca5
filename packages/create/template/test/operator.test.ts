import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createClient, isNotFound, type KubeClient, resources } from 'rx-informer';
import { createManager, type Manager, type ManagerResult } from '@rx-informer/controller/manager';
import { startApiServer, type TestApiServer } from '@rx-informer/api-server';
import { type WebSite, websites } from '../src/webSite.js';
import { webSiteController } from '../src/webSiteController.js';

const { deployments } = resources.apps.v1;
const inDefault = { namespace: 'default' };
const shop: WebSite = { metadata: { name: 'shop', ...inDefault }, spec: { host: 'shop.example.com', image: 'nginx:1', replicas: 2 } };
const silent = { info: () => undefined, error: () => undefined };

/** Waits until the condition is met; the test runner limits the time. */
async function eventually(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo().catch(() => false))) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe('the operator, against an API server', () => {
  let server: TestApiServer;
  /** The operator's own client, so that its permissions are recorded separately from those of the tests. */
  let client: KubeClient;
  let manager: Manager;
  let ended: Promise<ManagerResult>;

  beforeEach(async () => {
    server = await startApiServer();
    await server.client.create(resources.apiextensions.v1.customresourcedefinitions, websites.definition);
    client = createClient({ server: server.url, userAgent: 'my-operator' });
    manager = createManager({ client, process: false, logger: silent });
    manager.add('websites', webSiteController);
    ended = manager.run();
  });

  afterEach(async () => {
    try {
      await manager.stop();
      assert.equal((await ended).error, undefined);
      // The manifests must grant every right that the operator has used in the tests.
      const manifests = readFileSync('manifests/operator.yaml', 'utf8');
      const used = server.rbac({ userAgent: 'my-operator', namespaces: 'any', names: 'any' });
      used.expectGrantedBy(manifests, { serviceAccount: 'my-operator/my-operator' });
    } finally {
      // An open client or server keeps the process from ending.
      client.close();
      await server.close();
    }
  });

  const deploymentOf = () => server.client.get(deployments, 'shop', inDefault);
  const replicasAre = (replicas: number) => async () => (await deploymentOf()).spec?.replicas === replicas;
  const readyIs = (status: string) => async () =>
    (await server.client.get(websites, 'shop', inDefault)).status?.conditions?.[0]?.status === status;

  it('serves a site, follows its changes, and repairs what others break', async () => {
    const { client } = server;
    await client.create(websites, shop);
    await eventually(readyIs('False'));
    await client.status.patch(deployments, 'shop', 'merge', { status: { replicas: 2, readyReplicas: 2 } }, inDefault);
    await eventually(readyIs('True'));
    await client.patch(websites, 'shop', 'merge', { spec: { replicas: 3 } }, inDefault);
    await eventually(replicasAre(3));
    await client.patch(deployments, 'shop', 'merge', { spec: { replicas: 7 } }, inDefault);
    await eventually(replicasAre(3));
    const before = (await deploymentOf()).metadata?.uid;
    await client.delete(deployments, 'shop', inDefault);
    await eventually(async () => (await deploymentOf()).metadata?.uid !== before);
  });

  it('leaves nothing behind', async () => {
    await server.client.create(websites, shop);
    await eventually(replicasAre(2));
    await server.client.delete(websites, 'shop', inDefault);
    await eventually(() => deploymentOf().then(() => false, isNotFound));
  });

  it('comes through conflicts, errors of the server and broken watches', async () => {
    const { client, faults } = server;
    faults.inject({ type: 'answer', code: 409, verb: 'patch', count: 2 });
    faults.inject({ type: 'answer', code: 500, verb: 'patch', resource: 'services', count: 1 });
    await client.create(websites, shop);
    await eventually(readyIs('False'));
    faults.inject({ type: 'cut', at: 'body', verb: 'watch', atOnce: true, count: 3 });
    await client.patch(websites, 'shop', 'merge', { spec: { replicas: 5 } }, inDefault);
    await eventually(replicasAre(5));
    // The history is gone, so the informer finds the changes meanwhile by a list.
    faults.expire();
    faults.endWatches();
    await client.patch(websites, 'shop', 'merge', { spec: { replicas: 1 } }, inDefault);
    await eventually(replicasAre(1));
  });
});
