import { catchError, defer, filter, map, Observable, of, reduce, Subject, type Subscriber, switchMap, takeUntil, timeout } from 'rxjs';
import {
  isOlderVersion,
  keyOfObjectName,
  type KubernetesObject,
  namespaceOfKey,
  resourceVersionOf,
  uidOf,
} from '../api/kubernetesObject.js';
import type { SourceEvent } from '../api/events.js';
import type { ListerWatcher } from '../api/listerWatcher.js';
import { hashSlot, type ShardField, type ShardFilter, shardSelectorOf, slotOfObject } from '../api/shardFilter.js';
import { follow } from '../rx/trampoline.js';
import { schedulerOf } from '../rx/schedulerOf.js';
import { reflect } from './reflector/reflect.js';
import type { ReflectOptions } from './reflector/reflectOptions.js';

/** A shard and its changes; `joinShards` returns one. */
export interface ShardSelection {
  readonly by: ShardField;
  /** The slots of the shard: at subscription, then at each change. */
  readonly shard$: Observable<Pick<ShardFilter, 'slots'>>;
}

/** The dependencies and settings of a sharded source. */
export interface ShardedSourceInit<T> {
  readonly shard: ShardSelection;
  /** The namespace of the source; `''` for all. */
  readonly namespace: string;
  readonly settings: ReflectOptions;
  /** Makes a lister-watcher that drops objects of other shards. */
  readonly listerOf: (options: { readonly shard: ShardFilter }) => ListerWatcher<T>;
  /** The cached objects, to find those that moved to another shard. */
  readonly cached: () => { listKeys(): readonly string[]; getByKey(key: string): unknown };
}

/** What a server that supports `shardSelector` adds to a list. */
interface ShardedListMeta {
  readonly shardInfo?: { readonly selector?: string };
}

/** Deadline of the request that finds out whether the server supports `shardSelector`. */
const probeTimeoutMs = 10_000;

/**
 * Whether the server supports `shardSelector`: it then repeats the selector in the metadata of a list. Other servers ignore the parameter.
 */
function isSelected<T>(lister: ListerWatcher<T>, shardSelector: string, settings: ReflectOptions): Observable<boolean> {
  const plain = (text: string): string => text.replaceAll(/\s/g, '');
  return defer(() => lister.list({ limit: 1, shardSelector })).pipe(
    reduce((found, { metadata }) => (metadata as ShardedListMeta | undefined)?.shardInfo?.selector ?? found, ''),
    map((found) => plain(found) === plain(shardSelector)),
    timeout({ first: probeTimeoutMs, scheduler: schedulerOf(settings.scheduler) }),
    catchError(() => of(false)),
  );
}

/** A reflector for some slots. */
interface Run<T> {
  /** The slots whose objects it emits; all others are dropped. */
  readonly slots: Set<number>;
  readonly isFirst: boolean;
  readonly stop$: Subject<void>;
  /** Whether its first list has begun. */
  hasBegun: boolean;
  /** The uids of the objects of the list under way that have come, by key. */
  listed: Map<string, string> | undefined;
  /** The buffered events of the list, for a reflector that is to replace another. */
  held: SourceEvent<T>[];
}

/** The last state of an object, or its deletion. */
interface Seen<T> {
  readonly object: T;
  readonly isDeleted: boolean;
}

/** A complete list: what it does not contain of its slots was gone at its version. */
interface Whole {
  readonly keys: { has(key: string): boolean };
  readonly slots: ReadonlySet<number>;
  readonly resourceVersion: string;
}

/** The objects of an event. */
function objectsOf<T>(event: SourceEvent<T>): readonly T[] {
  if (event.type === 'page') return event.items;
  return 'object' in event ? [event.object] : [];
}

function keyOf({ metadata }: KubernetesObject): string {
  const { namespace = '', name = '' } = metadata ?? {};
  return keyOfObjectName({ namespace, name });
}

const versionOf = (object: KubernetesObject | undefined): string => resourceVersionOf(object) ?? '';

/**
 * One subscription: a reflector and, when slots have been added, a second one for all slots. The second replaces the first when its list is complete, so that a
 * watch or list under way is not aborted.
 */
class ShardedSession<T extends KubernetesObject> {
  private readonly init: ShardedSourceInit<T>;
  private readonly subscriber: Subscriber<SourceEvent<T>>;
  private slots: ReadonlySet<number> = new Set();
  private running: Run<T> | undefined;
  private coming: Run<T> | undefined;
  /** Events of the first reflector since the second began, whose list and first events may be older. */
  private readonly seen = new Map<string, Seen<T>>();
  /** The last list that the first one has completed since then. */
  private whole: Whole | undefined;
  /** The newest version received. */
  private reached = '';

  constructor(init: ShardedSourceInit<T>, subscriber: Subscriber<SourceEvent<T>>) {
    this.init = init;
    this.subscriber = subscriber;
  }

