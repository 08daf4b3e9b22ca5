import { isObservable, type Observable } from 'rxjs';
import {
  createInformerFactory,
  type InformerHealth,
  type KubeClient,
  type KubernetesObject,
  type Resource,
  type SharedInformer,
  type SharedInformerFactory,
  waitForCacheSync,
} from 'rx-informer';
import { readYourWrites, sharding, type Trace, tracing } from 'rx-informer/pipeline';
import { type InformerControl, type InformerSelection, type Syncable, entryOf, resourceName } from 'rx-informer/internal';
import type { Shards } from '../shards/joinShards.js';
import type { ManagerSettings } from './managerOptions.js';
import { type ManagedSelection, selectionWithin } from './select.js';
import { cacheCheck, type Check } from './probeServer.js';

type Watchable<T extends KubernetesObject> = Resource<T, 'list' | 'watch'>;

/** A shared cache created by a controller. */
type SharedCache = Syncable & { health?(): InformerHealth; readonly health$?: Observable<InformerHealth>; stop?(): unknown };

/** What the caches of a manager need beside its settings. */
interface CacheParts {
  readonly trace: Trace | undefined;
  readonly shard: Shards | undefined;
  /** Called when a cache has stopped. */
  readonly stopped: (problem: string, cause: unknown) => void;
}

/** The factories of one resource, or of all that have no selection of their own. Both are the same without shards. */
interface Factories {
  readonly only: ManagedSelection | undefined;
  readonly all: SharedInformerFactory;
  readonly sharded: SharedInformerFactory;
}

/** The name under which a shared value uses caches. */
const sharedUser = (name: string): string => `share ${name}`;

/** The caches of a manager: informers, shared by selection, and other shared values. */
export class ManagedCaches {
  private readonly settings: ManagerSettings;
  /** The factories of resources with a selection of their own, then that of all others. */
  private readonly factories: readonly Factories[];
  /** By cache: the names of the controllers and shared values that use it. */
  private readonly users = new Map<SharedCache, Set<string>>();
  private readonly shared = new Map<string, SharedCache>();
  /** Called when a cache has stopped by itself. */
  private readonly stopped: (problem: string, cause: unknown) => void;

  constructor(settings: ManagerSettings, { trace, shard, stopped }: CacheParts) {
    this.settings = settings;
    this.stopped = stopped;
    const { client, informers, scheduler } = settings;
    // With `readYourWrites`, a call does not see an object older than the controller's own last write.
    const {
      readYourWrites: shows = isObservable((client as Partial<KubeClient>).writes$),
      trace: own,
      parts = [],
      ...others
    } = informers ?? {};
    const traces = [own, trace].flatMap((each) => (each === undefined ? [] : tracing(each)));
    const common = { ...others, scheduler };
    const all = [...parts, ...traces, ...(shows ? [readYourWrites()] : [])];
    const name = [...(informers?.name === undefined ? [] : [informers.name]), 'shard'].join(' ');
    this.factories = [...settings.selections, undefined].map((only) => {
      const selected = { ...common, ...(only?.transform !== undefined && { transform: only.transform }) };
      const unsharded = createInformerFactory(client, { ...selected, parts: all });
      if (shard === undefined) return { only, all: unsharded, sharded: unsharded };
      // A verifying list would contain objects of other shards, so there is no verification.
      const ofShard = [...all.filter(({ part }) => part !== 'verification'), sharding(shard)];
      return { only, all: unsharded, sharded: createInformerFactory(client, { ...selected, name, parts: ofShard }) };
    });
  }

  /** An informer of all objects, or of those of the shard. */
  informer<T extends KubernetesObject>(
    user: string,
    resource: Watchable<T>,
    selection?: InformerSelection,
    of: 'all' | 'shard' = 'all',
  ): SharedInformer<T> {
    const { resources } = this.settings;
    const same = (other: Resource<unknown, never>): boolean =>
      other.group === resource.group && other.version === resource.version && other.plural === resource.plural;
    if (resources !== undefined && !resources.some(same)) {
      const known = resources.map((each) => resourceName(each)).join(', ') || 'none';
      throw new TypeError(`Cannot watch ${resourceName(resource)}: it is not among the \`resources\` of the manager, which are ${known}`);
    }
    const { only, all, sharded } = this.factories.find((each) => each.only === undefined || same(each.only.resource)) as Factories;
    return this.use(
      user,
      (of === 'all' ? all : sharded).forResource(
        resource,
        only === undefined ? selection : selectionWithin(only.selection, selection ?? {}),
      ),
    );
  }

