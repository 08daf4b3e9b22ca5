import { catchError, defer, map, Observable, of, reduce, type Subscriber, Subscription, switchMap, timeout } from 'rxjs';
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
  private readonly init: ShardedSourceInit<T>;
  private readonly subscriber: Subscriber<SourceEvent<T>>;
  private readonly slots = new Set<number>();
  private readonly lister: ListerWatcher<T>;
  private session: Subscription | undefined;
  private isListing = false;

  constructor(init: ShardedSourceInit<T>, subscriber: Subscriber<SourceEvent<T>>) {
    this.init = init;
    this.subscriber = subscriber;
    this.lister = init.listerOf({ shard: { by: init.shard.by, slots: this.slots } });
  }

  take(next: ReadonlySet<number>): void {
    const isFirst = this.session === undefined;
    const leaving = [...this.slots].filter((slot) => !next.has(slot));
    const coming = [...next].filter((slot) => !this.slots.has(slot));
    for (const slot of leaving) this.slots.delete(slot);
    for (const slot of coming) this.slots.add(slot);
    // A list under way may have brought some of what leaves.
    const isStale = leaving.length > 0 && (this.isListing || !this.letGo(new Set(leaving)));
    if (isFirst || isStale || coming.length > 0) this.begin();
  }

  stop(): void {
    this.session?.unsubscribe();
  }

  /** Tells what has moved to another shard. Returns whether all of it could be told. */
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
        this.subscriber.next({ type: 'deleted', scope: namespace, object, resourceVersion: '', reason: 'moved' });
      }
    }
    return isComplete;
  }

  private begin(): void {
    const { settings, namespace } = this.init;
    const { lister, slots, subscriber } = this;
    this.session?.unsubscribe();
    const session = new Subscription();
    this.session = session;
    if (slots.size === 0) {
      subscriber.next({ type: 'init', scope: namespace, reason: 'first', previousResourceVersion: '' });
      subscriber.next({ type: 'ready', scope: namespace, resourceVersion: '' });
      return;
    }
    this.isListing = true;
    const shardSelector = shardSelectorOf({ by: this.init.shard.by, slots });
    const selecting: ListerWatcher<T> = {
      ...lister,
      list: (request) => lister.list({ ...request, shardSelector }),
      watch: (request) => lister.watch({ ...request, shardSelector }),
    };
    // What another one has done just before must be seen.
    const fresh: ReflectOptions = { listSemantics: 'mostRecent', ...settings };
    const events = isSelected(lister, shardSelector, settings).pipe(switchMap((isIt) => reflect(isIt ? selecting : lister, fresh)));
    session.add(
      events.subscribe({
        next: (event) => {
          if (event.type === 'init') this.isListing = true;
          subscriber.next(event);
          if (event.type === 'ready') this.isListing = false;
        },
        error: (error: unknown) => subscriber.error(error),
      }),
    );
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
    const session = new ShardedSession<T>(init, subscriber);
    subscriber.add(() => session.stop());
    follow(init.shard.shard$, subscriber, {
      next: ({ slots }) => session.take(slots),
      error: (error: unknown) => subscriber.error(error),
    });
  });
}
