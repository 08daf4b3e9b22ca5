import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BehaviorSubject, filter, firstValueFrom, lastValueFrom, toArray } from 'rxjs';
import { createInformer, type KubernetesObject, resources } from 'rx-informer';
import { listerWatcher, sharding } from 'rx-informer/pipeline';
import { type RealApiServer, startRealApiServer } from '@rx-informer/api-server';
import { type ShardField, shardSelectorOf, slotCount, slotOfObject } from '../../../src/api/shardFilter.js';
import { apiServerArgs } from '../../tools/real/apiServerArgs.js';

const configMaps = resources.core.v1.configmaps;
const allSlots = Array.from({ length: slotCount }, (_, slot) => slot);
const shards = [new Set(allSlots.slice(0, 50)), new Set(allSlots.slice(50))] as const;
const spaces = ['web', 'db', 'mail', 'cache'];
const keyOf = ({ metadata }: KubernetesObject): string => `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;

/** Shards are on by default since 1.38. */
const selects = ({ version }: RealApiServer): boolean => Number(/^v1\.(\d+)/.exec(version)?.[1]) >= 38;

describe('shards of a real API server', () => {
  let server: RealApiServer;

  beforeAll(async () => {
    server = await startRealApiServer({ apiServerArgs });
    for (const namespace of spaces) {
      await server.client.create(resources.core.v1.namespaces, { metadata: { name: namespace } });
      for (let number = 0; number < 20; number += 1)
        await server.client.create(configMaps, { metadata: { namespace, name: `map-${String(number)}` }, data: {} });
    }
  }, 120_000);
  afterAll(() => server.close());

  const keysIn = async (by: ShardField, slots: ReadonlySet<number>): Promise<readonly string[]> =>
    (await server.client.list(configMaps)).items.filter((object) => slots.has(slotOfObject(object, by))).map(keyOf);

  it.each<ShardField>(['uid', 'namespace'])('are those of the same hashes of %s, or are not selected at all', async (by) => {
    const source = listerWatcher(server.client, configMaps);
    for (const slots of shards) {
      const chunk$ = source.list({ shardSelector: shardSelectorOf({ by, slots }) });
      const chunks = await lastValueFrom(chunk$.pipe(toArray()), { defaultValue: [] });
      const all = (await server.client.list(configMaps)).items.map(keyOf);
      expect(chunks.flatMap(({ items }) => items).map(keyOf)).toEqual(selects(server) ? await keysIn(by, slots) : all);
      expect(chunks.some(({ metadata }) => metadata !== undefined && 'shardInfo' in metadata)).toBe(selects(server));
    }
  });

  it.each<ShardField>(['uid', 'namespace'])('are followed by informers that share the objects by %s', async (by) => {
    const informers = shards.map((slots) =>
      createInformer(server.client, configMaps, { parts: [sharding({ by, shard$: new BehaviorSubject({ slots }) })] }),
    );
    for (const informer of informers) await informer.whenSynced();
    const marked = { data: { by } };
    const { items } = await server.client.list(configMaps);
    for (const object of items)
      await server.client.patch(configMaps, object.metadata?.name ?? '', 'merge', marked, { namespace: object.metadata?.namespace ?? '' });
    for (const [at, informer] of informers.entries()) {
      const isMarked = (): boolean => informer.indexer.list().every(({ data }) => data?.['by'] === by);
      await firstValueFrom(informer.index$.pipe(filter(isMarked)), { defaultValue: undefined });
      expect(informer.indexer.listKeys().sort()).toEqual([...(await keysIn(by, shards[at] ?? new Set()))].sort());
      await informer.stop();
    }
  });
});
