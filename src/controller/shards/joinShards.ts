import '../../api/disposable.js';
import { Observable } from 'rxjs';
import type { ShardField } from '../../api/shardFilter.js';
import type { KubeClient } from '../../client/kubeClient.js';
import type { LeaderElectionError } from '../leader/leaderElectionError.js';
import { defaultFailureMs } from '../leader/leaderElectionOptions.js';
import type { Outcome } from '../reconcile/outcome.js';
import type { Shard } from './shard.js';
import { shardedReconcile, type ShardReconcileConfig } from './shardedReconcile.js';
import { ShardMember } from './shardMember.js';
import { type ShardOptions, shardSettings } from './shardOptions.js';

/** This process as a member of a group that shares the objects of a cluster. It is what the option `shard` of `createInformer` takes. */
export interface Shards {
  /** The name of this member. */
  readonly identity: string;
  /** What is hashed. */
  readonly by: ShardField;
  /**
   * What this member owns: at subscription, then at every change. Starts nothing. Completes after `stop`.
   *
   * ```text
   * group     a ------- b joins ------------------- b is killed
   * a: shard$ {all} --- (a drains) --- {half} --------(lease) ----- {all}
   * ```
   */
  readonly shard$: Observable<Shard>;
  /** Requests that failed. Each is tried again. Starts nothing, and never fails. */
  readonly error$: Observable<LeaderElectionError>;
  /** Joins the group. A subscription to `reconcile` does so, too. */
  start(): void;
  /**
   * A control loop on the keys of this member: `reconcile` with a client that is bound to the shard, and a fencing token.
   *
   * Its function is called for a key as long as that is this member's. When the key is to go to another member, the call under way is given `drainMs`, no other one begins, and
   * the key goes then. When this member has lost its lease, its calls are aborted. Keys that come are reconciled, whether they have changed or not.
   *
   * A key whose turn comes when it is another member's already counts as succeeded; the function is not called.
   */
  reconcile(config: ShardReconcileConfig): Observable<Outcome>;
  /** For a health check: the LeaderElectionError (`ERR_STALE`) of a member that has not renewed its lease for `leaseDurationMs + toleranceMs`. */
  check(toleranceMs?: number): LeaderElectionError | undefined;
  /**
   * For a readiness check: the error of the last look at the group, when none has ended well for `forMs`.
   *
   * @param forMs - 60000 by default.
   */
  failure(forMs?: number): LeaderElectionError | undefined;
  /** Hands everything over to the others, each object when the work on it has ended, and leaves the group. Resolves when that is done; never rejects. */
  stop(): Promise<void>;
  /** The same as `stop`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Joins a group of processes that share the objects of a cluster: each holds and reconciles a part of them.
 *
 * Nothing happens before `start` or the first subscription to `reconcile`. Each member renews a Lease, as a leader does. The hashes (FNV-1a 64) of all objects lie on a ring of 128
 * equal slots, and one more Lease says who owns each; it is changed on the condition that nobody else has changed it. A member that is too many for hands slots over when
 * the work on them has ended; those of a member that has died are taken when its lease has run out. So a key is two members' at no time, as long as clocks run at about the same
 * rate. A process that stood still and goes on is refused by its client, and by the fencing token.
 *
 * After a member has been killed, its keys are worked on again within `leaseDurationMs + 2 * retryPeriodMs` and a list; those that are handed over, within
 * `drainMs + 2 * retryPeriodMs` and a list.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { joinShards } from 'rx-informer/controller';
 *
 * const client = createClient();
 * const shards = joinShards(client, { namespace: 'default', name: 'pod-labeler', by: 'namespace' });
 * const pods = createInformer(client, resources.core.v1.pods, { shard: shards });
 * shards
 *   .reconcile({
 *     primary: pods,
 *     reconcile: async ({ key, client: own, signal }) => {
 *       const { name = '', namespace = '', labels } = pods.indexer.getByKey(key)?.metadata ?? {};
 *       if (name === '' || labels?.['seen'] === 'yes') return {};
 *       await own.patch(resources.core.v1.pods, name, 'merge', { metadata: { labels: { seen: 'yes' } } }, { namespace, signal });
 *       return {};
 *     },
 *   })
 *   .subscribe();
 * process.once('SIGTERM', () => void shards.stop().then(() => pods.stop()));
 * ```
 *
 * @throws TypeError when an option is wrong.
 */
export function joinShards(client: KubeClient, options: ShardOptions): Shards {
  const member = new ShardMember(client, shardSettings(options));
  const { identity, by } = member.settings;
  return {
    identity,
    by,
    shard$: member.shard$,
    error$: member.error$,
    start: () => member.start(),
    reconcile: (config) => {
      const outcomes = shardedReconcile(member, config);
      return new Observable((subscriber) => {
        outcomes.subscribe(subscriber);
        member.start();
      });
    },
    check: (toleranceMs = 0) => member.check(toleranceMs),
    failure: (forMs = defaultFailureMs) => member.failure(forMs),
    stop: () => member.stop(),
    [Symbol.asyncDispose]: () => member.stop(),
  };
}
