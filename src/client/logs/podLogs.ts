import {
  catchError,
  concat,
  defer,
  EMPTY,
  filter,
  from,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  type SchedulerLike,
  Subject,
  switchMap,
  takeUntil,
  tap,
  throwError,
  timer,
} from 'rxjs';
import type { ResourceEvent } from '../../api/events.js';
import { isForbidden, isNotFound } from '../../api/errors/apiError.js';
import type { V1Pod } from '../../api/kubernetes/coreV1.js';
import { entryOf } from '../../api/entryOf.js';
import { checkOptions, randomOf, rules } from '../../api/options.js';
import { resources } from '../../api/resources.js';
import type { KubeClient } from '../kubeClient.js';
import { schedulerOf } from '../../rx/schedulerOf.js';
import { containerLog, containersOf, type ContainerState, containerState, hasStarted, type LogRequest } from './containerLog.js';

/** A line that a container has written. */
export interface PodLogLine {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  /** The time, by the clock of its node: RFC 3339 with up to nine digits of a second. */
  readonly time: string;
  /** The line without its line break. */
  readonly text: string;
}

/** Options of {@link podLogs}. Durations are in milliseconds. */
export interface PodLogsOptions {
  /**
   * Whether to wait for further lines. Otherwise the result completes after the existing ones.
   * @defaultValue true, except with `previous`
   */
  readonly follow?: boolean | undefined;
  /** The container, or several. @defaultValue all containers of each pod */
  readonly container?: string | readonly string[] | undefined;
  /** The log of a container's last run, before it was restarted. Implies `follow: false`. @defaultValue false */
  readonly previous?: boolean | undefined;
  /** The number of last lines of each log to start with. Logs of containers that start later are read from their beginning. @defaultValue all lines */
  readonly tail?: number | undefined;
  /** Only lines from this time on; a string must be RFC 3339. */
  readonly since?: Date | string | undefined;
  /** Only lines up to this age, in milliseconds; not together with `since`. */
  readonly sinceMs?: number | undefined;
  /**
   * How long a connection may be silent before it is replaced; `Infinity` for no limit. No line is lost or duplicated by that.
   * @defaultValue 300000
   */
  readonly idleTimeoutMs?: number | undefined;
  /** The clock of all timers. @defaultValue RxJS's `asyncScheduler` on a monotonic clock */
  readonly scheduler?: SchedulerLike | undefined;
  /** Random numbers for the jitter of reconnections. @defaultValue `Math.random` */
  readonly random?: (() => number) | undefined;
}

type LogClient = Pick<KubeClient, 'get' | 'readPath'>;

const isTime = (value: unknown): boolean => !Number.isNaN(value instanceof Date ? value.getTime() : Date.parse(String(value)));

function requestOf(options: PodLogsOptions): LogRequest {
  const { previous = false, follow = !previous, since, sinceMs, idleTimeoutMs = 300_000 } = options;
  if (since !== undefined && sinceMs !== undefined) throw new TypeError('Expected `since` or `sinceMs` of `podLogs`, got both');
  if (previous && follow)
    throw new TypeError('Expected no `follow` of `podLogs` with `previous`: a run that has ended writes nothing more');
  return {
    ...{ ...options, follow, previous, idleTimeoutMs },
    since: since === undefined ? undefined : new Date(since),
    scheduler: schedulerOf(options.scheduler),
    random: randomOf(options.random),
  };
}

/** Pods whose logs are read: an informer of pods, or another collection of them. */
export interface PodCollection {
  readonly resource$: Observable<ResourceEvent<V1Pod>>;
  readonly indexer: {
    /** The pod under a key. */
    getByKey(key: string): V1Pod | undefined;
  };
  readonly lister: {
    /** All pods. */
    list(): V1Pod[];
  };
  /** Resolves when the pods are complete. */
  whenSynced(): Promise<void>;
}

/** Tells a collection from a single pod. */
const isCollection = (source: V1Pod | PodCollection): source is PodCollection => rules.object.holds(source) && 'resource$' in source;

