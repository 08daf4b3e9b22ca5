import { describe, expect, it } from '@jest/globals';
import { createInformer, resources, waitUntil } from 'rx-informer';
import { configMap } from 'rx-informer/testing';
import type { ApiServerProfile } from '../../src/profile.js';
import { startApiServer } from '../../src/startApiServer.js';

describe('an informer', () => {
  it.each<[ApiServerProfile, initial: readonly string[], lists: number]>([
    ['current', ['was-there'], 0],
    ['gate-off', ['was-there'], 1],
    ['1.26', ['was-there'], 1],
    // Nothing is there, so that nothing comes of the stream: that is noticed after 2 s, in place of 10 s.
    ['1.18', [], 1],
  ])('on a server of the profile %s with %j is in sync after %d lists, and follows changes', async (profile, initial, lists) => {
    const server = await startApiServer({ profile });
    server.objects.put(initial.map((name) => configMap(name)));
    server.activity.clear();
    const informer = createInformer(server.client, resources.core.v1.configmaps, {
      namespace: 'default',
      logger: { warn: () => undefined },
    });

    await informer.whenSynced();
    server.objects.put(configMap('later'));
    await waitUntil(informer, [(event) => event.type === 'added' && event.key === 'default/later']);

    expect(informer.indexer.listKeys().sort()).toEqual(['later', ...initial].map((name) => `default/${name}`));
    expect(server.activity.requests.filter(({ verb }) => verb === 'list')).toHaveLength(lists);
    await informer.stop();
    await server.close();
  });
});
