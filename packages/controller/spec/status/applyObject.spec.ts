import { describe, expect, it } from '@jest/globals';

import { filter, firstValueFrom } from 'rxjs';
import { createClient, createInformer, type KubeClient, type ResourceEvent, resources, type V1Pod } from 'rx-informer';
import { readYourWrites } from 'rx-informer/pipeline';
import { applyObject, applyStatus } from '../../src/status/applyObject.js';
import { startApiServer } from '@rx-informer/api-server';

const { configmaps, services } = resources.core.v1;

/** A client that writes down what it is asked for. */
function recordingClient(): { client: KubeClient; calls: unknown[][] } {
  const calls: unknown[][] = [];
  const patch =
    (what: string) =>
    (...args: unknown[]): Promise<unknown> => {
      calls.push([what, ...args]);
      return Promise.resolve('the answer');
    };
  return { client: { patch: patch('object'), status: { patch: patch('status') } } as unknown as KubeClient, calls };
}

describe('applyObject', () => {
  it('applies the whole object but its managedFields, and takes fields over', async () => {
    const { client, calls } = recordingClient();
    const object = { metadata: { name: 'site', namespace: 'ns', labels: { a: 'b' }, managedFields: [] }, data: { title: 'Hello' } };
    await expect(applyObject(client, configmaps, object, { fieldManager: 'operator' })).resolves.toBe('the answer');
    const applied = { metadata: { name: 'site', namespace: 'ns', labels: { a: 'b' } }, data: { title: 'Hello' } };
    expect(calls).toEqual([['object', configmaps, 'site', 'apply', applied, { fieldManager: 'operator', force: true, namespace: 'ns' }]]);
  });

  it('passes options on, and takes nothing over if it is told so', async () => {
    const { client, calls } = recordingClient();
    const options = { fieldManager: 'operator', force: false, timeoutMs: 5 };
    await applyObject(client, resources.core.v1.nodes, { metadata: { name: 'n1' } }, options);
    expect(calls[0]?.at(-1)).toEqual(options);
  });

  it('refuses an object without a name', () => {
    const { client } = recordingClient();
    expect(() => applyObject(client, configmaps, { metadata: {} }, { fieldManager: 'operator' })).toThrow(
      new TypeError('Expected `object` to have a `metadata.name`, got none'),
    );
  });
});

describe('applyStatus', () => {
  it('applies the status and nothing else', async () => {
    const { client, calls } = recordingClient();
    const status = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } };
    const object = {
      metadata: { name: 'web', namespace: 'ns', resourceVersion: '7', labels: { a: 'b' } },
      spec: { clusterIP: 'None' },
      status,
    };
    await applyStatus(client, services, object, { fieldManager: 'operator' });
    const applied = { metadata: { name: 'web', namespace: 'ns' }, status };
    expect(calls).toEqual([['status', services, 'web', 'apply', applied, { fieldManager: 'operator', force: true, namespace: 'ns' }]]);
  });
});