function ofPod({ metadata }: V1Pod) {
  return { namespace: metadata?.namespace ?? 'default', pod: metadata?.name ?? '', uid: metadata?.uid };
}

function wantedOf(pod: V1Pod, { container }: PodLogsOptions): readonly string[] {
  const all = containersOf(pod);
  return container === undefined ? all : typeof container === 'string' ? [container] : all.filter((name) => container.includes(name));
}

/** The lines of one container, with its names. */
function linesOf(log: Parameters<typeof containerLog>[0]): Observable<PodLogLine> {
  const { namespace, pod, container } = log.target;
  return containerLog(log).pipe(map(({ time, text }) => ({ namespace, pod, container, time, text })));
}

/** The logs of one pod. */
function logsOfPod(client: LogClient, given: V1Pod, options: PodLogsOptions, request: LogRequest): Observable<PodLogLine> {
  const known = ofPod(given);
  const { namespace, pod: name } = known;
  const read = (): Observable<V1Pod> => defer(() => client.get(resources.core.v1.pods, name, { namespace }));
  return defer(() => {
    // For a pod given without a uid, use the uid that the server returns first.
    let uid = known.uid;
    const stateOf = (container: string): Observable<ContainerState> =>
      read().pipe(
        map((pod) => {
          uid ??= pod.metadata?.uid;
          return pod.metadata?.uid === uid ? containerState(pod, container) : 'gone';
        }),
        catchError((error: unknown) => {
          if (isNotFound(error)) return of('gone' as const);
          if (isForbidden(error)) throw error;
          // A server that fails now may answer later; otherwise the next attempt fails with its error.
          return of('running' as const);
        }),
      );
    return (given.spec === undefined ? read() : of(given)).pipe(
      switchMap((pod) => {
        uid ??= pod.metadata?.uid;
        const named = options.container !== undefined;
        const logs = [...new Set(wantedOf(pod, options).concat(options.container ?? []))]
          .filter((container) => request.follow || named || pod.status === undefined || hasStarted(pod, container))
          .map((container) => linesOf({ client, target: { ...known, container }, request, stateOf: () => stateOf(container) }));
        return request.follow ? from(logs).pipe(mergeMap((log) => log)) : concat(...logs);
      }),
    );
  });
}

/** The logs of a collection's current pods, one container after the other. */
function logsNow(client: LogClient, pods: PodCollection, options: PodLogsOptions, request: LogRequest): Observable<PodLogLine> {
  return defer(() => pods.whenSynced()).pipe(
    switchMap(() => {
      const logs = pods.lister.list().flatMap((pod) =>
        wantedOf(pod, options)
          .filter((container) => containersOf(pod).includes(container) && hasStarted(pod, container))
          .map((container) => linesOf({ client, target: { ...ofPod(pod), container }, request, stateOf: () => EMPTY })),
      );
      return concat(...logs);
    }),
  );
}

/** How long the log of a deleted pod is still read: the last lines of its containers may be on their way. */
const drainMs = 2_000;

