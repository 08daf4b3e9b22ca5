import { describe, expect, it } from '@jest/globals';
import { filter, firstValueFrom } from 'rxjs';
import { createInformer, resources } from 'rx-informer';
import { startApiServer } from '../../src/startApiServer.js';

const { configmaps } = resources.core.v1;
const namespace = 'default';

describe('owners in a circle', () => {
  it.each(['Foreground', 'Background'] as const)('are all collected when one is deleted, %s', async (propagationPolicy) => {
    const server = await startApiServer();
    const names = ['a', 'b', 'c'];
    const uids: string[] = [];
    for (const name of names) uids.push((await server.client.create(configmaps, { metadata: { name, namespace } })).metadata?.uid ?? '');
    for (const [at, name] of names.entries()) {
      const owner = (at + 1) % names.length;
      const ownerReferences = [
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          name: names[owner] ?? '',
          uid: uids[owner] ?? '',
          blockOwnerDeletion: true,
          controller: true,
        },
      ];
      await server.client.patch(configmaps, name, 'merge', { metadata: { ownerReferences } }, { namespace });
    }
    const informer = createInformer(server.client, configmaps, { namespace });
    await informer.whenSynced();
    await server.client.delete(configmaps, 'a', { namespace, propagationPolicy });
    const empty = await firstValueFrom(informer.index$.pipe(filter((index) => index.size === 0)), { defaultValue: undefined });
    expect(empty?.size).toBe(0);
    await informer.stop();
    await server.close();
  });
});