describe('applyObject and applyStatus on a server', () => {
  it('create what is missing, change only their own fields, and take fields over', async () => {
    const server = await startApiServer();
    const { client } = server;
    const inDefault = { namespace: 'default' };
    const metadata = { name: 'applied', ...inDefault };
    const created = await applyObject(client, configmaps, { metadata, data: { mine: '1', gone: '1' } }, { fieldManager: 'operator' });
    expect(created).toMatchObject({ kind: 'ConfigMap', data: { mine: '1', gone: '1' } });
    await client.patch(configmaps, 'applied', 'merge', { data: { theirs: '1', mine: '9' } }, inDefault);

    const contested = { metadata, data: { mine: '2' } };
    await expect(applyObject(client, configmaps, contested, { fieldManager: 'operator', force: false })).rejects.toMatchObject({
      code: 409,
    });
    const applied = await applyObject(client, configmaps, contested, { fieldManager: 'operator' });
    expect(applied.data).toEqual({ mine: '2', theirs: '1' });

    const service = await client.create(services, { metadata, spec: { type: 'LoadBalancer', ports: [{ port: 80 }] } });
    const status = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } };
    await applyStatus(client, services, { ...service, spec: { ports: [{ port: 81 }] }, status }, { fieldManager: 'operator' });
    const after = await client.get(services, 'applied', inDefault);
    expect(after.status).toMatchObject(status);
    expect(after.spec?.ports?.[0]?.port).toBe(80);
    await server.close();
  });

  it('repairs what another one has changed where the server does not show what was applied', async () => {
    const { client, ...server } = await startApiServer();
    const { secrets } = resources.core.v1;
    const metadata = { name: 'applied', namespace: 'default' };
    const apply = (current: object): Promise<object> =>
      applyObject(client, secrets, { metadata, stringData: { password: 'ours' } }, { fieldManager: 'operator', current });
    const created = await apply({ metadata });
    expect(await apply(created)).toBe(created);
    const changed = await client.patch(secrets, 'applied', 'merge', { data: { password: 'eA==' } }, { namespace: 'default' });
    const repaired = await apply(changed);
    expect(repaired).toMatchObject({ data: { password: 'b3Vycw==' } });
    expect(await apply(repaired)).toBe(repaired);
    await server.close();
  });

  it('sends nothing again for a false or 0 that the server leaves out', async () => {
    const { client, ...server } = await startApiServer();
    const { pods } = resources.core.v1;
    const metadata = { name: 'applied', namespace: 'default' };
    const spec = {
      hostNetwork: false,
      containers: [{ name: 'c', image: 'x', stdin: false, startupProbe: { exec: { command: ['x'] }, initialDelaySeconds: 0 } }],
    };
    const apply = (current: object): Promise<object> =>
      applyObject(client, pods, { metadata, spec }, { fieldManager: 'operator', current });
    expect(await apply({ metadata })).not.toHaveProperty('spec.hostNetwork');
    const changed = await client.patch(pods, 'applied', 'merge', { metadata: { labels: { seen: 'yes' } } }, { namespace: 'default' });
    expect(await apply(changed)).toBe(changed);
    await server.close();
  });

  it.each<[string, object, number]>([
    ['what this client has applied', {}, 2],
    ['`managedFields` of any run of the program', { managedFields: 'keep' }, 0],
  ])('send only what would change something, by an informer and %s', async (_, kept, again) => {
    const server = await startApiServer();
    const { client } = server;
    const inDefault = { namespace: 'default' };
    const { pods } = resources.core.v1;
    const informer = createInformer(client, pods, { parts: [readYourWrites()], ...kept });
    try {
      informer.start();
      await informer.whenSynced();
      // As from the fields of a generated type: JSON leaves out what is undefined.
      const metadata = { name: 'site', ...inDefault, labels: undefined, annotations: undefined };
      const containers = [{ name: 'site', image: 'nginx', resources: { limits: { memory: '2048Mi' } } }];
      const status = { phase: 'Running' };
      const apply = async (of: KubeClient): Promise<number> => {
        const before = server.activity.requests.length;
        const options = { fieldManager: 'operator', current: informer };
        const applied = await applyObject(of, pods, { metadata, spec: { containers } }, options);
        await applyStatus(of, pods, { ...applied, status }, options);
        return server.activity.requests.slice(before).filter(({ verb }) => verb === 'patch').length;
      };
      expect(await apply(client)).toBe(2);
      const isRunning = filter<ResourceEvent<V1Pod>>((event) => event.type !== 'synced' && event.object.status?.phase === 'Running');
      await firstValueFrom(informer.resource$.pipe(isRunning), { defaultValue: undefined });
      expect(await apply(client)).toBe(0);
      // Another run of the program, which remembers nothing.
      const another = createClient({ server: server.url });
      expect(await apply(another)).toBe(again);
      another.close();
      await client.patch(pods, 'site', 'merge', { spec: { activeDeadlineSeconds: 60 } }, inDefault);
      await client.status.patch(pods, 'site', 'merge', { status: { phase: 'Failed' } }, inDefault);
      expect(await apply(client)).toBe(1);
    } finally {
      await informer.stop();
      await server.close();
    }
  });
});
