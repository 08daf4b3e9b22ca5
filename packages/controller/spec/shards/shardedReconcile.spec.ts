import { describe, expect, it } from '@jest/globals';
import { NEVER, of, Subject, type Subscription } from 'rxjs';
import type { ResourceEvent } from 'rx-informer';
import { hashSlot } from 'rx-informer/internal';
import { fail } from '../reconcile/outcomeLog.js';
import { shardedReconcile, type ShardReconcileConfig, type ShardRequest } from '../../src/shards/shardedReconcile.js';
import { GroupWorld, type WorldMember } from './groupWorld.js';

interface Thing {
  readonly metadata: { readonly uid: string };
}

/** Texts that differ only in their last bytes are hashed into one slot. */
const uidOf = (key: string): string => `${key} of a uid`;

/** A group, and the loop of each member over the same objects. */
class Loops {
  readonly world: GroupWorld = new GroupWorld(() => 0.5);
  readonly calls: { readonly by: string; readonly request: ShardRequest }[] = [];
  private readonly synced$ = new Subject<void>();
  private readonly others$ = new Subject<string>();
  private readonly resource$ = new Subject<ResourceEvent<Thing>>();
  private readonly objects = new Map<string, Thing>();

  begin({ member }: WorldMember, work: ShardReconcileConfig['reconcile'] = () => of(undefined)): Subscription {
    const { resource$, synced$, objects } = this;
    const indexer = { listKeys: () => [...objects.keys()], getByKey: (key: string) => objects.get(key) };
    return shardedReconcile(member, {
      primary: { resource$, whenSynced: () => synced$, indexer },
      sources: { others: this.others$ },
      scheduler: this.world.clock,
      reconcile: (request) => {
        this.calls.push({ by: member.settings.identity, request });
        return work(request);
      },
    }).subscribe({ error: fail });
  }

  add(key: string): void {
    const object = { metadata: { uid: uidOf(key) } };
    this.objects.set(key, object);
    this.resource$.next({ type: 'added', key, object, initial: false, inferred: false });
  }

  sync(): void {
    this.synced$.complete();
  }

  name(key: string): void {
    this.others$.next(key);
  }

  async pass(): Promise<void> {
    await this.world.advance(20_000, () => undefined);
  }

  async joined(): Promise<WorldMember> {
    const member = this.world.join();
    await this.pass();
    return member;
  }
}

describe('shardedReconcile', () => {
  it('begins when its collection has synced', async () => {
    const loops = new Loops();
    loops.begin(await loops.joined());
    loops.add('ns/a');
    await loops.pass();
    expect(loops.calls).toEqual([]);
    loops.sync();
    await loops.pass();
    expect(loops.calls.map(({ request }) => request.key)).toEqual(['ns/a']);
  });

  it('calls for a key where the hash of the uid belongs, as often as any source names it', async () => {
    const loops = new Loops();
    const members = [await loops.joined(), await loops.joined()];
    for (const member of members) loops.begin(member);
    loops.sync();
    const keys = Array.from({ length: 20 }, (_, number) => `ns/${number}`);
    for (const key of keys) loops.add(key);
    await loops.pass();
    const owners = keys.map((key) => {
      const slot = hashSlot(uidOf(key));
      return `${key} by ${members.find(({ member }) => member.holds.of(slot) !== undefined)?.member.settings.identity}`;
    });
    expect(new Set(owners.map((owner) => owner.split(' by ')[1]))).toHaveProperty('size', members.length);
    const called = (): string[] => loops.calls.splice(0).map(({ by, request }) => `${request.key} by ${by}`);
    expect(called().sort()).toEqual([...owners].sort());
    for (const key of keys) loops.name(key);
    await loops.pass();
    expect(called().sort()).toEqual([...owners].sort());
  });

  it('aborts work that is stopped, and no work that has ended', async () => {
    const loops = new Loops();
    const one = await loops.joined();
    const loop = loops.begin(one, ({ key }) => (key === 'ns/slow' ? NEVER : of(undefined)));
    loops.sync();
    for (const key of ['ns/quick', 'ns/slow']) loops.add(key);
    await loops.pass();
    expect(one.member.holds.isBusy()).toBe(true);
    loop.unsubscribe();
    const signals = loops.calls.map(({ request: { key, signal } }) => [key, signal.aborted && String(signal.reason)]);
    expect(signals).toEqual([
      ['ns/quick', false],
      ['ns/slow', 'AbortError: Reconciling was stopped'],
    ]);
    expect(one.member.holds.isBusy()).toBe(false);
  });
});
