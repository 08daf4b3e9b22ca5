import { catchError, defer, map, Observable, of, reduce, Subject, type Subscriber, switchMap, takeUntil, timeout } from 'rxjs';
import { isOlderVersion, keyOfObjectName, type KubernetesObject, namespaceOfKey, uidOf } from '../api/kubernetesObject.js';
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
  /** The version reached when it began, and since when the one before it follows its watch. */
  from: string;
  readonly stop$: Subject<void>;
  /** Whether its first list has begun. */
  hasBegun: boolean;
  /** The uids of the objects of the list under way that have come, by key. */
  listed: Map<string, string> | undefined;
  /** The buffered events of its list. */
  held: SourceEvent<T>[];
  /** By key, the last events of the watch that it is to replace; then those that its own watch has not reached yet. */
  watched: Map<string, ObjectEvent<T>>;
}

type ObjectEvent<T> = Extract<SourceEvent<T>, { readonly object: unknown }>;

/** The objects of an event. */
function objectsOf<T>(event: SourceEvent<T>): readonly T[] {
  if (event.type === 'page') return event.items;
  return 'object' in event ? [event.object] : [];
}

function keyOf({ metadata }: KubernetesObject): string {
  const { namespace = '', name = '' } = metadata ?? {};
  return keyOfObjectName({ namespace, name });
}

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
  /** The version up to which everything has been emitted. */
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
    // What is cached of the shard leaves it also before the list has begun.
    const run = { ...this.runOf(), hasBegun: this.running?.hasBegun === true };
    this.cancel();
    this.reached = '';
    this.running?.stop$.next();
    this.running = run;
    this.start(run);
  }

  /** Starts a list with the added slots in parallel to the watch. Slots added during a list are listed after it. */
  private followGains(): void {
    const { running, coming, slots } = this;
    if (coming !== undefined || running?.listed !== undefined || [...slots].every((slot) => running?.slots.has(slot))) return;
    this.coming = this.runOf();
    this.start(this.coming);
  }

  private cancel(): void {
    this.coming?.stop$.next();
    this.coming = undefined;
  }

  private runOf(): Run<T> {
    const { slots, reached: from } = this;
    return { slots: new Set(slots), from, stop$: new Subject(), hasBegun: false, listed: undefined, held: [], watched: new Map() };
  }

  private start(run: Run<T>): void {
    const next = (event: SourceEvent<T>): void => {
      if (run === this.coming) this.hold(run, event);
      else this.pass(run, event);
    };
    follow(this.eventsOf(run).pipe(takeUntil(run.stop$)), this.subscriber, { next, complete: () => undefined });
  }

  private eventsOf({ slots, from }: Run<T>): Observable<SourceEvent<T>> {
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
    const fresh: ReflectOptions = { ...settings, listSemantics: (from === '' ? settings.listSemantics : undefined) ?? 'mostRecent' };
    return isSelected(lister, shardSelector, settings).pipe(switchMap((isIt) => reflect(isIt ? selecting : lister, fresh)));
  }

  /** Emits an event of the active reflector, unless it is about another shard or its predecessor has emitted it. */
  private pass(run: Run<T>, event: SourceEvent<T>): void {
    // A decoder that cannot tell by the bytes passes objects of other shards.
    const isOwn = (object: T): boolean => this.isOwn(run, object);
    if (event.type === 'page' && !event.items.every(isOwn)) event = { ...event, items: event.items.filter(isOwn) };
    if ((event.type === 'added' || event.type === 'modified') && !isOwn(event.object)) return;
    const isWatched = run.listed === undefined;
    if (isWatched && 'object' in event) {
      const key = keyOf(event.object);
      const { resourceVersion: shown } = run.watched.get(key) ?? {};
      if (shown !== undefined && (event.resourceVersion === shown || isOlderVersion(event.resourceVersion, shown))) return;
      this.coming?.watched.set(key, event);
    }
    this.follow(run, event);
    if (event.type === 'ready') this.complete(run, event.resourceVersion);
    else if (isWatched && 'resourceVersion' in event) this.reach(run, event.resourceVersion);
    this.subscriber.next(event);
    if (event.type === 'ready') this.followGains();
  }

  private isOwn({ slots }: Run<T>, object: T): boolean {
    return slots.has(slotOfObject(object, this.init.shard.by));
  }

  /** Records what a list under way has brought: its slots may leave before it is complete. */
  private follow(run: Run<T>, event: SourceEvent<T>): void {
    if (event.type === 'init') [run.hasBegun, run.listed] = [true, new Map()];
    if (run.listed === undefined) return;
    for (const object of objectsOf(event)) {
      if (event.type === 'deleted') run.listed.delete(keyOf(object));
      else run.listed.set(keyOf(object), uidOf(object) ?? '');
    }
  }

  /** Notes a version of the watch. One that is later than all that has been emitted has all of it behind it. */
  private reach(run: Run<T>, version: string): void {
    if (this.reached !== '' && !isOlderVersion(this.reached, version)) return;
    this.reached = version;
    run.watched.clear();
  }

  /** Notes a list. One that is older than what was seen means that the server was restored from a backup: then another list of the added slots begins. */
  private complete(run: Run<T>, version: string): void {
    run.listed = undefined;
    run.watched.clear();
    if (isOlderVersion(version, this.reached)) this.cancel();
    this.reached = version;
    if (this.coming !== undefined) [this.coming.from, this.coming.watched] = [version, new Map<string, ObjectEvent<T>>()];
  }

  /** Buffers an event of the second reflector. It becomes active at the end of its list; its failures are emitted at once. */
  private hold(run: Run<T>, event: SourceEvent<T>): void {
    if (event.type === 'init') run.held = [];
    if (event.type === 'ready') this.handOver(run, event);
    else if (event.type !== 'status') run.held.push(event);
    else if (event.error !== undefined) this.subscriber.next(event);
  }

  /** Emits the buffered list, updated by newer events of the first watch. The second one's first events may be older than those: they are dropped. */
  private handOver(run: Run<T>, ready: Extract<SourceEvent<T>, { readonly type: 'ready' }>): void {
    const { running, reached } = this;
    const { resourceVersion } = ready;
    if (isOlderVersion(resourceVersion, run.from)) {
      // The first one has listed meanwhile, or the server was restored from a backup.
      this.restart();
      return;
    }
    running?.stop$.next();
    this.running = run;
    this.coming = undefined;
    const newer = new Map([...run.watched].filter(([, event]) => isOlderVersion(resourceVersion, event.resourceVersion)));
    const isBehind = isOlderVersion(resourceVersion, reached);
    // What has left the shard since then replaces an older object of its name, too.
    const last = [...newer.values()].map((event) => (this.isOwn(run, event.object) ? event : { ...event, type: 'deleted' as const }));
    for (const event of [...run.held.splice(0), ...last, isBehind ? { ...ready, resourceVersion: reached } : ready]) {
      if (run === this.running) this.pass(run, event);
    }
    run.watched = newer;
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
