import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { NEVER, Observable, of, Subject, type Subscriber, VirtualTimeScheduler } from 'rxjs';
import type { SourceEvent } from '../../src/api/events.js';
import type { ListChunk, ListerWatcher, WatchChunk } from '../../src/api/listerWatcher.js';
import type { KubernetesObject } from '../../src/api/kubernetesObject.js';
import { type ShardFilter, slotOfObject } from '../../src/api/shardFilter.js';
import { shardedSource } from '../../src/source/shardedSource.js';
import { advanceBy } from '../../src/testing/marbles/advanceBy.js';
import { expiredStatus } from '../../src/testing/fakes/serverErrors.js';
import { runs } from '../tier.js';

const histories = runs(800);
// The last characters change little of the hash: short names would all be in one slot.
const names = ['red', 'green', 'blue', 'white', 'black', 'yellow'];
const slotOf = (name: string): number => slotOfObject({ metadata: { uid: name } }, 'uid');
const versionOf = (object: KubernetesObject | undefined): number => Number(object?.metadata?.resourceVersion ?? 0);

interface Watching {
  readonly subscriber: Subscriber<WatchChunk<KubernetesObject>>;
  readonly shard: ShardFilter;
  at: number;
}

/** A server whose lists answer, and whose watches continue, on command. */
class World {
  readonly log: { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: KubernetesObject }[] = [];
  readonly objects = new Map<string, KubernetesObject>();
  readonly lists: (() => void)[] = [];
  readonly watches = new Set<Watching>();
  readonly cache = new Map<string, KubernetesObject>();
  readonly problems: string[] = [];
  /** The highest emitted version of each key, including deletions. */
  private readonly highest = new Map<string, number>();
  private half: Map<string, KubernetesObject> | undefined;

  write(name: string, doDelete: boolean): void {
    const before = this.objects.get(name);
    if (doDelete && before === undefined) return;
    const object = { metadata: { name, uid: name, resourceVersion: String(this.log.length + 1) } };
    this.log.push({ type: doDelete ? 'DELETED' : before === undefined ? 'ADDED' : 'MODIFIED', object });
    if (doDelete) this.objects.delete(name);
    else this.objects.set(name, object);
  }

  lister({ shard }: { readonly shard: ShardFilter }): ListerWatcher<KubernetesObject> {
    const own = (object: KubernetesObject): boolean => shard.slots.has(slotOfObject(object, 'uid'));
    return {
      watchList: false,
      list: ({ limit }) => {
        if (limit === 1) return of({ metadata: { resourceVersion: '0' }, items: [] });
        return new Observable<ListChunk<KubernetesObject>>((subscriber) => {
          const [items, resourceVersion] = [[...this.objects.values()], String(this.log.length)];
          this.lists.push(() => {
            subscriber.next({ metadata: { resourceVersion }, items: items.filter(own) });
            subscriber.complete();
          });
        });
      },
      watch: ({ resourceVersion }) =>
        new Observable((subscriber) => {
          const watching = { subscriber, shard, at: Number(resourceVersion) };
          this.watches.add(watching);
          return () => this.watches.delete(watching);
        }),
    };
  }

  deliver(watching: Watching | undefined): void {
    const event = watching === undefined ? undefined : this.log[watching.at];
    if (watching === undefined || event === undefined) return;
    watching.at += 1;
    if (watching.shard.slots.has(slotOfObject(event.object, 'uid'))) watching.subscriber.next([event]);
  }

  /** A watch has expired: a list follows, without the events between. */
  expire(watching: Watching | undefined): void {
    watching?.subscriber.next([{ type: 'ERROR', object: expiredStatus('1', '2') }] as never);
  }

  take(event: SourceEvent<KubernetesObject>): void {
    if (event.type === 'init') this.half = new Map();
    if (event.type === 'page') for (const object of event.items) this.half?.set(object.metadata?.name ?? '', object);
    if (event.type === 'ready' && this.half !== undefined) {
      const gone = [...this.cache.keys()].filter((name) => this.half?.has(name) !== true);
      for (const name of gone) {
        this.highest.set(name, Number(event.resourceVersion));
        this.cache.delete(name);
      }
      for (const object of this.half.values()) this.show(object);
      this.half = undefined;
    }
    if (!('object' in event)) return;
    const name = event.object.metadata?.name ?? '';
    if (event.type === 'deleted') {
      this.half?.delete(name);
      // Within a list, a deletion concerns the half-received content alone, unless the object has moved.
      if (this.half !== undefined && event.reason === undefined) return;
      if (event.reason === undefined) this.highest.set(name, versionOf(event.object));
      this.cache.delete(name);
    } else if (this.half === undefined) this.show(event.object);
    else this.half.set(name, event.object);
  }

  private show(object: KubernetesObject): void {
    const name = object.metadata?.name ?? '';
    if (versionOf(object) < (this.highest.get(name) ?? 0))
      this.problems.push(`${name} went back from ${this.highest.get(name)} to ${versionOf(object)}`);
    this.highest.set(name, versionOf(object));
    this.cache.set(name, object);
  }
}

