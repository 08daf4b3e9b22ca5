import { isObservable, type Observable } from 'rxjs';
import type { KubeClient } from '../client/kubeClient.js';
import type { KubernetesObject } from '../api/kubernetesObject.js';
import type { InformerHealth } from '../api/events.js';
import { type Resource, resourceName } from '../api/resource.js';
import type { Trace } from '../api/traceStep.js';
import { combineTraces } from '../metrics/combineTraces.js';
import { createInformerFactory, type InformerSelection, type SharedInformerFactory } from '../informer/createInformerFactory.js';
import type { SharedInformer } from '../informer/sharedInformer.js';
import { type Syncable, waitForCacheSync } from '../informer/waiting/waitForCacheSync.js';
import type { Shards } from '../controller/shards/joinShards.js';
import type { ManagerSettings } from './managerOptions.js';
import { cacheCheck, type Check } from './probeServer.js';
import { entryOf } from '../api/entryOf.js';

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

/** The caches of a manager: informers, shared by selection, and other shared values. */
export class ManagedCaches {
  private readonly settings: ManagerSettings;
  private readonly factory: SharedInformerFactory;
  /** Equal to `factory` without shards. */
  private readonly sharded: SharedInformerFactory;
  private readonly shared = new Map<string, SharedCache>();
  /** Called when a cache has stopped by itself. */
  private readonly stopped: (problem: string, cause: unknown) => void;
  private readonly followed = new WeakSet<SharedCache>();

  constructor(settings: ManagerSettings, { trace, shard, stopped }: CacheParts) {
    this.settings = settings;
    this.stopped = stopped;
    const { client, informers, scheduler } = settings;
    // With `readYourWrites`, a call does not see an object older than the controller's own last write.
    const readYourWrites = isObservable((client as Partial<KubeClient>).writes$);
    const traces = [informers?.trace, trace].filter((each) => each !== undefined);
    const common = { readYourWrites, ...informers, scheduler, ...(traces.length > 0 && { trace: combineTraces(...traces) }) };
    // A verifying list would contain objects of other shards, so there is no verification.
    const name = [...(informers?.name === undefined ? [] : [informers.name]), 'shard'].join(' ');
    this.factory = createInformerFactory(client, common);
    this.sharded = shard === undefined ? this.factory : createInformerFactory(client, { ...common, shard, name, verification: undefined });
  }

  /** An informer of all objects, or of those of the shard. */
  informer<T extends KubernetesObject>(
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
    const factory = of === 'all' ? this.factory : this.sharded;
    return this.follow(factory.forResource(resource, selection));
  }

  share<C extends Syncable>(name: string, make: () => C): C {
    return this.follow(entryOf<string, SharedCache>(this.shared, name, make)) as C;
  }

  /** Reports the cache if it stops while the manager runs. */
  private follow<C extends SharedCache>(cache: C): C {
    if (this.followed.has(cache)) return cache;
    this.followed.add(cache);
    cache.health$?.subscribe({
      next: ({ state, error }) => {
        if (state === 'stopped')
          this.stopped(`The informer ${cache.name} has stopped${error === undefined ? '' : `: ${error.message}`}`, error);
      },
      error: () => undefined,
    });
    return cache;
  }

  all(): readonly SharedCache[] {
    return [
      ...[...new Set([this.factory, this.sharded])].flatMap((factory) => factory.informers() as readonly SharedCache[]),
      ...this.shared.values(),
    ];
  }

  /** Starts all caches and waits for their sync. Rejects with an error that names those that have not synced. */
  async sync(signal: AbortSignal): Promise<void> {
    const { syncTimeoutMs } = this.settings;
    const bound = syncTimeoutMs === Infinity ? {} : { timeoutMs: syncTimeoutMs };
    const { error } = await waitForCacheSync(this.all(), { signal, ...bound });
    if (error !== undefined) throw error;
  }

  checks(): readonly Check[] {
    const { staleAfterMs } = this.settings;
    return this.all().map((cache) => {
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
    for (const factory of [this.factory, this.sharded]) {
      await factory.shutdown();
      await factory.stopped;
    }
  }
}
