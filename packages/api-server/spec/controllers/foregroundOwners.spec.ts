import { describe, expect, it } from '@jest/globals';
import { filter, firstValueFrom } from 'rxjs';
import { createInformer, resources } from 'rx-informer';
import { startApiServer } from '../../src/startApiServer.js';

const { configmaps } = resources.core.v1;
const namespace = 'default';

describe('a foreground deletion', () => {
  it('leaves what another owner keeps, and strikes the owner that goes', async () => {
    const server = await startApiServer();
    const create = async (name: string, ownerReferences: readonly object[] = []): Promise<object> => {
      const { metadata } = await server.client.create(configmaps, {
        metadata: { name, namespace, ownerReferences: ownerReferences as never },
      });
      return { apiVersion: 'v1', kind: 'ConfigMap', name, uid: metadata?.uid ?? '', blockOwnerDeletion: true };
    };
    const [going, staying] = [await create('going'), await create('staying')];
    await create('shared', [going, staying]);
    await create('own', [going]);
    const informer = createInformer(server.client, configmaps, { namespace });
    await informer.whenSynced();
    await server.client.delete(configmaps, 'going', { namespace, propagationPolicy: 'Foreground' });
    await firstValueFrom(informer.index$.pipe(filter((index) => !index.has('default/going'))), { defaultValue: undefined });
    expect(informer.indexer.listKeys().sort()).toEqual(['default/shared', 'default/staying']);
    expect(informer.lister.getOrThrow('default/shared').metadata?.ownerReferences).toEqual([staying]);
    await informer.stop();
    await server.close();
  });
});
