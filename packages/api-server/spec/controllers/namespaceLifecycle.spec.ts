import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createApiServer, type ApiServer } from '../../src/createApiServer.js';
import { yieldNow } from '../../src/read/yieldNow.js';
import { createManualClock } from 'rx-informer/testing';
import { send } from '../support/httpClient.js';

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly message: string;
}

const namespace = '/api/v1/namespaces/going';
const mergePatch = { 'content-type': 'application/merge-patch+json' };
const held = ['example.com/held'];

describe('drainNamespaces', () => {
  const clock = createManualClock(Date.UTC(2026, 0, 1));
  let server: ApiServer;

  beforeEach(async () => {
    server = await createApiServer({ clock });
    server.objects.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'going' } });
  });
  afterEach(() => server.close());

  const put = (kind: string, name: string, finalizers: readonly string[] = []): void => {
    const spec = kind === 'Pod' ? { spec: { containers: [{ name: 'c', image: 'i' }] } } : {};
    server.objects.put({ apiVersion: 'v1', kind, metadata: { name, namespace: 'going', finalizers: [...finalizers] }, ...spec });
  };
  const release = (pod: string): Promise<unknown> =>
    send(server, `${namespace}/pods/${pod}`, { method: 'PATCH', headers: mergePatch, body: { metadata: { finalizers: null } } });
  const names = (kind: string): readonly string[] =>
    server.objects.list({ apiVersion: 'v1', kind }, 'going').map(({ metadata }) => metadata?.name ?? '');
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 3; turn += 1) await yieldNow();
  };
  const conditions = async (): Promise<Readonly<Record<string, string>>> => {
    const { json } = await send(server, namespace);
    const found = (json.status['conditions'] ?? []) as readonly Condition[];
    return Object.fromEntries(found.map(({ type, status, message }) => [type, `${status}: ${message}`]));
  };

  it('deletes nothing else while there are pods', async () => {
    put('Pod', 'kept', held);
    put('ConfigMap', 'settings');
    await send(server, namespace, { method: 'DELETE' });
    await settle();
    expect(server.objects.get({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'kept', namespace: 'going' } })).toHaveProperty(
      'metadata.deletionTimestamp',
    );
    expect(names('ConfigMap')).toEqual(['settings']);
    await release('kept');
    await settle();
    expect((await send(server, namespace)).code).toBe(404);
  });

  it('says after five seconds what is left, and with which finalizers', async () => {
    put('ConfigMap', 'a', [...held, 'example.com/other']);
    put('ConfigMap', 'b', held);
    put('Secret', 'c', held);
    put('Secret', 'd');
    await send(server, namespace, { method: 'DELETE' });
    await settle();
    expect(names('Secret')).toEqual(['c']);
    expect(await conditions()).toEqual({});
    clock.advanceBy(6_000);
    await settle();
    expect(await conditions()).toMatchObject({
      NamespaceDeletionContentFailure: 'False: All content successfully deleted, may be waiting on finalization',
      NamespaceContentRemaining:
        'True: Some resources are remaining: configmaps. has 2 resource instances, secrets. has 1 resource instances',
      NamespaceFinalizersRemaining:
        'True: Some content in the namespace has finalizers remaining: example.com/held in 3 resource instances, example.com/other in 1 resource instances',
    });
  });

  it('does not write the same conditions again', async () => {
    put('Pod', 'a', held);
    put('Pod', 'b', held);
    await send(server, namespace, { method: 'DELETE' });
    clock.advanceBy(6_000);
    await settle();
    const { json } = await send(server, namespace);
    await release('a');
    await settle();
    expect((await send(server, namespace)).json.metadata.resourceVersion).toBe(json.metadata.resourceVersion);
  });
});
