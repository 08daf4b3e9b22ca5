import type { Observable } from 'rxjs';
import type { KubeClient, KubernetesObject, Resource, SharedInformer } from 'rx-informer';
import type { ChildrenOptions, ChildrenResult } from '../children/children.js';
import type { Leadership } from '../leader/leadership.js';
import type { Outcome } from '../reconcile/outcome.js';
import type { ReconcileConfig } from '../reconcile/reconcileConfig.js';
import type { EventRecorder } from '../status/createEventRecorder.js';
import type { InformerSelection, Syncable } from 'rx-informer/internal';
import type { ShardReconcileConfig } from '../shards/shardedReconcile.js';

/** The part of a controller context for managers with `shards`. */
export interface ControllerShard {
  /**
   * An informer of the objects that this process owns, shared by all controllers with the same selection. It is empty until the process has joined its group.
   *
   * @throws TypeError when the manager has a list of `resources` and this one is not in it.
   */
  readonly informer: <T extends KubernetesObject>(
    resource: Resource<T, 'list' | 'watch'>,
    selection?: InformerSelection,
  ) => SharedInformer<T>;
  /** `reconcile` of `joinShards`, with the caches, stop signal, metrics and scheduler of the manager. Subscribing joins the group. */
  // eslint-disable-next-line rxjs-x/finnish -- the name of the function outside
  readonly reconcile: (config: Omit<ShardReconcileConfig, 'stop$' | 'drainTimeoutMs' | 'scheduler'>) => Observable<Outcome>;
}

/** The options of `reconcile` of a controller context. */
export interface ManagedReconcileConfig extends Omit<ReconcileConfig, 'stop$' | 'drainTimeoutMs' | 'scheduler' | 'sources'> {
  /** The resource that is reconciled: its informer is a source. */
  readonly for?: Resource<KubernetesObject> | undefined;
  /**
   * The resources of its children: their events trigger their owner. Needs `for`, which may be one of them.
   *
   * @defaultValue none
   */
  readonly owns?: readonly Resource<KubernetesObject>[] | undefined;
  /**
   * A name such as `example.com/website`, which allows children outside of the parent's namespace; see `ChildrenAcross`. Needs `for`.
   *
   * @defaultValue none
   */
  readonly across?: string | undefined;
  /** Further sources, by names other than those of the resources in `for` and `owns`; needed without `for`. */
  readonly sources?: ReconcileConfig['sources'] | undefined;
}

/** The options of `children` of a controller context. */
export interface ManagedChildrenOptions extends Partial<Omit<ChildrenOptions, 'of' | 'across'>> {
  /** @defaultValue the resources in `owns` of `reconcile` */
  readonly of?: readonly Resource<KubernetesObject>[] | undefined;
}

/** The argument of a controller. */
export interface ControllerContext {
  /** The name of the controller. */
  readonly name: string;
  /**
   * The client for its work. With leader election, its requests are bound to the leadership for which the controller was called: before it begins and after it ends they
   * reject with a LeaderElectionError, even if this process leads again by then.
   */
  readonly client: KubeClient;
  /** The leadership for which the controller was called; undefined without leader election, and outside of that leadership. */
  readonly leadership: () => Leadership | undefined;
  /**
   * An informer, shared by all controllers with the same resource and selection. Call it before the controller returns: then it has synced when the
   * work begins. Its `lister` shows the writes of this program at once; `indexer` shows the cache.
   *
   * @throws TypeError when the manager has a list of `resources` and this one is not in it.
   */
  readonly informer: <T extends KubernetesObject>(
    resource: Resource<T, 'list' | 'watch'>,
    selection?: InformerSelection,
  ) => SharedInformer<T>;
  /**
   * The result of `make`, for example a view, created by the first controller that uses the name and shared by the others. Its sync is awaited like an informer's.
   */
  readonly share: <C extends Syncable>(name: string, make: () => C) => C;
  /** `reconcile`, with the caches, stop signal, metrics and scheduler of the manager. */
  // eslint-disable-next-line rxjs-x/finnish -- the name of the function outside
  readonly reconcile: (config: ManagedReconcileConfig) => Observable<Outcome>;
  /**
   * `children` with the client and the informers of the manager: of the kinds in `owns` of `reconcile`, and applied under the controller's name, unless the options
   * say otherwise.
   */
  readonly children: (
    parent: KubernetesObject,
    desired: readonly KubernetesObject[],
    options?: ManagedChildrenOptions,
  ) => Promise<ChildrenResult>;
  /**
   * The objects that this process owns.
   *
   * @throws Error when the manager was made without `shards`.
   */
  readonly shard: ControllerShard;
  /** Records events under the controller's name. Pending events are written when the manager stops. */
  readonly recorder: EventRecorder;
  /** Emits and completes when the manager stops: accept no new work, and complete. */
  readonly stop$: Observable<void>;
}

/**
 * A controller: creates its informers, and returns an Observable that does the work while subscribed to. It is subscribed to when all informers have
 * synced and, with leader election, this process leads; it is unsubscribed from when the leadership ends.
 *
 * The function is called once at the start, so that its informers have synced when the first leadership begins, and again for each later leadership.
 * Informers, shared values and the recorder are the same each time; local variables of the function are not.
 */
export type Controller = (context: ControllerContext) => Observable<unknown>;

/**
 * What happens when something that should last ends by itself: a source of a controller that fails, a controller that completes, an informer that stops.
 * `fail` ends the manager with an error that names it, and exit code 1. `unready` makes `/readyz` fail, with its name, while everything else goes on.
 */
export type WhenEnded = 'fail' | 'unready';

/** Options of `add`. */
export interface ControllerOptions {
  /** What happens when a source of it fails, or when it completes. @defaultValue `whenEnded` of the manager */
  readonly whenEnded?: WhenEnded | undefined;
  /**
   * Whether it works only while this process leads.
   *
   * @defaultValue true with `leaderElection`, false for a controller that asks for its `shard`
   */
  readonly needsLeader?: boolean | undefined;
}
