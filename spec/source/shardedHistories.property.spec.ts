import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { NEVER, Observable, of, Subject, type Subscriber, VirtualTimeScheduler } from 'rxjs';
import type { SourceEvent } from '../../src/api/events.js';
import { initialEventsEndAnnotation, type ListChunk, type ListerWatcher, type WatchEvent } from '../../src/api/listerWatcher.js';
import { type KubernetesObject, uidOf } from '../../src/api/kubernetesObject.js';
import { type ShardFilter, slotOfObject } from '../../src/api/shardFilter.js';
import { createIndexer, scanToIndex } from '../../src/pipeline.js';
import { shardedSource } from '../../src/source/shardedSource.js';
import { expiredStatus } from '../../src/testing/fakes/serverErrors.js';
import { advanceBy } from '../../src/testing/marbles/advanceBy.js';
import { runs } from '../tier.js';

type Line = Exclude<WatchEvent<KubernetesObject>, { readonly type: 'ERROR' }>;

const names = ['a', 'b', 'c'];
// The last characters change little of the hash: short uids would all be in one slot.
const uids = ['red', 'green', 'blue', 'white', 'black', 'yellow'];
const slotOf = (object: KubernetesObject): number => slotOfObject(object, 'uid');
const slots = uids.map((uid) => slotOf({ metadata: { uid } }));

const servers = fc.record({
  /** Whether versions are numbers, lists are streamed, `shardSelector` is honoured, and objects of other shards are dropped when they are decoded. */
  numbers: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  streams: fc.boolean(),
  selects: fc.boolean(),
  drops: fc.boolean(),
});

interface Request {
  readonly subscriber: Subscriber<never>;
  readonly wants: (object: KubernetesObject) => boolean;
  /** The parts of the list that have not come yet; the last one ends it. */
  parts: (() => void)[];
  /** How much of the log a watch has brought; undefined before the end of a list. */
  at: number | undefined;
}

/** A server that goes on only when told to, and the cache made of what is seen of it. */
class World {
  readonly requests = new Set<Request>();
  readonly problems: string[] = [];
  readonly scheduler = new VirtualTimeScheduler();
  readonly cache = createIndexer<KubernetesObject>();
  present: ReadonlySet<number> = new Set();
  private readonly kind: { readonly numbers: boolean; readonly streams: boolean; readonly selects: boolean; readonly drops: boolean };
  private readonly shard$ = new Subject<{ slots: ReadonlySet<number> }>();
  private log: Line[] = [];
  /** The newest version that has been emitted of each name. */
  private readonly shown = new Map<string, number>();
  private isListing = false;

  constructor(kind: World['kind']) {
    this.kind = kind;
  }

  subscribe(): () => void {
    const { cache, kind, scheduler, shard$ } = this;
    const source = shardedSource<KubernetesObject>({
      shard: { by: 'uid', shard$ },
      namespace: '',
      settings: { scheduler, listStrategy: kind.streams ? 'watchList' : 'list', random: () => 0 },
      listerOf: (options) => this.lister(options),
      cached: () => cache,
    });
    const event$ = new Subject<SourceEvent<KubernetesObject>>();
    event$.pipe(scanToIndex(cache)).subscribe();
    const subscription = source.subscribe({ next: (event) => this.check(event, () => event$.next(event)), error: this.failed });
    return () => subscription.unsubscribe();
  }

  take(next: ReadonlySet<number>): void {
    this.present = next;
    this.shard$.next({ slots: next });
    // During a list, one that has been made anew with another uid is replaced at the end of it.
    if (this.isListing) return;
    for (const object of this.cache.list()) if (!next.has(slotOf(object))) this.problems.push(`${object.metadata?.name} has stayed`);
  }

  write(name: string, uid: string, doDelete: boolean): void {
    const before = this.objects().get(name);
    const isOther = before !== undefined && uidOf(before) !== uid;
    if (before !== undefined && (doDelete || isOther)) this.append('DELETED', name, uidOf(before) ?? '');
    if (!doDelete) this.append(before === undefined || isOther ? 'ADDED' : 'MODIFIED', name, uid);
  }

