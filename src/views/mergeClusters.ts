import {
  BehaviorSubject,
  combineLatest,
  defer,
  isObservable,
  map,
  Observable,
  of,
  type SchedulerLike,
  Subscription,
  switchMap,
} from 'rxjs';
import { InformerError } from '../api/errors/informerError.js';
import type { InformerHealth } from '../api/events/informerHealth.js';
import type { KubernetesObject } from '../api/kubernetesObject.js';
import { describeValue } from '../api/options/optionRule.js';
import { rules } from '../api/options/rules.js';
import { metaNamespaceKey } from '../cache/keys/metaNamespaceKey.js';
import type { Collection } from '../informer/collection.js';
import { schedulerOf } from '../rx/schedulerOf.js';
import { checkViewOptions, expectCollection } from './kernel/checks.js';
import { deriveMany } from './deriveMany.js';
import { healthOf } from './kernel/viewHealth.js';
import { untyped } from './kernel/viewPort.js';
import { mergeViews } from './mergeViews.js';
import type { View } from './view.js';
import type { ViewOptions } from './viewOptions.js';

/**
 * The collections of one kind by the name of their cluster.
 */
export type Clusters<T> = ReadonlyMap<string, Collection<T>>;

/**
 * Options of `mergeClusters`.
 */
export interface MergeClustersOptions<T> extends ViewOptions<T> {
  /**
   * What becomes of the objects of a cluster that is not in the map any more: `'drop'` deletes them, `'keep'` leaves them as they were last, until the cluster comes again and is
   * complete.
   *
   * @defaultValue 'drop'
   */
  readonly gone?: 'drop' | 'keep' | undefined;
  /**
   * How long the clusters of the first map are waited for, in milliseconds; `Infinity` for ever. Those that are not complete by then appear when they are; until
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

/** One cluster, under keys that carry its name. */
interface Member<T> {
  readonly collection: Collection<T>;
  readonly view: View<T>;
  readonly follow: Subscription;
  isComplete: boolean;
}

function expectClusters(clusters: unknown): void {
  if (!(clusters instanceof Map))
    throw new TypeError(`Expected \`mergeClusters\` to be given a Map of informers and views, got ${describeValue(clusters)}`);
  for (const [name, collection] of clusters as Map<unknown, Collection<unknown>>) {
    if (!rules.nonEmptyString.holds(name) || String(name).includes('/')) {
      throw new TypeError(`Expected the name of a cluster to be a non-empty string without a slash, got ${describeValue(name)}`);
    }
    expectCollection('mergeClusters', collection);
  }
}

/** One session: which clusters are shown. */
class ClusterSession<T extends KubernetesObject> {
  private readonly emit: (views: readonly View<T>[]) => void;
  /** Says that a cluster is missing, and why, or that it is not any more. */
  readonly miss: (name: string, cause: InformerError | undefined, isMissing: boolean) => void;
  private readonly gone: 'drop' | 'keep';
  private readonly members = new Map<string, Member<T>>();
  /** What is shown of each cluster: the last view that was complete. */
  private readonly shown = new Map<string, View<T>>();
  /** The clusters of the first map that are waited for; undefined before it. */
  private awaited: Set<string> | undefined;
  private isOpen = false;

  constructor(gone: 'drop' | 'keep', emit: (views: readonly View<T>[]) => void, miss: ClusterSession<T>['miss']) {
    this.gone = gone;
    this.emit = emit;
    this.miss = miss;
  }

  take(clusters: Clusters<T>): void {
    expectClusters(clusters);
    for (const [name, { collection }] of [...this.members]) if (clusters.get(name) !== collection) this.leave(name, !clusters.has(name));
    this.awaited ??= new Set(clusters.keys());
    for (const [name, collection] of clusters) if (!this.members.has(name)) this.enter(name, collection);
    this.publish();
  }

  /** The clusters that are not complete are not waited for any more. */
  open(): void {
    for (const name of this.awaited ?? []) this.miss(name, this.members.get(name)?.collection.health().error, true);
    this.awaited?.clear();
    this.publish();
  }

  stop(): void {
    for (const { follow, view } of this.members.values()) {
      follow.unsubscribe();
      void view.stop();
    }
  }

  private enter(name: string, collection: Collection<T>): void {
    const view = deriveMany<T, T>(collection, (object) => [object], {
      name: `${name}/${collection.name}`,
      key: (object) => `${name}/${metaNamespaceKey(object)}`,
      equals: Object.is,
    });
    const follow = new Subscription();
    const member: Member<T> = { collection, view, follow, isComplete: false };
    this.members.set(name, member);
    const complete = (): void => {
      if (member.isComplete || follow.closed) return;
      member.isComplete = true;
      this.awaited?.delete(name);
      this.miss(name, undefined, false);
      this.shown.set(name, view);
      this.publish();
    };
    const noteHealth = ({ error }: InformerHealth): void => {
      if (error !== undefined && !member.isComplete) this.miss(name, error, true);
    };
    follow.add(collection.health$.subscribe({ next: noteHealth, error: () => undefined }));
    // A cluster that fails for good shows in its health.
    follow.add(view.change$.subscribe({ next: ({ synced }) => synced && complete(), error: () => undefined }));
  }

