import type { SchedulerLike } from 'rxjs';
import { checkOptions, type Complete, expectArgument, randomOf, rules, schedulerOf, type ShardField } from 'rx-informer/internal';

/** Options of `joinShards`. The durations must keep `leaseDurationMs > renewDeadlineMs > 1.2 * retryPeriodMs`. */
export interface ShardOptions {
  /** The namespace of the leases. */
  readonly namespace: string;
  /** The name of the group, a DNS label of at most 63 characters, and of the Lease with the record. The Leases of members append their identity. */
  readonly name: string;
  /**
   * The field that is hashed. `'namespace'`: a namespace belongs to one member with all its objects, also dependents, and no key ever has two owners. `'uid'`: objects of a kind are distributed evenly; an
   * object that is deleted and created again may move to another member.
   *
   * @defaultValue 'uid'
   */
  readonly by?: ShardField | undefined;
  /**
   * The name of this member: lower-case letters, digits and dashes. Two processes must never have the same name.
   *
   * @defaultValue a random UUID
   */
  readonly identity?: string | undefined;
  /**
   * How long running work may take to end when its object moves to another member, in milliseconds.
   *
   * @defaultValue 30000
   */
  readonly drainMs?: number | undefined;
  /**
   * How long other members wait for a silent member, in milliseconds; must be whole seconds, as in leases.
   *
   * @defaultValue 15000
   */
  readonly leaseDurationMs?: number | undefined;
  /**
   * How long a member works after its last successful renewal was sent, in milliseconds.
   *
   * @defaultValue 10000
   */
  readonly renewDeadlineMs?: number | undefined;
  /**
   * How often a member renews its lease, and reads those of the others, in milliseconds.
   *
   * @defaultValue 2000
   */
  readonly retryPeriodMs?: number | undefined;
  /** @defaultValue a monotonic clock */
  readonly scheduler?: SchedulerLike | undefined;
  /** @defaultValue `Math.random` */
  readonly random?: (() => number) | undefined;
}

/** Checked options, with the defaults filled in. */
export type ShardSettings = Complete<ShardOptions>;

const label = {
  expected: 'lower-case letters, digits and dashes, 63 at most',
  holds: (value: unknown) => typeof value === 'string' && value.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(value),
};

/** Checks the options of `joinShards`, and fills in the defaults. `electLeader` checks the timing of leases. */
export function shardSettings(options: ShardOptions): ShardSettings {
  const duration = rules.durationOf({ above: 0 });
  checkOptions('joinShards', options, {
    namespace: rules.required(rules.nonEmptyString),
    name: label,
    by: rules.oneOf('uid', 'namespace'),
    identity: label,
    drainMs: duration,
    leaseDurationMs: duration,
    renewDeadlineMs: duration,
    retryPeriodMs: duration,
    scheduler: rules.scheduler,
    random: rules.function,
  });
  expectArgument('joinShards', 'name', options.name, rules.nonEmptyString);
  const { by = 'uid', identity = crypto.randomUUID(), drainMs = 30_000, scheduler } = options;
  const { leaseDurationMs = 15_000, renewDeadlineMs = 10_000, retryPeriodMs = 2_000 } = options;
  const durations = { drainMs, leaseDurationMs, renewDeadlineMs, retryPeriodMs };
  return { ...options, ...durations, by, identity, scheduler: schedulerOf(scheduler), random: randomOf(options.random) };
}