  /** The next part of a list, or the next event of a watch. */
  goOn(request: Request | undefined): void {
    if (request === undefined) return;
    const part = request.parts.shift();
    if (part !== undefined) part();
    else if (request.at !== undefined && request.at < this.log.length) {
      const line = this.log[request.at++];
      if (line !== undefined && request.wants(line.object)) request.subscriber.next([line] as never);
    }
  }

  bookmark(request: Request | undefined): void {
    if (request?.at !== undefined) request.subscriber.next([this.mark(request.at)] as never);
  }

  expire(request: Request | undefined): void {
    if (request?.at !== undefined) request.subscriber.next([{ type: 'ERROR', object: expiredStatus('1', '2') }] as never);
  }

  fail(request: Request | undefined): void {
    request?.subscriber.error(new Error('broken off'));
  }

  /** From a backup: what was written last is lost, and so are all connections. */
  restore(): void {
    // Whoever waits for its next watch could not be told.
    this.pass(60_000);
    const requests = [...this.requests];
    this.log = this.log.slice(0, Math.ceil(this.log.length / 2));
    this.shown.clear();
    for (const request of requests) {
      if (request.at === undefined) this.fail(request);
      else this.expire(request);
    }
  }

  pass(ms: number): void {
    advanceBy(this.scheduler, ms);
  }

  settle(): void {
    const isBusy = ({ parts, at }: Request): boolean => parts.length > 0 || (at !== undefined && at < this.log.length);
    for (let times = 0; times < 3; times += 1) {
      while ([...this.requests].some(isBusy)) for (const request of this.requests) this.goOn(request);
      // The longest wait before another list.
      this.pass(60_000);
    }
    while ([...this.requests].some(isBusy)) for (const request of this.requests) this.goOn(request);
  }

  /** The server's objects, by name. */
  objects(): Map<string, KubernetesObject> {
    const objects = new Map<string, KubernetesObject>();
    for (const { type, object } of this.log) {
      if (type === 'DELETED') objects.delete(object.metadata?.name ?? '');
      else objects.set(object.metadata?.name ?? '', object);
    }
    return objects;
  }

  private append(type: 'ADDED' | 'MODIFIED' | 'DELETED', name: string, uid: string): void {
    this.log.push({ type, object: { metadata: { name, uid, resourceVersion: this.version(this.log.length + 1) } } });
  }

  private version(at: number): string {
    return this.kind.numbers ? String(at) : `v${at}`;
  }

  private readonly at = (version: string | undefined): number => Number(version?.replace('v', '') ?? 0);

  private mark(at: number, annotations = {}): Line {
    return { type: 'BOOKMARK', object: { metadata: { resourceVersion: this.version(at), annotations } } };
  }

  private lister({ shard }: { readonly shard: ShardFilter }): ListerWatcher<KubernetesObject> {
    const { kind, requests } = this;
    const wanting = (shardSelector: string | undefined): Request['wants'] => {
      const asked = new Set(kind.selects && shardSelector !== undefined ? shard.slots : slots);
      return (object) => asked.has(slotOf(object)) && (!kind.drops || shard.slots.has(slotOf(object)));
    };
    const ask = (wants: Request['wants'], begin: (request: Request) => void): Observable<never> =>
      new Observable((subscriber) => {
        const request: Request = { subscriber, wants, parts: [], at: undefined };
        requests.add(request);
        begin(request);
        return () => requests.delete(request);
      });
    return {
      watchList: kind.streams,
      list: ({ limit, shardSelector }) => {
        if (limit === 1) {
          const metadata = { resourceVersion: '0', ...(kind.selects && { shardInfo: { selector: shardSelector } }) };
          return ask(wanting(shardSelector), ({ subscriber, parts }) => {
            parts.push(() => {
              subscriber.next({ metadata, items: [] } as never);
              subscriber.complete();
            });
          });
        }
        return ask(wanting(shardSelector), (request) => {
          const [all, resourceVersion] = [[...this.objects().values()], this.version(this.log.length)];
          const chunk = (items: KubernetesObject[]): ListChunk<KubernetesObject> => ({
            metadata: { resourceVersion },
            items: items.filter(request.wants),
          });
          request.parts = [
            () => request.subscriber.next(chunk(all.slice(0, 1)) as never),
            () => {
              request.subscriber.next(chunk(all.slice(1)) as never);
              request.subscriber.complete();
            },
          ];
        });
      },
      watch: ({ resourceVersion, sendInitialEvents, shardSelector }) =>
        ask(wanting(shardSelector), (request) => {
          if (sendInitialEvents !== true) {
            request.at = this.at(resourceVersion);
            return;
          }
          const [all, at] = [[...this.objects().values()], this.log.length];
          const send = (lines: Line[]): void =>
            request.subscriber.next(lines.filter(({ type, object }) => type === 'BOOKMARK' || request.wants(object)) as never);
          const added = (objects: KubernetesObject[]): Line[] => objects.map((object) => ({ type: 'ADDED', object }));
          request.parts = [
            () => send(added(all.slice(0, 1))),
            () => {
              request.at = at;
              send([...added(all.slice(1)), this.mark(at, { [initialEventsEndAnnotation]: 'true' })]);
            },
          ];
        }),
    };
  }

