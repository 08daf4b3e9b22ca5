import { catchError, defer, map, Observable, of, reduce, Subject, switchMap, timeout } from 'rxjs';
import type { SourceEvent } from '../api/events/sourceEvent.js';
import type { KubernetesObject } from '../api/kubernetesObject.js';
import type { ListerWatcher } from '../api/listerWatcher.js';
import { hashSlot } from '../api/shards/hashSlot.js';
import type { ShardField, ShardFilter } from '../api/shards/shardFilter.js';
import { shardSelectorOf } from '../api/shards/shardSelectorOf.js';
import { follow } from '../rx/follow.js';
import { schedulerOf } from '../rx/schedulerOf.js';
import { reflect } from './reflector/reflect.js';
import type { ReflectOptions } from './reflector/reflectOptions.js';
import { namespaceOfKey } from '../api/namespaceOfKey.js';

/** A shard, and how it changes; what `joinShards` returns is one. */
export interface ShardSelection {
  readonly by: ShardField;
  /** The slots of the shard: at subscription, then at each change. */
  readonly shard$: Observable<Pick<ShardFilter, 'slots'>>;
}

/** What a source of a shard is made of. */
export interface ShardedSourceInit<T> {
  readonly shard: ShardSelection;
  /** The namespace that it covers; `''` for all. */
  readonly namespace: string;
  readonly settings: ReflectOptions;
  /** Makes a lister-watcher that leaves out what does not belong to the shard. */
  readonly listerOf: (options: { readonly shard: ShardFilter }) => ListerWatcher<T>;
  /** What is cached, to find out what has moved. */
  readonly cached: () => { listKeys(): readonly string[]; getByKey(key: string): unknown };
}

/** What a server that selects shards adds to a list. */
interface ShardedListMeta {
  readonly shardInfo?: { readonly selector?: string };
}

/** The server has so long to say whether it selects shards. */
const probeTimeoutMs = 10_000;

function uidOf(object: unknown): string {
  return (object as Pick<KubernetesObject, 'metadata'> | undefined)?.metadata?.uid ?? '';
}

/** Whether the server selects by shards: one that does says so in a list, one that does not ignores the parameter. */
function isSelected<T>(lister: ListerWatcher<T>, shardSelector: string, settings: ReflectOptions): Observable<boolean> {
  const plain = (text: string): string => text.replaceAll(/\s/g, '');
  return defer(() => lister.list({ limit: 1, shardSelector })).pipe(
    reduce((found, { metadata }) => (metadata as ShardedListMeta | undefined)?.shardInfo?.selector ?? found, ''),
    map((found) => plain(found) === plain(shardSelector)),
    timeout({ first: probeTimeoutMs, scheduler: schedulerOf(settings.scheduler) }),
    catchError(() => of(false)),
  );
}

/** One subscription: a reflector that is begun anew when something comes to the shard. */
class ShardedSession<T extends KubernetesObject> {
  isListing = false;
  private readonly init: ShardedSourceInit<T>;
  private readonly emit: (event: SourceEvent<T>) => void;
  private readonly slots = new Set<number>();
  private readonly lister: ListerWatcher<T>;
  private isFirst = true;

  constructor(init: ShardedSourceInit<T>, emit: (event: SourceEvent<T>) => void) {
    this.init = init;
    this.emit = emit;
    this.lister = init.listerOf({ shard: { by: init.shard.by, slots: this.slots } });
  }

  /** Takes over other slots. Returns whether everything is to be listed for them. */
  take(next: ReadonlySet<number>): boolean {
    const { isFirst, isListing, slots } = this;
    this.isFirst = false;
    const leaving = [...slots].filter((slot) => !next.has(slot));
    const coming = [...next].filter((slot) => !slots.has(slot));
    for (const slot of leaving) slots.delete(slot);
    for (const slot of coming) slots.add(slot);
    // A list under way may have brought some of what leaves.
    const isStale = leaving.length > 0 && (isListing || !this.letGo(new Set(leaving)));
    return isFirst || isStale || coming.length > 0;
  }

  /** What a reflector brings of the slots as they are now. */
  events(): Observable<SourceEvent<T>> {
    const { lister, slots } = this;
    const { settings, namespace: scope, shard } = this.init;
    if (slots.size === 0) {
      const init: SourceEvent<T> = { type: 'init', scope, reason: 'first', previousResourceVersion: '' };
      return of(init, { type: 'ready', scope, resourceVersion: '' } as const);
    }
    this.isListing = true;
    const shardSelector = shardSelectorOf({ by: shard.by, slots });
    const selecting: ListerWatcher<T> = {
      ...lister,
      list: (request) => lister.list({ ...request, shardSelector }),
      watch: (request) => lister.watch({ ...request, shardSelector }),
    };
    // What another one has done just before must be seen.
    const fresh: ReflectOptions = { listSemantics: 'mostRecent', ...settings };
    return isSelected(lister, shardSelector, settings).pipe(switchMap((isIt) => reflect(isIt ? selecting : lister, fresh)));
  }

  /** Emits what has moved to another shard. Returns whether all of it could be found. */
  private letGo(leaving: ReadonlySet<number>): boolean {
    const { cached, namespace, shard } = this.init;
    const cache = cached();
    let isComplete = true;
    for (const key of cache.listKeys()) {
      const place = namespaceOfKey(key);
      if (namespace !== '' && place !== namespace) continue;
      const hashed = shard.by === 'namespace' ? place : uidOf(cache.getByKey(key));
      if (shard.by === 'uid' && hashed === '') isComplete = false;
      else if (leaving.has(hashSlot(hashed))) {
        const object = { metadata: { ...(place !== '' && { namespace: place }), name: key.slice(key.indexOf('/') + 1) } } as T;
        this.emit({ type: 'deleted', scope: namespace, object, resourceVersion: '', reason: 'moved' });
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
 * What leaves the shard is deleted with the reason `moved`. When something comes to it, everything of the shard is listed again, as of a time after the change.
 * Requests carry `shardSelector` where a list of one object shows that the server selects by it; whatever the server sends, objects of other shards are dropped.
 *
 * @internal
 */
export function shardedSource<T extends KubernetesObject>(init: ShardedSourceInit<T>): Observable<SourceEvent<T>> {
  return new Observable((subscriber) => {
    const session = new ShardedSession<T>(init, (event) => subscriber.next(event));
    const begin$ = new Subject<void>();
    const next = (event: SourceEvent<T>): void => {
      if (event.type === 'init') session.isListing = true;
      subscriber.next(event);
      if (event.type === 'ready') session.isListing = false;
    };
    follow(begin$.pipe(switchMap(() => session.events())), subscriber, { next });
    const take = ({ slots }: Pick<ShardFilter, 'slots'>): void => {
      if (session.take(slots)) begin$.next();
    };
    follow(init.shard.shard$, subscriber, { next: take });
  });
}