const deed = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('write' as const), which: fc.nat(5), flag: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('gain' as const), which: fc.nat(5), flag: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lose' as const), which: fc.nat(5), flag: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('answer' as const), which: fc.nat(3), flag: fc.boolean() }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('deliver' as const), which: fc.nat(3), flag: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('expire' as const), which: fc.nat(3), flag: fc.boolean() }) },
);

/** A regression: a second watch took over before it had caught up with the first one, and lost events of the first one. */
const takenOverTwice =
  'answer0 gain2 write1 write2 write0 write0 deliver0 deliver0 deliver0 deliver0 write0 answer0 deliver0 write0 answer0 write0 gain0 deliver0 gain0 deliver0 gain0 lose0 deliver0 gain0'
    .split(' ')
    .map((text) => ({
      do: text.slice(0, -1) as 'write' | 'gain' | 'lose' | 'answer' | 'deliver',
      which: Number(text.at(-1)),
      flag: false,
    }));

describe('shardedSource over all orders of lists, events and changes of the shard', () => {
  it('is tried with names of different slots', () => {
    expect(new Set(names.map(slotOf)).size).toBe(names.length);
  });

  it('has a first list as old as is asked for, and no later one', () => {
    const [red, green] = [slotOf('red'), slotOf('green')];
    const shard$ = new Subject<{ slots: ReadonlySet<number> }>();
    const versions: unknown[] = [];
    const lister: ListerWatcher<KubernetesObject> = {
      list: ({ limit, resourceVersion }) => {
        if (limit !== 1) versions.push(resourceVersion);
        return of({ metadata: { resourceVersion: '7' }, items: [] });
      },
      watch: () => NEVER,
    };
    shardedSource<KubernetesObject>({
      shard: { by: 'uid', shard$ },
      namespace: '',
      settings: { scheduler: new VirtualTimeScheduler(), listStrategy: 'list', listSemantics: { exact: '5' } },
      listerOf: () => lister,
      cached: () => ({ listKeys: () => [], getByKey: () => undefined }),
    }).subscribe();
    for (const slots of [[red], [red, green], [], [green]]) shard$.next({ slots: new Set(slots) });
    expect(versions).toEqual(['5', undefined, undefined]);
  });

  it('shows no object older than before, and in the end what the server has of the shard', () => {
    fc.assert(
      fc.property(fc.array(deed, { minLength: 20, maxLength: 80 }), (deeds) => {
        const world = new World();
        const scheduler = new VirtualTimeScheduler();
        const shard$ = new Subject<{ slots: ReadonlySet<number> }>();
        let slots: ReadonlySet<number> = new Set();
        const take = (next: ReadonlySet<number>): void => {
          slots = next;
          shard$.next({ slots });
        };
        shardedSource<KubernetesObject>({
          shard: { by: 'uid', shard$ },
          namespace: '',
          settings: { scheduler, listStrategy: 'list' },
          listerOf: (options) => world.lister(options),
          cached: () => ({ listKeys: () => [...world.cache.keys()], getByKey: (key) => world.cache.get(key) }),
        }).subscribe({ next: (event) => world.take(event), error: (error: unknown) => expect(error).toBeUndefined() });
        for (const name of names.slice(0, 4)) world.write(name, false);
        take(new Set(names.slice(0, 2).map(slotOf)));
        for (const { do: what, which, flag } of deeds) {
          if (what === 'write') world.write(names[which] ?? '', flag);
          const slot = slotOf(names[which] ?? '');
          if (what === 'gain') take(new Set([...slots, slot]));
          if (what === 'lose') take(new Set([...slots].filter((one) => one !== slot)));
          if (what === 'answer') world.lists.splice(which % Math.max(world.lists.length, 1), 1)[0]?.();
          if (what === 'expire') {
            world.expire([...world.watches][which % Math.max(world.watches.size, 1)]);
            advanceBy(scheduler, 2_000);
          }
          if (what === 'deliver') world.deliver([...world.watches][which % Math.max(world.watches.size, 1)]);
        }
        const isBehind = (): boolean => [...world.watches].some(({ at }) => at < world.log.length);
        const settle = (): void => {
          while (world.lists.length > 0 || isBehind()) {
            world.lists.shift()?.();
            for (const watching of world.watches) world.deliver(watching);
          }
        };
        settle();
        // The longest wait before another list.
        advanceBy(scheduler, 60_000);
        settle();
        expect(world.problems).toEqual([]);
        const own = [...world.objects.values()].filter((object) => slots.has(slotOfObject(object, 'uid')));
        expect(new Map([...world.cache].sort())).toEqual(
          new Map(own.map((object) => [object.metadata?.name ?? '', object] as const).sort()),
        );
      }),
      {
        numRuns: histories,
        examples: [[takenOverTwice]],
      },
    );
  }, 600_000);
});
