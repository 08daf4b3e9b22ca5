import '../../api/disposable.js';
import { EMPTY, Observable, type ObservableInput, switchMap } from 'rxjs';
import type { KubeClient } from '../../client/kubeClient.js';
import { Candidate } from './candidate.js';
import type { Leader } from './leader.js';
import type { LeaderElectionError } from './leaderElectionError.js';
import { defaultFailureMs, type LeaderElectionOptions, leaderElectionSettings } from './leaderElectionOptions.js';
import type { Leadership } from './leadership.js';
import { duringTenure, isPromise } from './tenure.js';

/**
 * One candidate of an election.
 *
 * @see client-go's `leaderelection.LeaderElector`
 */
export interface LeaderElection {
  /** The name of this candidate. */
  readonly identity: string;
  /**
   * Who leads: at subscription what is known, then every change. Starts nothing. Completes after `stop`.
   *
   * ```text
   * lease     a leads ---- a gives it back -- b takes it
   * leader$   {a} -------- {''} ------------- {b}
   * ```
   */
  readonly leader$: Observable<Leader>;
  /** The leadership of this candidate, or undefined while it does not lead: at subscription, then at every begin and end. Starts nothing. Completes after `stop`. */
  readonly leadership$: Observable<Leadership | undefined>;
  /** Requests that failed, and leases that must not be taken. Each is tried again. Starts nothing, and never fails. */
  readonly error$: Observable<LeaderElectionError>;
  /** Whether this candidate leads, by a monotonic clock: false from the renewal deadline on. */
  isLeader(): boolean;
  /** Begins to stand for election. A subscription to `whileLeading` does so, too. */
  start(): void;
  /**
   * Runs `work` whenever this candidate leads, and emits what it emits.
   *
   * ```text
   * leadership$     1--------(end)-----------------2---
   * work 1          a--b--c--X                          unsubscribed from, its signal aborted
   * work 2                                         d--e
   * whileLeading    a--b--c------------------------d--e
   * ```
   *
   * When the leadership ends, the result is unsubscribed from after the signal has aborted. A promise cannot be unsubscribed from: `stop` waits for it, and
   * does not give the lease back while it is pending; so it does for the calls of a `reconcile` in `work`. After a lost leadership the candidate stands again. Fails with the error of `work`. Completes after
   * `stop`.
   *
   * Whatever shall be warm when the leadership begins, informers above all, is started outside of `work`.
   */
  whileLeading<R>(work: (leadership: Leadership) => ObservableInput<R>): Observable<R>;
  /**
   * For a health check: the LeaderElectionError (`ERR_STALE`) of a candidate that holds the lease and has not renewed it for `leaseDurationMs + toleranceMs`.
   *
   * @param toleranceMs - 0 by default.
   */
  check(toleranceMs?: number): LeaderElectionError | undefined;
  /**
   * For a readiness check: the error of the last attempt, when no attempt to read or write the lease has ended well for `forMs`, as without the right to do so.
   *
   * @param forMs - 60000 by default.
   */
  failure(forMs?: number): LeaderElectionError | undefined;
  /**
   * Ends the leadership, if there is one, and the candidacy: the signal aborts, then promises that are at work are waited for, then the lease is given back.
   * These are the promises of `whileLeading` and of every call of a `reconcile` in it. While one of them is pending the lease is not given back; when
   * `renewDeadlineMs` has passed since the last renewal, it is left to expire. Resolves when all this is done; never rejects.
   */
  stop(): Promise<void>;
  /** The same as `stop`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Stands for election by a Lease, so that of several replicas of a program one is at work.
 *
 * Nothing happens before `start` or the first subscription to `whileLeading`. The rules are client-go's, and stricter in three places: a leader's time counts
 * from when its last successful renewal was sent, work is aborted before the lease is given back, and every leadership has a token of its own, also that of a
 * program that was restarted under the same identity.
 *
 * After a leader has been killed, another leads within `leaseDurationMs + 4.4 * retryPeriodMs` (23.8 s by default) and the time of two requests; after `stop`,
 * within `2.2 * retryPeriodMs` (4.4 s).
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { electLeader, reconcile } from 'rx-informer/controller';
 *
 * const client = createClient();
 * const pods = createInformer(client, resources.core.v1.pods);
 * await pods.whenSynced(); // warm, also while another one leads
 * const election = electLeader(client, { lease: { namespace: 'default', name: 'pod-labeler' } });
 * election
 *   .whileLeading((leadership) =>
 *     reconcile({
 *       sources: { pods: pods.resource$ },
 *       reconcile: async ({ key, signal }) => {
 *         const pod = pods.indexer.getByKey(key);
 *         const { name = '', namespace = '', labels } = pod?.metadata ?? {};
 *         if (pod === undefined || labels?.['seen'] === 'yes') return {};
 *         const patch = { metadata: { labels: { seen: 'yes' } } };
 *         await leadership.client.patch(resources.core.v1.pods, name, 'merge', patch, { namespace, signal });
 *         return {};
 *       },
 *     }),
 *   )
 *   .subscribe();
 * process.once('SIGTERM', () => void election.stop().then(() => pods.stop()));
 * ```
 *
 * @throws TypeError when an option is wrong.
 *
 * @see client-go's `tools/leaderelection`
 */
export function electLeader(client: KubeClient, options: LeaderElectionOptions): LeaderElection {
  const settings = leaderElectionSettings(options);
  const candidate = new Candidate(client, settings);

  const workOf = <R>(leadership: Leadership, work: (leadership: Leadership) => ObservableInput<R>): Observable<R> => {
    const { tenure } = candidate;
    if (tenure === undefined) return EMPTY;
    return duringTenure(tenure, () => {
      const result = work(leadership);
      if ((result as unknown) === undefined)
        throw new TypeError('Expected the work of `whileLeading` to return an Observable or a promise, got undefined');
      if (isPromise(result)) tenure.keep(result);
      return result;
    });
  };

  return {
    identity: settings.identity,
    leader$: candidate.leader$,
    leadership$: candidate.leadership$,
    error$: candidate.error$,
    isLeader: () => candidate.isLeader(),
    start: () => candidate.start(),
    whileLeading: (work) =>
      new Observable((subscriber) => {
        candidate.leadership$
          .pipe(switchMap((leadership) => (leadership === undefined ? EMPTY : workOf(leadership, work))))
          .subscribe(subscriber);
        candidate.start();
      }),
    check: (toleranceMs = 0) => candidate.check(toleranceMs),
    failure: (forMs = defaultFailureMs) => candidate.failure(forMs),
    stop: () => candidate.stop(),
    [Symbol.asyncDispose]: () => candidate.stop(),
  };
}