  /** Changes the slots. */
  take(next: ReadonlySet<number>): void {
    const { running, coming, slots: before } = this;
    this.slots = new Set(next);
    if (running === undefined || (before.size === 0 && next.size > 0)) {
      this.restart();
      return;
    }
    const leaving = new Set([...before].filter((slot) => !next.has(slot)));
    for (const slot of leaving) for (const run of [running, coming]) run?.slots.delete(slot);
    if (leaving.size > 0 && running.hasBegun && !this.letGo(leaving, running.listed)) this.restart();
    else this.followGains();
  }

  /** Lists everything again. */
  private restart(): void {
    const run = this.runOf();
    this.goBack();
    this.running?.stop$.next();
    this.running = run;
    this.start(run);
  }

  /** Starts a list with the added slots in parallel to the watch. Slots added during such a list are listed after it. */
  private followGains(): void {
    const { running, coming, slots } = this;
    if (coming !== undefined || [...slots].every((slot) => running?.slots.has(slot))) return;
    this.coming = this.runOf();
    this.start(this.coming);
  }

  private runOf(): Run<T> {
    return { slots: new Set(this.slots), isFirst: this.reached === '', stop$: new Subject(), hasBegun: false, listed: undefined, held: [] };
  }

  private start(run: Run<T>): void {
    const next = (event: SourceEvent<T>): void => {
      if (run === this.coming) this.hold(run, event);
      else this.pass(run, event);
    };
    follow(this.eventsOf(run).pipe(takeUntil(run.stop$)), this.subscriber, { next, complete: () => undefined });
  }

  /** The source events of a run, filtered by its current slots. */
  private eventsOf({ slots, isFirst }: Run<T>): Observable<SourceEvent<T>> {
    const { settings, namespace: scope, shard, listerOf } = this.init;
    if (slots.size === 0) {
      const init: SourceEvent<T> = { type: 'init', scope, reason: 'first', previousResourceVersion: '' };
      return of(init, { type: 'ready', scope, resourceVersion: '' } as const);
    }
    const lister = listerOf({ shard: { by: shard.by, slots } });
    const shardSelector = shardSelectorOf({ by: shard.by, slots });
    const selecting: ListerWatcher<T> = {
      ...lister,
      list: (request) => lister.list({ ...request, shardSelector }),
      watch: (request) => lister.watch({ ...request, shardSelector }),
    };
    // The list must contain the last writes of the slot's former owner. Only the first one may be an older one, where that is asked for.
    const fresh: ReflectOptions = { ...settings, listSemantics: (isFirst ? settings.listSemantics : undefined) ?? 'mostRecent' };
    // A decoder that cannot tell by the bytes passes objects of other shards.
    const isOwn = (object: T): boolean => slots.has(slotOfObject(object, shard.by));
    return isSelected(lister, shardSelector, settings).pipe(
      switchMap((isIt) => reflect(isIt ? selecting : lister, fresh)),
      filter((event) => (event.type !== 'added' && event.type !== 'modified') || isOwn(event.object)),
      map((event) => (event.type === 'page' && !event.items.every(isOwn) ? { ...event, items: event.items.filter(isOwn) } : event)),
    );
  }

  /** Emits an event of the active reflector. */
  private pass(run: Run<T>, event: SourceEvent<T>): void {
    this.follow(run, event);
    if ('object' in event && isOlderVersion(versionOf(event.object), versionOf(this.lastOf(event.object)?.object))) return;
    if (event.type === 'ready' && isOlderVersion(event.resourceVersion, this.reached)) this.goBack();
    if ('resourceVersion' in event && event.resourceVersion !== '') this.reach(event.resourceVersion);
    if (this.coming !== undefined) {
      for (const object of objectsOf(event)) this.seen.set(keyOf(object), { object, isDeleted: event.type === 'deleted' });
    }
    this.subscriber.next(event);
    if (event.type === 'ready') this.followGains();
  }

  /** Records what a list under way has brought: its slots may leave before it is complete. */
  private follow(run: Run<T>, event: SourceEvent<T>): void {
    if (event.type === 'init') [run.hasBegun, run.listed] = [true, new Map()];
    if (event.type === 'ready') this.complete(run, event.resourceVersion);
    if (run.listed === undefined) return;
    for (const object of objectsOf(event)) {
      if (event.type === 'deleted') run.listed.delete(keyOf(object));
      else run.listed.set(keyOf(object), uidOf(object) ?? '');
    }
  }

  private complete(run: Run<T>, resourceVersion: string): void {
    const { listed: keys = new Map<string, string>() } = run;
    run.listed = undefined;
    if (this.coming === undefined) return;
    this.whole = { keys, slots: new Set(run.slots), resourceVersion };
    for (const key of this.seen.keys()) if (!keys.has(key)) this.seen.delete(key);
  }