  private leave(name: string, isGone: boolean): void {
    const member = this.members.get(name);
    member?.follow.unsubscribe();
    void member?.view.stop();
    this.members.delete(name);
    this.miss(name, undefined, false);
    this.awaited?.delete(name);
    if (isGone && this.gone === 'drop') this.shown.delete(name);
  }

  private publish(): void {
    if (this.awaited === undefined || (!this.isOpen && this.awaited.size > 0)) return;
    this.isOpen = true;
    this.emit([...this.shown.values()]);
  }
}

interface ShownOptions<T extends KubernetesObject> {
  readonly gone: 'drop' | 'keep';
  readonly syncTimeoutMs: number;
  readonly scheduler: SchedulerLike;
  readonly miss: ClusterSession<T>['miss'];
}

function shownViews<T extends KubernetesObject>(
  clusters$: Observable<Clusters<T>>,
  { gone, syncTimeoutMs, scheduler, miss }: ShownOptions<T>,
): Observable<readonly View<T>[]> {
  return new Observable((subscriber) => {
    const timer = new Subscription();
    const emit = (views: readonly View<T>[]): void => {
      timer.unsubscribe();
      subscriber.next(views);
    };
    const session = new ClusterSession<T>(gone, emit, miss);
    subscriber.add(() => session.stop());
    if (syncTimeoutMs !== Infinity) timer.add(scheduler.schedule(() => session.open(), syncTimeoutMs));
    subscriber.add(timer);
    const take = (clusters: Clusters<T>): void => {
      try {
        session.take(clusters);
      } catch (error) {
        subscriber.error(error);
      }
    };
    subscriber.add(clusters$.subscribe({ next: take, error: (error: unknown) => subscriber.error(error) }));
  });
}

/**
 * Makes a view of the objects of one kind in several clusters, which may come and go. Keys carry the cluster: `cluster/namespace/name`, or `cluster/name`.
 *
 * ```text
 * clusters  {eu us}                 {eu us ap}             {eu ap}
 * eu        {+a}
 * us              {+b}
 * ap                                           {+c}
 * result          {+eu/a +us/b}                {+ap/c}     {-us/b}
 * ```
 *
 * - A cluster that comes appears when it is complete; until then everything else goes on, and its health has its error.
 * - The objects of one that goes are deleted in one change, or stay as they were last (`gone: 'keep'`). Its collection is left, and is yours to stop.
 * - A cluster whose connection fails keeps what it has: the view's health is that of the one that is worst off.
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
 * @param clusters - a Map, or a stream of Maps, of which the last one counts.
 *
 * @throws TypeError when an argument is wrong. Streams fail with a TypeError when a Map is wrong.
 *
 * @see multicluster-runtime, and istio krt's nested `JoinCollection`
 */
export function mergeClusters<T extends KubernetesObject>(
  clusters: Clusters<T> | Observable<Clusters<T>>,
  options: MergeClustersOptions<T> = {},
): ClusterView<T> {
  if (!isObservable(clusters)) expectClusters(clusters);
  const durations = rules.durationOf({ above: 0, infinite: true });
  checkViewOptions('mergeClusters', options, { gone: rules.oneOf('drop', 'keep'), syncTimeoutMs: durations });
  const { gone = 'drop', syncTimeoutMs = 30_000, ...others } = options;
  const current$ = new BehaviorSubject<Clusters<T>>(isObservable(clusters) ? new Map() : clusters);
  const source = isObservable(clusters) ? clusters : of(clusters);
  const noted = source.pipe(
    map((now) => {
      current$.next(now);
      return now;
    }),
  );
  const miss = (name: string, cause: InformerError | undefined, isMissing: boolean): void => {
    const status = healthOf(untyped(view));
    if (!isMissing) {
      if (status?.absent.delete(name) === true) status.touch();
      return;
    }
    const why = cause === undefined ? 'it has not been listed' : cause.message;
    const message = `The cluster ${name} of ${view.name} is not shown: ${why}`;
    status?.absent.set(name, new InformerError({ code: cause?.code ?? 'ERR_TIMEOUT', message, cause, resource: view.name }));
    status?.touch();
  };
  const views = shownViews<T>(noted, { gone, syncTimeoutMs, scheduler: schedulerOf(options.scheduler), miss });
  const view: View<T> = mergeViews<T>(views, { name: 'mergeClusters', equals: Object.is, ...others });
  const healths = (now: Clusters<T>): Observable<ReadonlyMap<string, InformerHealth>> =>
    now.size === 0
      ? of(new Map<string, InformerHealth>())
      : combineLatest([...now].map(([name, { health$ }]) => health$.pipe(map((health) => [name, health] as const)))).pipe(
          map((entries) => new Map(entries)),
        );
  return Object.assign(view, { clusters$: defer(() => current$).pipe(switchMap(healths)) });
}