/** Follows each container of a collection's pods from its start until its pod is deleted. */
function logsOfCollection(client: LogClient, pods: PodCollection, options: PodLogsOptions, request: LogRequest): Observable<PodLogLine> {
  return defer(() => {
    const stopped$ = new Subject<void>();
    const left$ = new Subject<string>();
    /** The containers whose logs are followed, or have ended, by the uid of the pod until that is deleted: no log is read twice. */
    const followed = new Map<string, Set<string>>();
    const present = (key: string, { metadata }: V1Pod): V1Pod | undefined =>
      [pods.indexer.getByKey(key)].find((now) => now?.metadata?.uid === metadata?.uid);
    const start = (key: string, pod: V1Pod, container: string, isNew: boolean): Observable<PodLogLine> => {
      const own = ofPod(pod);
      const uid = own.uid ?? key;
      entryOf(followed, uid, () => new Set<string>()).add(container);
      const stateOf = (): Observable<ContainerState> => {
        const now = present(key, pod);
        return of(now === undefined ? 'gone' : containerState(now, container));
      };
      return linesOf({ client, target: { ...own, container }, request: isNew ? { ...request, tail: undefined } : request, stateOf }).pipe(
        // A pod that is gone by now must not fail the others.
        catchError((error: unknown) => (isNotFound(error) ? EMPTY : throwError(() => error))),
        takeUntil(merge(left$.pipe(filter((left) => left === uid)), stopped$)),
      );
    };
    const logsAfter = (event: ResourceEvent<V1Pod>): Observable<PodLogLine> => {
      if (event.type === 'synced') return EMPTY;
      const { key, object } = event;
      const uid = object.metadata?.uid ?? key;
      if (event.type === 'deleted') {
        const leave = (): void => {
          if (present(key, object) !== undefined) return;
          followed.delete(uid);
          left$.next(uid);
        };
        return timer(drainMs, request.scheduler).pipe(tap(leave), ignoreElements(), takeUntil(stopped$));
      }
      const isFresh = (container: string): boolean => hasStarted(object, container) && followed.get(uid)?.has(container) !== true;
      const isNew = event.type === 'updated' || !event.initial;
      const fresh = wantedOf(object, options).filter(isFresh);
      return merge(...fresh.map((container) => start(key, object, container, isNew)));
    };
    return pods.resource$.pipe(tap({ complete: () => stopped$.next() }), mergeMap(logsAfter));
  });
}

/**
 * Emits the log lines of a pod, or of all present and future pods of an informer or view.
 *
 * ```text
 * pods     +a           +b          -a
 * a        ---1---2---x---3---4|
 * b                     -----5---6---
 * result   ---1---2-------3-5-4-6---
 * ```
 *
 * - A connection that breaks (`x`) is reopened from the last line: no line is lost or duplicated. Retries after 1 s, 2 s and so on up to 30 s, while the pod exists.
 * - The log of a restarted container continues in the same observable; a new pod of a collection starts with the first line of each container, in the order of arrival.
 * - For a pod, it completes when its containers have ended for good or it is deleted; for a collection, when that is stopped.
 * - It fails with an ApiError when the server refuses (401, 403), when the pod or container does not exist, with a RequestError when the client is closed, and without `follow` at any failure.
 *
 * It needs the permission to `get` `pods/log`, and to `get` `pods` when it follows a single pod.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, podLogs, resources } from 'rx-informer';
 *
 * const client = createClient();
 * const pods = createInformer(client, resources.core.v1.pods, { namespace: 'shop', labelSelector: 'app=web' });
 * podLogs(client, pods, { tail: 10 }).subscribe(({ pod, text }) => console.log(pod, text));
 * ```
 *
 * @throws TypeError for a wrong option, or a pod without a name.
 */
export function podLogs(
  client: Pick<KubeClient, 'get' | 'readPath'>,
  source: V1Pod | PodCollection,
  options: PodLogsOptions = {},
): Observable<PodLogLine> {
  const time = { expected: 'a time: a Date, or a text as in RFC 3339', holds: isTime };
  checkOptions<PodLogsOptions>('podLogs', options, {
    follow: rules.boolean,
    container: rules.either(rules.nonEmptyString, rules.listOf(rules.nonEmptyString, 'names')),
    previous: rules.boolean,
    tail: rules.number({ integer: true, min: 0 }),
    since: time,
    sinceMs: rules.durationOf({ above: 0 }),
    idleTimeoutMs: rules.durationOf({ min: 1_000, infinite: true }),
    scheduler: rules.scheduler,
    random: rules.function,
  });
  const request = requestOf(options);
  if (isCollection(source)) return (request.follow ? logsOfCollection : logsNow)(client, source, options, request);
  if (((source as V1Pod | null | undefined)?.metadata?.name ?? '') === '')
    throw new TypeError('Expected a pod with a name, or a collection of pods');
  return logsOfPod(client, source, options, request);
}