  /** A value that is made by its first user. What that one uses already belongs to the value, too: it may be made of it. */
  share<C extends Syncable>(user: string, name: string, make: () => C): C {
    const made = entryOf<string, SharedCache>(this.shared, name, () => {
      const value = make();
      for (const [cache, users] of this.users) if (cache !== value && users.has(user)) users.add(sharedUser(name));
      return value;
    }) as C;
    return this.use(user, made);
  }

  private use<C extends SharedCache>(user: string, cache: C): C {
    const users = this.users.get(cache);
    if (users === undefined) this.follow(cache);
    else users.add(user);
    this.users.set(cache, users ?? new Set([user]));
    return cache;
  }

  /** The caches that a controller uses. */
  of(user: string): readonly SharedCache[] {
    return [...this.users].filter(([, users]) => users.has(user)).map(([cache]) => cache);
  }

  /** Stops the caches that only this controller has used. */
  async leave(user: string): Promise<void> {
    const unused = this.of(user).filter((cache) => {
      const users = this.users.get(cache);
      users?.delete(user);
      return users?.size === 0;
    });
    for (const cache of unused) this.users.delete(cache);
    // All in this turn: a controller that is added meanwhile gets informers of its own.
    await Promise.all(unused.map((cache) => this.release(cache)));
  }

  private async release(cache: SharedCache): Promise<void> {
    const names = [...this.shared].filter(([, value]) => value === cache).map(([name]) => name);
    for (const name of names) this.shared.delete(name);
    const released = this.allFactories().map((factory) => factory.release(cache as InformerControl));
    await Promise.all([...released, ...(names.length > 0 ? [cache.stop?.()] : [])]);
    for (const name of names) await this.leave(sharedUser(name));
  }

  private allFactories(): readonly SharedInformerFactory[] {
    return this.factories.flatMap(({ all, sharded }) => [all, sharded]);
  }

  /** Reports the cache if it stops while somebody uses it. */
  private follow(cache: SharedCache): void {
    cache.health$?.subscribe({
      next: ({ state, error }) => {
        if (state === 'stopped' && this.users.has(cache))
          this.stopped(`The informer ${cache.name} has stopped${error === undefined ? '' : `: ${error.message}`}`, error);
      },
      error: () => undefined,
    });
  }

  /** Starts all caches, or those of one user, and waits for their sync. Rejects with an error that names those that have not synced. */
  async sync(signal: AbortSignal, user?: string): Promise<void> {
    const { syncTimeoutMs } = this.settings;
    const bound = syncTimeoutMs === Infinity ? {} : { timeoutMs: syncTimeoutMs };
    const caches = user === undefined ? [...this.users.keys()] : this.of(user);
    const { outcomes, error } = await waitForCacheSync(caches, { signal, ...bound });
    // One whose last user was removed meanwhile has been stopped, and is not missed.
    const isMissed = outcomes.some(({ synced }, at) => !synced && this.users.has(caches[at] as SharedCache));
    if (isMissed && error !== undefined) throw error;
  }

  checks(): readonly Check[] {
    const { staleAfterMs } = this.settings;
    return [...this.users.keys()].map((cache) => {
      const health = cache.health?.();
      if (health !== undefined) return cacheCheck(cache.name, health, staleAfterMs);
      return { name: cache.name, problem: cache.hasSynced() ? undefined : 'not complete yet' };
    });
  }

  async stop(): Promise<void> {
    await Promise.all(
      [...this.shared.values()].map(async (cache) => {
        await cache.stop?.();
      }),
    );
    for (const factory of this.allFactories()) {
      await factory.shutdown();
      await factory.stopped;
    }
  }
}
