import type { Observable } from 'rxjs';
import type { KubernetesObject } from '../api/kubernetesObject.js';
import type { Resource } from '../api/resource.js';
import type { Outcome } from '../controller/reconcile/outcome.js';
import type { ShardReconcileConfig } from '../controller/shards/shardedReconcile.js';
import type { InformerSelection } from '../informer/factory/informerFactory.js';
import type { SharedInformer } from '../informer/sharedInformer.js';

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
