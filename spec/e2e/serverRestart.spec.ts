import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { filter, firstValueFrom, map, merge, timer } from 'rxjs';
import type { V1ConfigMap } from '../../src/api/kubernetes/coreV1.js';
import type { ResourceEvent } from '../../src/api/events.js';
import { resources } from '../../src/api/resources.js';
import { createClient } from '../../src/client/createClient.js';
import type { KubeClient } from '../../src/client/kubeClient.js';
import { createInformer } from '../../src/informer/createInformer.js';
import { foldEvents, versionsOf } from './foldEvents.js';
import { startServerProcess, type ServerProcess } from './serverProcess.js';

const namespace = 'default';
const configMaps = resources.core.v1.configmaps;

describe('an informer whose server is killed', () => {
  let folder: string;
  let server: ServerProcess;
  let client: KubeClient;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rx-informer-spec-'));
    server = await startServerProcess('--data', join(folder, 'data'));
    client = createClient({ server: server.url });
  });

  afterEach(async () => {
    client.close();
    await server.end();
    await rm(folder, { recursive: true });
  });

  const create = (name: string): Promise<V1ConfigMap> => client.create(configMaps, { metadata: { name, namespace }, data: { name } });
  const listed = async (): Promise<Map<string, string>> => {
    const { items } = await client.list(configMaps, { namespace });
    return versionsOf(items);
  };

  it('goes on by itself when the server is back after ten seconds with the same data', async () => {
    for (let number = 0; number < 20; number += 1) await create(`before-${String(number)}`);
    const informer = createInformer(client, configMaps, { namespace, onError: () => 'retry' });
    const events: ResourceEvent<V1ConfigMap>[] = [];
    const early = foldEvents(informer, events);
    await informer.whenSynced();
    const version = informer.lastSyncResourceVersion();

    await server.end('SIGKILL');
    await firstValueFrom(informer.health$.pipe(filter(({ state }) => state === 'retrying')), { defaultValue: undefined });
    await firstValueFrom(timer(10_000), { defaultValue: 0 });
    expect(informer.lister.list()).toHaveLength(20);
    const { port } = server;
    server = await startServerProcess('--data', join(folder, 'data'), '--port', String(port));

    await create('after');
    await client.delete(configMaps, 'before-3', { namespace });
    const settled = merge(informer.resource$, informer.health$).pipe(
      map(() => early.has('default/after') && !early.has('default/before-3')),
      filter(Boolean),
    );
    await firstValueFrom(settled, { defaultValue: false });
    const late = foldEvents(informer);
    const truth = await listed();
    expect(early).toEqual(truth);
    expect(late).toEqual(truth);
    expect(versionsOf(informer.lister.list())).toEqual(truth);
    expect(events.filter(({ type }) => type === 'added')).toHaveLength(21);
    expect(events.filter(({ type }) => type === 'deleted').map((event) => (event.type === 'deleted' ? event.key : ''))).toEqual([
      'default/before-3',
    ]);
    expect(Number(informer.lastSyncResourceVersion())).toBeGreaterThan(Number(version));
    await informer.stop();
  });
});
