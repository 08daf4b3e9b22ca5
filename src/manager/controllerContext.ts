import type { Observable } from 'rxjs';
import type { KubernetesObject } from '../api/kubernetesObject.js';
import type { Resource } from '../api/resource.js';
import type { KubeClient } from '../client/kubeClient.js';
import type { Leadership } from '../controller/leader/leadership.js';
import type { Outcome } from '../controller/reconcile/outcome.js';
import type { ReconcileConfig } from '../controller/reconcile/reconcileConfig.js';
import type { EventRecorder } from '../controller/status/createEventRecorder.js';
import type { InformerSelection } from '../informer/createInformerFactory.js';
import type { SharedInformer } from '../informer/sharedInformer.js';
import type { Syncable } from '../informer/waiting/waitForCacheSync.js';
import type { ShardReconcileConfig } from '../controller/shards/shardedReconcile.js';

/** What a controller of a manager with `shards` does for the objects of this process alone. */
export interface ControllerShard {
  /**
   * An informer of the objects that are this process's, shared by all controllers that ask for the same. It is empty until the process has joined its group.
   *
   * @throws TypeError when the manager has a list of `resources` and this one is not in it.
   */
  readonly informer: <T extends KubernetesObject>(
    resource: Resource<T, 'list' | 'watch'>,
    selection?: InformerSelection,
  ) => SharedInformer<T>;
  /** `reconcile` of `joinShards`, with the caches, the stopping, the metrics and the scheduler of the manager. A subscription to it joins the group. */
  // eslint-disable-next-line rxjs-x/finnish -- the name that it has outside
  readonly reconcile: (config: Omit<ShardReconcileConfig, 'stop$' | 'drainTimeoutMs' | 'scheduler'>) => Observable<Outcome>;
}

/** What a controller is given. */
export interface ControllerContext {
  /** The name that it was added under. */
  readonly name: string;
  /**
   * The client for its work. With leader election, its requests belong to the leadership for which the controller was called: they reject with a
   * LeaderElectionError before it begins and once it is over, also when this process leads again by then.
   */
  readonly client: KubeClient;
  /** The leadership for which the controller was called; undefined without leader election, before that begins, and once it is over. */
  readonly leadership: () => Leadership | undefined;
  /**
   * An informer, shared by all controllers that use the same resource and selection. Call it before the controller is returned: then it is complete when the
   * work begins. Its `lister` shows the writes of this program at once; `indexer` shows what the watch has brought.
   *
   * @throws TypeError when the manager has a list of `resources` and this one is not in it.
   */
  readonly informer: <T extends KubernetesObject>(
    resource: Resource<T, 'list' | 'watch'>,
    selection?: InformerSelection,
  ) => SharedInformer<T>;
  /**
   * What `make` returns, a view for example, made by the first controller that uses the name and shared by the others. It is waited for as informers are.
   */
  readonly share: <C extends Syncable>(name: string, make: () => C) => C;
  /** `reconcile`, with the caches, the stopping, the metrics and the scheduler of the manager. */
  // eslint-disable-next-line rxjs-x/finnish -- the name that it has outside
  readonly reconcile: (config: Omit<ReconcileConfig, 'stop$' | 'drainTimeoutMs' | 'scheduler'>) => Observable<Outcome>;
  /**
   * The part of the objects that is this process's.
   *
   * @throws Error when the manager was made without `shards`.
   */
  readonly shard: ControllerShard;
  /** Writes events about objects under the controller's name. What is left is written when the manager stops. */
  readonly recorder: EventRecorder;
  /** Emits and completes when the manager stops: take no new work, and complete. */
  readonly stop$: Observable<void>;
}

/**
 * A controller: gets the informers that it needs, and returns an Observable that works while it is subscribed to. It is subscribed to when all informers are
 * complete and, with leader election, this process leads; it is unsubscribed from when the leadership ends.
 *
 * The function is called once at the start, so that its informers are complete when the first leadership begins, and once more for each later leadership.
 * Informers, what is shared, and the recorder are the same each time; variables inside of the function are not.
 */
export type Controller = (context: ControllerContext) => Observable<unknown>;

/** Options of `add`. */
export interface ControllerOptions {
  /**
   * Whether it works only while this process leads.
   *
   * @defaultValue true with `leaderElection`, false for a controller that asks for its `shard`
   */
  readonly needsLeader?: boolean | undefined;
}
