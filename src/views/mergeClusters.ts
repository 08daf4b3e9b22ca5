import { BehaviorSubject, combineLatest, defer, isObservable, map, type Observable, of, switchMap, tap } from 'rxjs';
import type { InformerHealth } from '../api/events.js';
import type { KubernetesObject } from '../api/kubernetesObject.js';
import { rules } from '../api/options.js';
import type { Collection } from '../informer/collection.js';
import { checkViewOptions } from './kernel/checks.js';
import { Clustering, expectCluster, expectMap } from './kernel/nodes/clustering.js';
import type { View, ViewOptions } from './view.js';

/**
 * The collections of one resource by the name of their cluster.
 */
export type Clusters<T> = ReadonlyMap<string, Collection<T>>;

/**
 * Options of `mergeClusters`.
 */
export interface MergeClustersOptions<T> extends ViewOptions<T> {
  /**
   * What happens to the objects of a cluster that is removed from the Map: `'drop'` deletes them, `'keep'` keeps their last state until the cluster is added again and is
   * complete.
   *
   * @defaultValue 'drop'
   */
  readonly gone?: 'drop' | 'keep' | undefined;
  /**
   * How long to wait for the clusters of the first Map, in milliseconds; `Infinity` for no limit. Clusters that sync later are added then; until
   * then the error in the view's health names one of them.
   *
   * @defaultValue 30000
   */
  readonly syncTimeoutMs?: number | undefined;
}

/**
 * A view of the objects of several clusters.
 */
export interface ClusterView<T> extends View<T> {
  /** The health of each cluster in the map: at subscription, then at every change. Starts nothing. */
  readonly clusters$: Observable<ReadonlyMap<string, InformerHealth>>;
}

/**
 * Makes a view of the objects of one resource in several clusters, which may be added and removed. Keys contain the cluster: `cluster/namespace/name`, or `cluster/name`.
 *
 * ```text
 * clusters  {eu us}                 {eu us ap}             {eu ap}
 * eu        {+a}
 * us              {+b}
 * ap                                           {+c}
 * result          {+eu/a +us/b}                {+ap/c}     {-us/b}
 * ```
 *
 * - The objects of an added cluster appear when it is complete; until then nothing waits for it, and its own health has its error.
 * - The objects of a removed cluster are deleted in one change, or keep their last state (`gone: 'keep'`). Its collection is not stopped.
 * - A cluster whose connection fails keeps its objects: the view's health is that of its worst cluster.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { reconcile } from 'rx-informer/controller';
 * import { mergeClusters } from 'rx-informer/views';
 *
 * const clients = new Map(['eu', 'us'].map((context) => [context, createClient({ context })]));
 * const informers = [...clients].map(([name, client]) => [name, createInformer(client, resources.core.v1.pods)] as const);
 * const pods = mergeClusters(new Map(informers));
 * reconcile({
 *   sources: { pods },
 *   reconcile: async ({ key }) => {
 *     const [cluster = ''] = key.split('/');
 *     console.log(await clients.get(cluster)?.server(), pods.indexer.getByKey(key)?.status?.phase);
 *   },
 * }).subscribe();
 * ```
 *
 * @param clusters - a Map, or an Observable of Maps, each replacing the one before.
 *
 * @throws TypeError when an argument is wrong. Streams fail with a TypeError when a Map is wrong.
 *
 * @see multicluster-runtime, and istio krt's nested `JoinCollection`
 */
export function mergeClusters<T extends KubernetesObject>(
  clusters: Clusters<T> | Observable<Clusters<T>>,
  options: MergeClustersOptions<T> = {},
): ClusterView<T> {
  if (!isObservable(clusters)) {
    expectMap(clusters);
    for (const [name, collection] of clusters) expectCluster(name, collection);
  }
  const durations = rules.durationOf({ above: 0, infinite: true });
  checkViewOptions('mergeClusters', options, { gone: rules.oneOf('drop', 'keep'), syncTimeoutMs: durations });
  const { gone = 'drop', syncTimeoutMs = 30_000, ...others } = options;
  const current$ = new BehaviorSubject<Clusters<T>>(isObservable(clusters) ? new Map() : clusters);
  const source = isObservable(clusters) ? clusters : of(clusters);
  const clusters$ = source.pipe(tap((now) => current$.next(now)));
  const view = new Clustering<T>({ clusters$, gone, syncTimeoutMs }, others).asView();
  const healths = (now: Clusters<T>): Observable<ReadonlyMap<string, InformerHealth>> =>
    now.size === 0
      ? of(new Map<string, InformerHealth>())
      : combineLatest([...now].map(([name, { health$ }]) => health$.pipe(map((health) => [name, health] as const)))).pipe(
          map((entries) => new Map(entries)),
        );
  return Object.assign(view, { clusters$: defer(() => current$).pipe(switchMap(healths)) });
}
