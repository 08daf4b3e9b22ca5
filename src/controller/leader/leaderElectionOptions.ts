import type { SchedulerLike } from 'rxjs';
import { type Complete, checkOptions, expectArgument, rules } from '../../api/options.js';
import { schedulerOf } from '../../rx/schedulerOf.js';
import type { EventRecorder } from '../status/createEventRecorder.js';

/** Where an election reports what happens in it; every hook may be absent. `prometheusLeaderMetrics` of `rx-informer/metrics` makes one. */
export interface LeaderMetricsSink {
  /** Whether this candidate leads, at the start and whenever it changes. */
  leading?(name: string, isLeading: boolean): void;
  /** A renewal had to read the lease first, because the quick one failed. */
  slowPath?(name: string): void;
}

/** Options of `electLeader`. The durations must keep `leaseDurationMs > renewDeadlineMs > 1.2 * retryPeriodMs`. */
export interface LeaderElectionOptions {
  /** The Lease that the candidates compete for. It is made when it is missing. */
  readonly lease: { readonly namespace: string; readonly name: string };
  /**
   * The name of this candidate. Two processes must never have the same.
   *
   * @defaultValue the host's name from the environment variable HOSTNAME, and a random UUID
   */
  readonly identity?: string | undefined;
  /**
   * How long the others wait for a leader that has fallen silent, in milliseconds; whole seconds, since leases have no others.
   *
   * @defaultValue 15000
   */
  readonly leaseDurationMs?: number | undefined;
  /**
   * How long a leader leads after its last successful renewal was sent, in milliseconds. The difference to `leaseDurationMs` is what clocks may differ in rate. At a
   * second or less there is a warning: candidates of client-go may take a lease up to a second early.
   *
   * @defaultValue 10000
   */
  readonly renewDeadlineMs?: number | undefined;
  /**
   * How often a leader renews, in milliseconds; a candidate tries after 1 to 2.2 times as long.
   *
   * @defaultValue 2000
   */
  readonly retryPeriodMs?: number | undefined;
  /**
   * Whether `stop` gives the lease back, so that another candidate need not wait for its end.
   *
   * @defaultValue true
   */
  readonly releaseOnStop?: boolean | undefined;
  /** Labels that the lease gets; labels and annotations of others stay. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Gets an event about the lease when this candidate begins to lead, and when it no longer does. */
  readonly recorder?: Pick<EventRecorder, 'record'> | undefined;
  readonly metrics?: LeaderMetricsSink | undefined;
  /** @defaultValue a monotonic clock */
  readonly scheduler?: SchedulerLike | undefined;
  /** @defaultValue `Math.random` */
  readonly random?: (() => number) | undefined;
}

/** An election whose attempts have failed for so long has failed. */
export const defaultFailureMs = 60_000;

/** Checked options, with the defaults filled in. */
export type LeaderElectionSettings = Complete<Omit<LeaderElectionOptions, 'labels' | 'recorder'>> &
  Pick<LeaderElectionOptions, 'labels' | 'recorder'>;

/** So much longer than the retry period the renewal deadline has to be, since retries are spread by as much. */
const jitterFactor = 1.2;

/** Times in leases have whole seconds for client-go's candidates, which may wait for so much less than the duration. */
const wholeSecondMs = 1_000;

function warnOfMargin(
  lease: { readonly namespace: string; readonly name: string },
  leaseDurationMs: number,
  renewDeadlineMs: number,
): void {
  // An election has no logger, and nobody else would know.
  console.warn(
    `rx-informer: electLeader for ${lease.namespace}/${lease.name}: \`leaseDurationMs\` (${leaseDurationMs}) is no more than a second above \`renewDeadlineMs\` (${renewDeadlineMs}). ` +
      'Candidates of client-go read leases in whole seconds and may take one up to a second early: two could lead at once. Make the difference larger than 1000.',
  );
}

function ownName(): string {
  const { process } = globalThis as { readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> } };
  return `${process?.env?.['HOSTNAME'] ?? 'candidate'}_${crypto.randomUUID()}`;
}

/** Checks the options of `electLeader` and fills the defaults in. */
export function leaderElectionSettings(options: LeaderElectionOptions): LeaderElectionSettings {
  const duration = rules.durationOf({ above: 0 });
  checkOptions('electLeader', options, {
    lease: rules.required(rules.object),
    identity: rules.nonEmptyString,
    leaseDurationMs: {
      expected: 'whole seconds in milliseconds, 1000 or more',
      holds: (value) => duration.holds(value) && Number(value) % 1000 === 0,
    },
    renewDeadlineMs: duration,
    retryPeriodMs: duration,
    releaseOnStop: rules.boolean,
    labels: rules.object,
    recorder: rules.withMethods('record'),
    metrics: rules.object,
    scheduler: rules.scheduler,
    random: rules.function,
  });
  const { lease, identity = ownName(), leaseDurationMs = 15_000, renewDeadlineMs = 10_000, retryPeriodMs = 2_000 } = options;
  const { releaseOnStop = true, metrics = {}, random = Math.random } = options;
  checkOptions('lease', lease, { namespace: rules.nonEmptyString, name: rules.nonEmptyString });
  expectArgument('electLeader', 'lease.namespace', lease.namespace, rules.nonEmptyString);
  expectArgument('electLeader', 'lease.name', lease.name, rules.nonEmptyString);
  expectArgument('electLeader', 'leaseDurationMs', leaseDurationMs, {
    expected: `> \`renewDeadlineMs\` (${renewDeadlineMs})`,
    holds: () => leaseDurationMs > renewDeadlineMs,
  });
  expectArgument('electLeader', 'renewDeadlineMs', renewDeadlineMs, {
    expected: `> ${jitterFactor} * \`retryPeriodMs\` (${retryPeriodMs})`,
    holds: () => renewDeadlineMs > jitterFactor * retryPeriodMs,
  });
  if (leaseDurationMs - renewDeadlineMs <= wholeSecondMs) warnOfMargin(lease, leaseDurationMs, renewDeadlineMs);
  const durations = { leaseDurationMs, renewDeadlineMs, retryPeriodMs };
  return { ...options, ...durations, identity, releaseOnStop, metrics, scheduler: schedulerOf(options.scheduler), random };
}
