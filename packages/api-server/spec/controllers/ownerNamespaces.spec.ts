import { describe, expect, it } from '@jest/globals';
import { createInformer, resources, waitUntil } from 'rx-informer';
import { startApiServer } from '../../src/startApiServer.js';

const { configmaps, events, namespaces } = resources.core.v1;

describe('an owner in another namespace', () => {
  it('is none: the dependent is collected, and an event says why', async () => {
    const server = await startApiServer();
    const { client } = server;
    await client.create(namespaces, { metadata: { name: 'other' } });
    const owner = await client.create(configmaps, { metadata: { name: 'owner', namespace: 'other' } });
    const uid = owner.metadata?.uid ?? '';
    const warnings = createInformer(client, events, { namespace: 'default', fieldSelector: 'reason=OwnerRefInvalidNamespace' });
    await warnings.whenSynced();
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }];
    await client.create(configmaps, { metadata: { name: 'dependent', namespace: 'default', ownerReferences } });
    await waitUntil(warnings, [(event) => event.type === 'added'], { timeoutMs: 60_000 });
    expect(warnings.lister.list()).toMatchObject([
      {
        type: 'Warning',
        involvedObject: { kind: 'ConfigMap', name: 'dependent', namespace: 'default' },
        message: `ownerRef [v1/ConfigMap, namespace: default, name: owner, uid: ${uid}] does not exist in namespace "default"`,
      },
    ]);
    await expect(client.get(configmaps, 'dependent', { namespace: 'default' })).rejects.toThrow('not found');
    await warnings.stop();
    await server.close();
  });
});
