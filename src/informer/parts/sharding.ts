import { isObservable, tap } from 'rxjs';
import { expectArgument } from '../../api/options.js';
import { slotOfObject } from '../../api/shardFilter.js';
import { type ShardSelection, shardedSource } from '../../source/shardedSource.js';
import { type InformerPart, originFor } from './part.js';

const shardRule = {
  expected: 'a shard by uid or namespace, as `joinShards` returns it',
  holds: (value: unknown): boolean => {
    const { by = '', shard$ } = (value ?? {}) as Partial<ShardSelection>;
    return ['uid', 'namespace'].includes(by) && isObservable(shard$);
  },
};

/**
 * Restricts an informer to the objects of a shard, as returned by `joinShards` of `@rx-informer/controller`. Other objects are dropped before they are parsed. An object
 * that leaves the shard is deleted with `reason: 'moved'`; objects that enter it are listed.
 *
 * @example
 * ```ts
 * import { joinShards } from '@rx-informer/controller';
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { sharding } from 'rx-informer/pipeline';
 *
 * const client = createClient();
 * const shards = joinShards(client, { name: 'web', namespace: 'default' });
 * createInformer(client, resources.core.v1.pods, { parts: [sharding(shards)] }).start();
 * ```
 *
 * @throws TypeError when it is no shard.
 */
export function sharding(shard: ShardSelection): InformerPart {
  expectArgument('sharding', 'shard', shard, shardRule);
  const { by } = shard;
  return {
    part: 'sharding',
    plug: (setup) => {
      const { cached } = originFor('sharding', setup);
      let degraded = (): readonly string[] => [];
      /** Also what no version of could be transformed: it leaves the shard like any other. */
      const present: typeof cached = () => {
        const cache = cached();
        return { listKeys: () => [...cache.listKeys(), ...degraded()], getByKey: (key) => cache.getByKey(key) };
      };
      let own: ReadonlySet<number> = new Set();
      const shard$ = shard.shard$.pipe(tap(({ slots }) => (own = slots)));
      return {
        owns: (object) => own.has(slotOfObject(object, by)),
        reflected: (namespace, settings, listerOf) =>
          shardedSource<never>({ shard: { by, shard$ }, namespace, settings, cached: present, listerOf }),
        attach: ({ informer }) => {
          degraded = () => informer.health().degraded;
          return {};
        },
      };
    },
  };
}
