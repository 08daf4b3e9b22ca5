import { expectArgument, rules } from 'rx-informer/internal';
import 'rx-informer/internal';
import { EMPTY, Observable, type ObservableInput, switchMap } from 'rxjs';
import type { KubeClient } from 'rx-informer';
import { Candidate } from './candidate.js';
import type { Leader, Leadership } from './leadership.js';
import type { LeaderElectionError } from './leaderElectionError.js';
import { defaultFailureMs, type LeaderElectionOptions, leaderElectionSettings } from './leaderElectionOptions.js';
import { duringTenure, takeWork } from './tenure.js';

/**
 * One candidate of an election.
 *
 * @see client-go's `leaderelection.LeaderElector`
 */
export interface LeaderElection {
  /** The name of this candidate. */
  readonly identity: string;
  /**
   * The leader: on subscription as far as known, then every change. Subscribing starts nothing. Completes after `stop`.
   *
   * ```text
   * lease     a leads ---- a gives it back -- b takes it
   * leader$   {a} -------- {''} ------------- {b}
   * ```
   */
  readonly leader$: Observable<Leader>;
  /** The leadership of this candidate, or undefined while it does not lead: on subscription, then at every start and end. Subscribing starts nothing. Completes after `stop`. */
  readonly leadership$: Observable<Leadership | undefined>;
  /** Failed requests, and leases that must not be taken. All are retried. Subscribing starts nothing; never fails. */
  readonly error$: Observable<LeaderElectionError>;
  /** Whether this candidate leads, by a monotonic clock: false after the renewal deadline. */
  isLeader(): boolean;
  /** Starts the candidacy, as a subscription to `whileLeading` does. */
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
   * When the leadership ends, the signal aborts, then the result is unsubscribed from. A promise cannot be unsubscribed from, nor can an async generator before
   * it yields: `stop` waits for them, and for the calls of a `reconcile` in `work`, before it releases the lease. After losing the leadership, the candidate
   * competes again. Fails with the error of `work`. Completes after `stop`.
   *
   * Start everything that should be warm when the leadership begins, such as informers, outside of `work`.
   */
  whileLeading<R>(work: (leadership: Leadership) => ObservableInput<R>): Observable<R>;
  /**
   * For a liveness check: the LeaderElectionError (`ERR_STALE`) of a candidate that has sent no request for its lease for `leaseDurationMs + toleranceMs`: it is
   * stuck. One whose requests fail is alive, and does not lead: see `failure`.
   *
   * @param toleranceMs - 0 by default.
   */
  check(toleranceMs?: number): LeaderElectionError | undefined;
  /**
   * For a readiness check: the error of the last attempt, if no attempt to read or write the lease has succeeded for `forMs`, for example without permission.
   *
   * @param forMs - 60000 by default.
   */
  failure(forMs?: number): LeaderElectionError | undefined;
  /**
   * Ends the leadership, if any, and the candidacy: aborts the signal, waits for running promises, then releases the lease.
   * These are the promises of `whileLeading` and of every call of a `reconcile` in it. If they are still pending `renewDeadlineMs` after the last renewal, the
   * lease is not released but expires. Resolves when all this is done; never rejects.
   */
  stop(): Promise<void>;
  /** The same as `stop`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Elects a leader by a Lease, so that only one of several replicas of a program works.
 *
 * Nothing happens before `start` or the first subscription to `whileLeading`. The rules are client-go's, but stricter in three ways: the time of a leadership counts
 * from the sending of its last successful renewal, work is aborted before the lease is released, and every leadership has a token of its own, even after
 * a restart under the same identity.
 *
 * After a leader has been killed, another leads within `leaseDurationMs + 4.4 * retryPeriodMs` (23.8 s by default) and the time of two requests; after `stop`,
 * within `2.2 * retryPeriodMs` (4.4 s).
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { electLeader, reconcile } from '@rx-informer/controller';
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
  expectArgument('electLeader', 'client', client, rules.withMethods('get', 'create', 'replace'));
  const candidate = new Candidate(client, settings);

  const workDuring = <R>(leadership: Leadership, work: (leadership: Leadership) => ObservableInput<R>): Observable<R> => {
    const { tenure } = candidate;
    if (tenure === undefined) return EMPTY;
    return duringTenure(tenure, () => {
      const result = work(leadership);
      if ((result as unknown) === undefined)
        throw new TypeError('Expected the work of `whileLeading` to return an Observable or a promise, got undefined');
      const { output, pending } = takeWork(result);
      if (pending !== undefined) tenure.keep(pending);
      return output;
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
          .pipe(switchMap((leadership) => (leadership === undefined ? EMPTY : workDuring(leadership, work))))
          .subscribe(subscriber);
        candidate.start();
      }),
    check: (toleranceMs = 0) => candidate.check(toleranceMs),
    failure: (forMs = defaultFailureMs) => candidate.failure(forMs),
    stop: () => candidate.stop(),
    [Symbol.asyncDispose]: () => candidate.stop(),
  };
}
