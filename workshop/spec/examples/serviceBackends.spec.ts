import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { filter, firstValueFrom, map } from 'rxjs';
import { serviceBackends } from '../../../examples/service-backends/serviceBackends.js';
import { type Collection, createInformerFactory, resources } from 'rx-informer';
import { startApiServer, type TestApiServer } from '@rx-informer/api-server';

const { nodes, pods, services } = resources.core.v1;
const { endpointslices } = resources.discovery.v1;
const namespace = 'default';
const zoneLabel = 'topology.kubernetes.io/zone';

let server: TestApiServer;
beforeEach(async () => {
  server = await startApiServer();
});
afterEach(() => server.close());

async function runPod({ client }: TestApiServer, name: string, nodeName: string, ready: 'True' | 'False'): Promise<void> {
  const spec = { nodeName, containers: [{ name: 'main', image: 'nginx:1' }] };
  await client.create(pods, { metadata: { name, namespace, labels: { app: 'web' } }, spec });
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: ready }] };
  await client.status.patch(pods, name, 'merge', { status }, { namespace });
}

/** Resolves when a collection has exactly this content. */
async function until<T>(collection: Collection<T>, show: (value: T) => string, expected: readonly string[]): Promise<void> {
  const contents = collection.index$.pipe(map((all) => [...all.values()].map(show).sort()));
  await firstValueFrom(contents.pipe(filter((content) => content.join() === expected.join())), { defaultValue: [] });
}

describe('examples/service-backends', () => {
  it('keeps up one row for each service and zone, from services, slices, pods and nodes', async () => {
    const { client } = server;
    for (const [name, zone] of [
      ['n1', 'north'],
      ['n2', 'south'],
    ] as const)
      await client.create(nodes, { metadata: { name, labels: { [zoneLabel]: zone } } });
    await client.create(services, { metadata: { name: 'web', namespace }, spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } });
    await client.create(services, { metadata: { name: 'external', namespace }, spec: { ports: [{ port: 80 }] } });
    await runPod(server, 'a', 'n1', 'True');
    await runPod(server, 'b', 'n2', 'True');
    await runPod(server, 'c', 'n2', 'False');
    const factory = createInformerFactory(client);
    const { rows, readyPerZone } = serviceBackends(factory);
    rows.start();
    readyPerZone.start();
    const rowsAre = (...expected: string[]): Promise<void> =>
      until(rows, ({ key, ready, pods: all, nodes: on }) => `${key} ${ready}/${all} on ${on.join('+')}`, expected);

    await rowsAre('default/web:north 1/1 on n1', 'default/web:south 1/2 on n2');
    expect([readyPerZone.indexer.getByKey('north'), readyPerZone.indexer.getByKey('south')]).toEqual([1, 1]);

    await client.create(endpointslices, {
      metadata: { name: 'web-1', namespace, labels: { 'kubernetes.io/service-name': 'web' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['192.0.2.1'], conditions: { ready: false }, targetRef: { kind: 'Pod', name: 'b', namespace } }],
      ports: [],
    });
    await rowsAre('default/web:north 1/1 on n1', 'default/web:south 0/2 on n2');
    await client.patch(nodes, 'n1', 'merge', { metadata: { labels: { [zoneLabel]: 'south' } } });
    await rowsAre('default/web:south 1/3 on n1+n2');
    expect([readyPerZone.indexer.getByKey('north'), readyPerZone.indexer.getByKey('south')]).toEqual([undefined, 1]);
    expect(rows.explain('default/web:south')?.inputs.map(({ collection }) => collection)).toContain('zones');

    await client.delete(services, 'web', { namespace });
    await rowsAre();
    await rows.stop();
    await readyPerZone.stop();
    await factory.shutdown();
  });
});