  private readonly failed = (error: unknown): void => {
    this.problems.push(String(error));
  };

  /** Passes on an event, and looks at what has become of the cache. */
  private check(event: SourceEvent<KubernetesObject>, pass: () => void): void {
    if (event.type === 'init') this.isListing = true;
    if (event.type === 'ready') this.isListing = false;
    const isChange = event.type === 'added' || event.type === 'modified' || event.type === 'deleted';
    const before = new Map(this.cache.list().map((object) => [object.metadata?.name ?? '', object]));
    if (isChange && !this.isListing && event.type !== 'deleted') {
      const { name = '', resourceVersion } = event.object.metadata ?? {};
      if (this.kind.numbers && before.get(name)?.metadata?.resourceVersion === resourceVersion) this.problems.push(`${name} came twice`);
    }
    pass();
    if (this.isListing && !isChange) return;
    const after = new Map(this.cache.list().map((object) => [object.metadata?.name ?? '', object]));
    for (const name of names) {
      const [was, is] = [before.get(name), after.get(name)];
      if (was === is) continue;
      const reason = event.type === 'deleted' ? event.reason : undefined;
      const version = is?.metadata?.resourceVersion ?? ('resourceVersion' in event ? event.resourceVersion : '');
      if (reason === undefined) this.show(name, is === undefined && event.type === 'ready' ? 0 : this.at(version));
    }
  }

  private show(name: string, version: number): void {
    const shown = this.shown.get(name) ?? 0;
    if (this.kind.numbers && version > 0 && version < shown) this.problems.push(`${name} went back from ${shown} to ${version}`);
    this.shown.set(name, Math.max(shown, version));
  }
}

const deed = (what: string, weight: number) => ({ weight, arbitrary: fc.tuple(fc.constant(what), fc.nat(5), fc.nat(5)) });
const deeds = fc.oneof(
  deed('write', 18),
  deed('delete', 6),
  deed('gain', 12),
  deed('lose', 6),
  deed('replace', 3),
  deed('goOn', 54),
  deed('bookmark', 3),
  deed('expire', 3),
  deed('fail', 3),
  deed('restore', 1),
  deed('pass', 6),
);

function act(world: World, [what, one, other]: readonly [string, number, number]): void {
  const [name = '', uid = '', slot = 0] = [names[one % names.length], uids[other], slots[one]];
  const request = [...world.requests][one % Math.max(world.requests.size, 1)];
  if (what === 'write' || what === 'delete') world.write(name, uid, what === 'delete');
  else if (what === 'gain') world.take(new Set([...world.present, slot]));
  else if (what === 'lose') world.take(new Set([...world.present].filter((each) => each !== slot)));
  else if (what === 'replace') world.take(new Set([slot]));
  else if (what === 'goOn') world.goOn(request);
  else if (what === 'bookmark') world.bookmark(request);
  else if (what === 'expire') world.expire(request);
  else if (what === 'fail') world.fail(request);
  else if (what === 'restore') world.restore();
  else world.pass(2_000);
}

