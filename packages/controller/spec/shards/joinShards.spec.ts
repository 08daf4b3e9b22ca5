import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { filter, firstValueFrom, Subject, type Subscription } from 'rxjs';
import { createInformer, isForbidden, resources, type SharedInformer, type V1ConfigMap } from 'rx-informer';
import { sharding } from 'rx-informer/pipeline';
import { type ShardField, slotCount } from '../../../../src/api/shardFilter.js';
import { leases } from '../../src/leader/leaseRecord.js';
import { LeaderElectionError } from '../../src/leader/leaderElectionError.js';
import { joinShards, type Shards } from '../../src/shards/joinShards.js';
import type { ShardRequest } from '../../src/shards/shardedReconcile.js';
import { startApiServer, type TestApiServer } from '@rx-informer/api-server';

const configMaps = resources.core.v1.configmaps;
const group = { namespace: 'default', name: 'group' } as const;
// Long leases: nothing here waits for one to run out.
const timing = { leaseDurationMs: 60_000, renewDeadlineMs: 40_000, retryPeriodMs: 50 } as const;

interface Member {
  readonly shards: Shards;
  readonly informer: SharedInformer<V1ConfigMap>;
  readonly loop: Subscription;
}

describe('joinShards', () => {
  let server: TestApiServer;
  const members: Member[] = [];
  /** The calls of each member. */
  const called$ = new Subject<{ readonly identity: string; readonly request: ShardRequest }>();

  const join = (
    identity: string,
    by: ShardField = 'uid',
    work: (request: ShardRequest) => Promise<void> = () => Promise.resolve(),
  ): Member => {
    const shards = joinShards(server.client, { ...group, ...timing, identity, by });
    const informer = createInformer(server.client, configMaps, { parts: [sharding(shards)] });
    const loop = shards
      .reconcile({
        primary: informer,
        concurrent: 100,
        reconcile: async (request) => {
          called$.next({ identity, request });
          await work(request);
        },
      })
      .subscribe({ error: (error: unknown) => console.error(error) });
    const member = { shards, informer, loop };
    members.push(member);
    return member;
  };
  const until = async ({ shards }: Member, slots: number): Promise<void> => {
    await firstValueFrom(shards.shard$.pipe(filter((shard) => shard.slots.size === slots)), { defaultValue: undefined });
  };

  beforeEach(async () => {
    server = await startApiServer();
    for (let number = 0; number < 30; number += 1)
      await server.client.create(configMaps, { metadata: { namespace: 'default', name: `map-${number}` } });
  });

  it('releases its lease when it leaves, also where the server is slower than its periods', async () => {
    const one = join('one');
    await until(one, slotCount);
    one.loop.unsubscribe();
    server.faults.inject({ type: 'delay', ms: 2 * timing.retryPeriodMs, resource: 'leases.coordination.k8s.io', verb: ['get', 'update'] });
    await one.shards.stop();
    const { spec } = await server.client.get(leases, 'group.one', { namespace: 'default' });
    expect(spec?.holderIdentity).toBe('');
  });

  afterEach(async () => {
    for (const { shards, informer, loop } of members.splice(0)) {
      loop.unsubscribe();
      await shards.stop();
      await informer.stop();
    }
    await server.close();
  });

  it('gives everything to the only member, a half to each of two, and what one had to the other when it leaves', async () => {
    const calls: string[] = [];
    called$.subscribe(({ identity, request }) => calls.push(`${identity} ${request.key}`));
    const one = join('one');
    await until(one, slotCount);
    await firstValueFrom(called$.pipe(filter(() => new Set(calls).size === 30)), { defaultValue: undefined });

    const two = join('two');
    await Promise.all([until(one, slotCount / 2), until(two, slotCount / 2)]);
    await firstValueFrom(two.informer.index$.pipe(filter(({ size }) => one.informer.indexer.listKeys().length + size === 30)), {
      defaultValue: undefined,
    });
    const own = new Set(one.informer.indexer.listKeys());
    expect(two.informer.indexer.listKeys().some((key) => own.has(key))).toBe(false);

    calls.length = 0;
    await Promise.all([one.shards.stop(), until(two, slotCount)]);
    await firstValueFrom(two.informer.index$.pipe(filter(({ size }) => size === 30)), { defaultValue: undefined });
    expect(calls.every((call) => call.startsWith('two '))).toBe(true);
    expect([...own].every((key) => calls.includes(`two ${key}`))).toBe(true);
  }, 600_000);

  it('hands a key over when the work on it has ended, and refuses requests of that work from then on', async () => {
    const release = new Map<string, () => void>();
    const requests: ShardRequest[] = [];
    const one = join('one', 'namespace', async (request) => {
      requests.push(request);
      if (request.key.startsWith('default/')) await new Promise<void>((resolve) => release.set(request.key, resolve));
    });
    await firstValueFrom(called$.pipe(filter(() => release.size === 29)), { defaultValue: undefined });
    // The namespace is in slot 117: of two members, the second one gets it.
    const second = firstValueFrom(
      called$.pipe(filter(({ identity, request }) => identity === 'two' && request.key.startsWith('default/'))),
      { defaultValue: undefined },
    );
    const two = join('two', 'namespace');
    await until(two, slotCount / 2 - 1);
    expect(requests.every((request) => request.isValid())).toBe(true);
    for (const resolve of release.values()) resolve();
    const later = await second;
    expect(later?.request.token).toBeGreaterThan(requests[0]?.token ?? Infinity);
    expect(requests.some((request) => request.isValid())).toBe(false);
    await expect(requests[0]?.client.get(configMaps, 'map-0', { namespace: 'default' })).rejects.toMatchObject({
      code: 'ERR_LEADERSHIP_LOST',
    });
    const written = later?.request.fence({ metadata: { name: 'map-0' } });
    expect(() => requests[0]?.fence(written ?? {})).toThrow(LeaderElectionError);
    expect(one.informer.indexer.listKeys().filter((key) => key.startsWith('default/'))).toEqual([]);
  }, 600_000);

  it("says that its Lease is somebody else's, and gets on when that one is gone", async () => {
    const leases = resources.coordination.v1.leases;
    await server.client.create(leases, { metadata: group, spec: { holderIdentity: 'a-leader' } });
    const one = join('one');
    const error = await firstValueFrom(one.shards.error$, { defaultValue: undefined });
    expect(error).toMatchObject({ code: 'ERR_SHARDS', message: expect.stringContaining('default/group is not of a group of shards') });
    await server.client.delete(leases, group.name, { namespace: group.namespace });
    await until(one, slotCount);
  }, 600_000);

  it('says what is wrong: rights that are missing, members that shard by something else, and options', async () => {
    server.faults.inject({ type: 'answer', code: 403, resource: 'leases.coordination.k8s.io', verb: 'list', count: 1 });
    const one = join('one');
    const error = await firstValueFrom(one.shards.error$, { defaultValue: undefined });
    expect([error?.code, isForbidden(error?.cause)]).toEqual(['ERR_FORBIDDEN', true]);
    expect(error?.message).toContain('the verbs get, list, create, update and delete of leases');
    await until(one, slotCount);
    const two = join('two', 'namespace');
    const disagreed = await firstValueFrom(two.shards.error$, { defaultValue: undefined });
    expect(disagreed).toMatchObject({ code: 'ERR_SHARDS', message: expect.stringContaining('shard by uid, and this one by namespace') });
    expect(() => joinShards(server.client, { ...group, identity: 'A_b' })).toThrow('`identity` of `joinShards` to be lower-case letters');
    expect(() => joinShards(server.client, { ...group, drainM: 5 } as never)).toThrow('did you mean `drainMs`?');
    expect(() => joinShards(server.client, { ...group, drainMs: 0 })).toThrow('`drainMs` of `joinShards` to be a finite number');
    expect(() => joinShards(server.client, { name: 'group' } as never)).toThrow('`namespace` of `joinShards`');
  }, 600_000);
});