  /** The last state of an object, if known. */
  private lastOf(object: T): Seen<T> | undefined {
    const { seen, whole } = this;
    const key = keyOf(object);
    if (seen.has(key) || whole?.keys.has(key) !== false || !whole.slots.has(slotOfObject(object, this.init.shard.by))) return seen.get(key);
    return { object: { metadata: { resourceVersion: whole.resourceVersion } } as T, isDeleted: true };
  }

  private forget(): void {
    this.seen.clear();
    this.whole = undefined;
  }

  /** The second reflector's first events may be older than those already emitted. So `seen` is kept until its version has caught up. */
  private reach(version: string): void {
    if (isOlderVersion(version, this.reached)) return;
    if (this.coming === undefined) this.forget();
    this.reached = version;
  }

  /** A list older than what was seen means that the server was restored from a backup: drop `seen`. */
  private goBack(): void {
    this.coming?.stop$.next();
    this.coming = undefined;
    this.forget();
    this.reached = '';
  }

  /** Buffers an event of the second reflector. It becomes active at the end of its list; its failures are emitted at once. */
  private hold(run: Run<T>, event: SourceEvent<T>): void {
    if (event.type === 'init') run.held = [];
    if (event.type === 'status') {
      if (event.error !== undefined) this.subscriber.next(event);
      return;
    }
    run.held.push(event);
    if (event.type !== 'ready') return;
    this.running?.stop$.next();
    this.running = run;
    this.coming = undefined;
    run.hasBegun = true;
    for (const each of this.upToDate(run.held.splice(0), run.slots)) this.subscriber.next(each);
    this.followGains();
  }

  /** The buffered list, updated by newer events of the first watch, without slots that were removed meanwhile. */
  private upToDate(held: readonly SourceEvent<T>[], slots: ReadonlySet<number>): readonly SourceEvent<T>[] {
    const { by } = this.init.shard;
    const left = new Map(this.seen);
    const current = (object: T): readonly T[] => {
      if (!slots.has(slotOfObject(object, by))) return [];
      const seen = this.lastOf(object);
      left.delete(keyOf(object));
      if (seen === undefined || !isOlderVersion(versionOf(object), versionOf(seen.object))) return [object];
      return seen.isDeleted ? [] : [seen.object];
    };
    return held.flatMap((event): readonly SourceEvent<T>[] => {
      if (event.type === 'page') return [{ ...event, items: event.items.flatMap(current) }];
      if (event.type === 'added' || event.type === 'modified') return current(event.object).map((object) => ({ ...event, object }));
      if (event.type !== 'ready') return [event];
      const since = [...left.values()].filter(
        ({ object, isDeleted }) => !isDeleted && isOlderVersion(event.resourceVersion, versionOf(object)),
      );
      const items = since.map(({ object }) => object).filter((object) => slots.has(slotOfObject(object, by)));
      const resourceVersion = isOlderVersion(event.resourceVersion, this.reached) ? this.reached : event.resourceVersion;
      return [...(items.length > 0 ? [{ type: 'page', scope: event.scope, items } as const] : []), { ...event, resourceVersion }];
    });
  }

  /** Emits the deletions of objects that moved to another shard, those of a list under way included. Returns whether all could be found. */
  private letGo(leaving: ReadonlySet<number>, listed: ReadonlyMap<string, string> = new Map()): boolean {
    const { cached, namespace, shard } = this.init;
    const cache = cached();
    let isComplete = true;
    for (const key of new Set([...cache.listKeys(), ...listed.keys()])) {
      const place = namespaceOfKey(key);
      if (namespace !== '' && place !== namespace) continue;
      const hashed = shard.by === 'namespace' ? place : (listed.get(key) ?? uidOf(cache.getByKey(key)) ?? '');
      if (shard.by === 'uid' && hashed === '') isComplete = false;
      else if (leaving.has(hashSlot(hashed))) {
        const object = { metadata: { ...(place !== '' && { namespace: place }), name: key.slice(key.indexOf('/') + 1) } } as T;
        this.subscriber.next({ type: 'deleted', scope: namespace, object, resourceVersion: '', reason: 'moved' });
      }
    }
    return isComplete;
  }
}

/**
 * Lists and watches the objects of a shard, which may change.
 *
 * ```text
 * shard$   {1 2}             {1}             {1 3}
 * server   a1 b2 c3
 * result   i (a b) r         -b moved        i (a c) r
 * ```
 *
 * An object that leaves the shard is deleted with the reason `moved`. When slots are added, the whole shard is listed, with all writes up to the change, while the
 * watch continues for the old slots; the new list and watch then replace it.
 * Requests carry `shardSelector` if a list of one object shows that the server supports it; objects of other shards are dropped in any case.
 *
 * @internal
 */
export function shardedSource<T extends KubernetesObject>(init: ShardedSourceInit<T>): Observable<SourceEvent<T>> {
  return new Observable((subscriber) => {
    const session = new ShardedSession<T>(init, subscriber);
    follow(init.shard.shard$, subscriber, { next: ({ slots }) => session.take(slots) });
  });
}
