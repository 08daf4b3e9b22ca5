import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

import { desiredChildren, statusOf } from '../../../examples/website-operator/desiredState.js';
import { webSiteController } from '../../../examples/website-operator/webSiteController.js';
import { type WebSite, websites } from '../../../examples/website-operator/webSite.js';
import { isNotFound, resources } from 'rx-informer';
import type { Outcome } from '@rx-informer/controller';
import { createManager, type Manager } from '@rx-informer/controller/manager';
import { startApiServer, type TestApiServer } from '@rx-informer/api-server';

const { deployments } = resources.apps.v1;
const { services } = resources.core.v1;
const inDefault = { namespace: 'default' };
const shop: WebSite = { metadata: { name: 'shop', ...inDefault }, spec: { host: 'shop.example.com', image: 'nginx:1', replicas: 2 } };

describe('statusOf', () => {
  const site = { ...shop, metadata: { ...shop.metadata, uid: 'u', generation: 3 }, apiVersion: 'example.com/v1', kind: 'WebSite' };
  const deploymentWith = (readyReplicas: number) => ({ ...desiredChildren(site)[0], status: { readyReplicas } });
  const at = (second: number): Date => new Date(Date.UTC(2024, 0, 1, 0, 0, second));

  it('is ready when all wanted replicas are, and remembers since when', () => {
    const starting = statusOf(site, undefined, at(1));
    expect(starting.conditions).toMatchObject([
      { type: 'Ready', status: 'False', message: '0 of 2 replicas are ready', observedGeneration: 3 },
    ]);
    const halfWay = statusOf({ ...site, status: starting }, deploymentWith(1), at(2));
    expect(halfWay.conditions).toMatchObject([{ status: 'False', lastTransitionTime: '2024-01-01T00:00:01Z' }]);
    const ready = statusOf({ ...site, status: halfWay }, deploymentWith(2), at(3));
    expect(ready.conditions).toMatchObject([{ status: 'True', reason: 'Serving', lastTransitionTime: '2024-01-01T00:00:03Z' }]);
    expect(statusOf({ ...site, status: ready }, deploymentWith(2), at(9))).toBe(ready);
  });
});

it('has a definition that is that of its code', () => {
  const text = readFileSync(new URL('../../../examples/website-operator/crd.yaml', import.meta.url), 'utf8');
  expect(parse(text)).toEqual(websites.definition);
});

describe('examples/website-operator', () => {
  let server: TestApiServer;
  let manager: Manager;
  let hosts: Set<string>;
  let outcomes: Outcome[];

  /** Reads again after every outcome, also one that came during the last read, until the condition holds. */
  const until = async (condition: () => Promise<boolean>): Promise<void> => {
    for (let seen = outcomes.length; !(await condition()); seen = outcomes.length) {
      if (seen === outcomes.length) await new Promise((resolve) => changed.push(resolve));
    }
  };
  let changed: ((value: unknown) => void)[];

  beforeEach(async () => {
    server = await startApiServer();
    await server.client.create(resources.apiextensions.v1.customresourcedefinitions, websites.definition);
    hosts = new Set();
    outcomes = [];
    changed = [];
    const nameServer = {
      register: (host: string) => Promise.resolve(void hosts.add(host)),
      unregister: (host: string) => Promise.resolve(void hosts.delete(host)),
    };
    manager = createManager({ client: server.client, process: false, logger: { info: () => undefined, error: () => undefined } });
    const tell = (outcome: Outcome): void => {
      outcomes.push(outcome);
      for (const wake of changed.splice(0)) wake(undefined);
    };
    manager.add('website-operator', webSiteController({ nameServer, tell }));
    void manager.run();
  });

  afterEach(async () => {
    await manager.stop();
    await server.close();
  });

  it('serves a site, follows its changes, repairs what others break, and clears up behind it', async () => {
    const { client } = server;
    const read = () => client.get(websites, 'shop', inDefault);
    const readyIs = (status: string) => async () => (await read()).status?.conditions?.[0]?.status === status;
    const deploymentOf = () => client.get(deployments, 'shop', inDefault).catch(() => undefined);

    await client.create(websites, shop);
    await until(readyIs('False'));
    const created = await deploymentOf();
    expect(created?.spec).toMatchObject({ replicas: 2, template: { spec: { containers: [{ image: 'nginx:1' }] } } });
    expect((await client.get(services, 'shop', inDefault)).spec?.ports).toMatchObject([{ port: 80 }]);
    expect([...hosts]).toEqual(['shop.example.com']);

    await client.status.patch(deployments, 'shop', 'merge', { status: { replicas: 2, readyReplicas: 2 } }, inDefault);
    await until(readyIs('True'));

    await client.patch(websites, 'shop', 'merge', { spec: { replicas: 3 } }, inDefault);
    await until(async () => (await deploymentOf())?.spec?.replicas === 3);
    await client.patch(deployments, 'shop', 'merge', { spec: { replicas: 7 } }, inDefault);
    await until(async () => (await deploymentOf())?.spec?.replicas === 3);
    await client.delete(deployments, 'shop', inDefault);
    await until(async () => ![undefined, created?.metadata?.uid].includes((await deploymentOf())?.metadata?.uid));

    await client.delete(websites, 'shop', inDefault);
    await until(() => read().then(() => false, isNotFound));
    expect(hosts.size).toBe(0);
    await until(() => client.get(services, 'shop', inDefault).then(() => false, isNotFound));
  });

  it('comes to rest: nothing is written twice', async () => {
    await server.client.create(websites, shop);
    await until(async () => (await server.client.get(websites, 'shop', inDefault)).status !== undefined);
    await manager.stop();
    expect(outcomes.at(-1)).toEqual({ type: 'stopped', abandoned: [] });
    // The finalizer, the deployment, the service and the status; those that come during a call are one call.
    expect(outcomes.filter(({ type }) => type === 'started').length).toBeLessThanOrEqual(5);
    const written = server.activity.writes.filter(({ name }) => name === 'shop').map(({ type, resource }) => `${type} ${resource}`);
    expect(written.sort()).toEqual([
      ...['ADDED deployments.apps', 'ADDED services', 'ADDED websites.example.com'],
      ...['MODIFIED websites.example.com', 'MODIFIED websites.example.com'],
    ]);
  });
});
