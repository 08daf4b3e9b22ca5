import { expectArgument, rules, type ShardField } from 'rx-informer/internal';
import 'rx-informer/internal';
import { Observable } from 'rxjs';
import type { KubeClient } from 'rx-informer';
import type { LeaderElectionError } from '../leader/leaderElectionError.js';
import { defaultFailureMs } from '../leader/leaderElectionOptions.js';
import type { Outcome } from '../reconcile/outcome.js';
import { type Shard, ShardMember } from './shardMember.js';
import { shardedReconcile, type ShardReconcileConfig } from './shardedReconcile.js';
import { type ShardOptions, shardSettings } from './shardOptions.js';

/** This process as a member of a group that shares the objects of a cluster. Pass it to `sharding`, a part of an informer. */
export interface Shards {
  /** The name of this member. */
  readonly identity: string;
  /** The field that is hashed. */
  readonly by: ShardField;
  /**
   * The slots of this member: on subscription, then at every change. Subscribing starts nothing. Completes after `stop`.
   *
   * ```text
   * group     a ------- b joins ------------------- b is killed
   * a: shard$ {all} --- (a drains) --- {half} --------(lease) ----- {all}
   * ```
   */
  readonly shard$: Observable<Shard>;
  /** Failed requests. All are retried. Subscribing starts nothing; never fails. */
  readonly error$: Observable<LeaderElectionError>;
  /** Joins the group, as a subscription to `reconcile` does. */
  start(): void;
  /**
   * A control loop on the keys of this member: `reconcile` with a client that is bound to the shard, and a fencing token.
   *
   * The function is called for keys that this member owns. When a key is to move to another member, a running call gets `drainMs` to end, no other call begins, and
   * then the key moves. When this member has lost its lease, its calls are aborted. All keys of added slots are reconciled, whether they have changed or not.
   *
   * A queued key that belongs to another member by the time of its call counts as succeeded, without a call.
   */
  reconcile(config: ShardReconcileConfig): Observable<Outcome>;
  /** For a liveness check: the LeaderElectionError (`ERR_STALE`) of a member that has sent no request for its lease for `leaseDurationMs + toleranceMs`. */
  check(toleranceMs?: number): LeaderElectionError | undefined;
  /**
   * For a readiness check: the error of the last poll of the group, if none has succeeded for `forMs`.
   *
   * @param forMs - 60000 by default.
   */
  failure(forMs?: number): LeaderElectionError | undefined;
  /** Hands over all slots, each when the work on it has ended, and leaves the group. Resolves when that is done, or shortly after `drainMs`; never rejects. */
  stop(): Promise<void>;
  /** The same as `stop`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Joins a group of processes that share the objects of a cluster: each caches and reconciles a part of them.
 *
 * Nothing happens before `start` or the first subscription to `reconcile`. Each member renews a Lease, as a leader does. The hashes (FNV-1a 64) of objects are divided into 128
 * equal slots, and one more Lease records the owner of each; members change it by compare-and-swap. A member with too many slots hands some over when
 * the work on them has ended; the slots of a dead member are reassigned when its lease has expired. So no key ever has two owners, as long as clocks run at about the same
 * rate. A process that resumes after a suspension is stopped by its client, and by the fencing token.
 * A record that is deleted is made anew `leaseDurationMs` after that was noticed, or twice that where only new members are left; nobody works meanwhile.
 *
 * After a member was killed, work on its keys resumes within `leaseDurationMs + 2 * retryPeriodMs` plus the time of a list; for keys that are handed over, within
 * `drainMs + 2 * retryPeriodMs` plus the time of a list.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { sharding } from 'rx-informer/pipeline';
 * import { joinShards } from '@rx-informer/controller';
 *
 * const client = createClient();
 * const shards = joinShards(client, { namespace: 'default', name: 'pod-labeler', by: 'namespace' });
 * const pods = createInformer(client, resources.core.v1.pods, { parts: [sharding(shards)] });
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
  const settings = shardSettings(options);
  expectArgument('joinShards', 'client', client, rules.withMethods('list', 'create', 'replace'));
  const member = new ShardMember(client, settings);
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