/** What has gone wrong before: a server, and what happened. */
function example(kind: string, history: string): [World['kind'], (readonly [string, number, number])[]] {
  const has = (what: string): boolean => kind.split(' ').includes(what);
  return [
    { numbers: has('numbers'), streams: has('streams'), selects: has('selects'), drops: has('drops') },
    history.split(' ').map((each) => [each.slice(0, -2), Number(each.at(-2)), Number(each.at(-1))]),
  ];
}

const examples = [
  // The events of a first watch were emitted over a later list, where versions do not tell which is later.
  example('', 'goOn00 goOn00 goOn00 gain00 goOn00 gain20 delete00 write00 write00 goOn00'),
  // A streamed list lost what had not changed since a second watch had taken over.
  example('numbers streams drops', 'goOn00 goOn00 gain00 expire00 gain00 gain20 goOn00 goOn30 goOn00 goOn00 write00'),
  // A second watch deleted an object under whose name there was a later one of another slot.
  example('numbers drops', 'write02 goOn00 goOn00 goOn00 gain20 delete10 goOn30 goOn00 write00 goOn00 goOn00 fail00 gain00'),
  // An object came back whose name had gone to a slot that was lost.
  example(
    'numbers drops',
    'goOn00 goOn00 gain20 goOn00 goOn00 write01 goOn00 goOn00 pass00 lose10 goOn00 bookmark00 gain00 goOn00 goOn00 gain00 goOn00 fail00',
  ),
  // What had to leave stayed until the list that began anew was complete.
  example(
    'numbers drops',
    'goOn00 goOn00 gain20 goOn00 fail30 goOn00 pass00 goOn00 write00 goOn50 goOn30 write00 write00 write00 goOn10 fail10 goOn00 lose00 write00',
  ),
];

describe('shardedSource over histories of a server, of its connections and of the shard', () => {
  it('emits each change once and none that is older, and has in the end what the server has of the shard', () => {
    fc.assert(
      fc.property(servers, fc.array(deeds, { minLength: 10, maxLength: 80 }), (kind, history) => {
        const world = new World(kind);
        const unsubscribe = world.subscribe();
        for (const [at, name] of names.entries()) world.write(name, uids[at] ?? '', false);
        world.take(new Set(slots.slice(0, 2)));
        for (const each of history) act(world, each);
        world.settle();
        expect(world.problems).toEqual([]);
        const own = [...world.objects().values()].filter((object) => world.present.has(slotOf(object)));
        expect(new Map(world.cache.list().map((object) => [object.metadata?.name ?? '', object] as const))).toEqual(
          new Map(own.map((object) => [object.metadata?.name ?? '', object] as const)),
        );
        unsubscribe();
        expect(world.requests.size).toBe(0);
      }),
      { numRuns: runs(800), examples },
    );
  }, 600_000);

  it('emits nothing more of a list that a subscriber has made void', () => {
    const [red = 0, green = 0] = slots;
    const shard$ = new Subject<{ slots: ReadonlySet<number> }>();
    const take = (...next: number[]): void => shard$.next({ slots: new Set(next) });
    const second = new Subject<ListChunk<KubernetesObject>>();
    const lists = [of({ metadata: { resourceVersion: '5' }, items: [] }), second];
    const events: string[] = [];
    shardedSource<KubernetesObject>({
      shard: { by: 'uid', shard$ },
      namespace: '',
      settings: { scheduler: new VirtualTimeScheduler(), listStrategy: 'list' },
      listerOf: () => ({ list: ({ limit }) => (limit === 1 ? of({ items: [] }) : (lists.shift() ?? NEVER)), watch: () => NEVER }),
      cached: () => createIndexer(),
    }).subscribe(({ type }) => {
      if (type !== 'status') events.push(type);
      if (type === 'page' && lists.length === 0 && events.filter((each) => each === 'page').length === 1) {
        take();
        take(red, green);
      }
    });
    take(red);
    take(red, green);
    events.push('second');
    for (const name of ['a', 'b']) second.next({ metadata: { resourceVersion: '7' }, items: [{ metadata: { name, uid: 'red' } }] });
    second.complete();
    expect(events).toEqual(['init', 'ready', 'second', 'init', 'page', 'deleted', 'init']);
  });
});
