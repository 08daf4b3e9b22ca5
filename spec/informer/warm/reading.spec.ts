import { describe, expect, it } from '@jest/globals';
import { delay, EMPTY, NEVER, of, VirtualTimeScheduler } from 'rxjs';
import { resources } from '../../../src/api/resources.js';
import type { V1Pod } from '../../../src/api/kubernetes/coreV1.js';
import { createInformer } from '../../../src/informer/createInformer.js';
import type { SharedInformer } from '../../../src/informer/sharedInformer.js';
import type { SavedSnapshot } from '../../../src/informer/warm/snapshotStore.js';
import { warmStart } from '../../../src/informer/warm/warmStart.js';
import { pod } from '../../../src/testing/fakes/fixtures.js';
import { advanceBy } from '../../../src/testing/marbles/advanceBy.js';
import { fakeClient } from '../fakeClient.js';

const namespaces = ['one', 'three', 'two'];
/** How long the server takes to list a namespace. */
const listMs: Readonly<Record<string, number>> = { one: 100, two: 10_000, three: 1_000_000 };
const utf8 = new TextEncoder();

/** The pod `saved` of each namespace, at a version that the server does not have any more. */
const saved: SavedSnapshot = {
  savedAt: 0,
  resourceVersions: new Map(namespaces.map((namespace) => [namespace, '1'])),
  keys: () => namespaces.map((namespace) => `${namespace}/saved`),
  read: (key) => utf8.encode(JSON.stringify(pod(key))),
  readAll: () => NEVER,
  close: () => undefined,
};

/** An informer that shows a snapshot; the server has the pod `new` in each namespace. */
async function restored(
  read: SavedSnapshot['read'] = (key) => saved.read(key),
): Promise<{ readonly scheduler: VirtualTimeScheduler; readonly informer: SharedInformer<V1Pod> }> {
  const scheduler = new VirtualTimeScheduler();
  const client = fakeClient(scheduler);
  const server = client.serverOf('pods');
  for (const namespace of namespaces) server.add(pod(`${namespace}/new`));
  const slow = {
    ...client,
    server: () => Promise.resolve('https://localhost'),
    listChunks: ((resource, request) =>
      client.listChunks(resource, request).pipe(delay(listMs[request.namespace ?? ''] ?? 0, scheduler))) as typeof client.listChunks,
  };
  const parts = [warmStart({ open: () => of({ ...saved, read }), save: () => EMPTY })];
  const plain = { listStrategy: 'list', logger: { warn: () => undefined } } as const;
  const informer = createInformer(slow, resources.core.v1.pods, { namespace: namespaces, parts, scheduler, ...plain });
  informer.start();
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  server.expire();
  return { scheduler, informer };
}

describe('the reads of a restored cache', () => {
  it('show a namespace as it is once it is listed, also at the version of one that was listed before', async () => {
    const { scheduler, informer } = await restored();
    const names = (): readonly (string | undefined)[] =>
      informer.indexer
        .list()
        .map(({ metadata }) => `${metadata?.namespace}/${metadata?.name}`)
        .sort();
    expect(names()).toEqual(['one/saved', 'three/saved', 'two/saved']);
    advanceBy(scheduler, 5_000);
    expect([informer.lastSyncResourceVersion('one'), names()]).toEqual(['4', ['one/new', 'three/saved', 'two/saved']]);
    advanceBy(scheduler, 20_000);
    expect([informer.lastSyncResourceVersion('two'), informer.health().state]).toEqual(['4', 'restored']);
    expect(names()).toEqual(['one/new', 'three/saved', 'two/new']);
    expect(informer.indexer.listKeys().sort()).toEqual(names());
  });

  it('use the last index of a name', async () => {
    const { informer } = await restored();
    const remove = informer.addIndexers({ by: ({ metadata }) => [metadata?.namespace ?? ''] });
    expect(informer.indexer.byIndex('by', 'one')).toHaveLength(1);
    remove();
    informer.addIndexers({ by: ({ metadata }) => [metadata?.name ?? ''] });
    expect([informer.indexer.byIndex('by', 'one'), informer.indexer.byIndex('by', 'saved')].map(({ length }) => length)).toEqual([0, 3]);
  });

  it('are those of the cache, and the health says so, once the snapshot has turned out to be damaged', async () => {
    const { informer } = await restored(() => {
      throw new Error('the checksum is another one');
    });
    expect(informer.health().state).toBe('restored');
    expect(informer.indexer.getByKey('one/saved')).toBeUndefined();
    expect(informer.health().state).not.toBe('restored');
  });
});
