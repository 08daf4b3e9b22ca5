import type { SchedulerLike } from 'rxjs';
import { checkOptions, type Complete, expectArgument, randomOf, rules, schedulerOf } from 'rx-informer/internal';
import type { EventRecorder } from '../status/createEventRecorder.js';

/** Gets the metrics of an election; every method is optional. `prometheusLeaderMetrics` of `@rx-informer/controller/metrics` makes one. */
export type LeaderMetricsSink = Readonly<{
  /** Whether this candidate leads, at the start and whenever it changes. */
  leading?(name: string, isLeading: boolean): void;
  /** A renewal had to read the lease first, because the write without a read failed. */
  slowPath?(name: string): void;
}>;

/** Options of `electLeader`. The durations must keep `leaseDurationMs > renewDeadlineMs > 1.2 * retryPeriodMs`. */
export interface LeaderElectionOptions {
  /** The Lease that the candidates compete for. It is created if it is missing. */
  readonly lease: { readonly namespace: string; readonly name: string };
  /**
   * The name of this candidate. Two processes must never have the same name.
   *
   * @defaultValue the host's name from the environment variable HOSTNAME, and a random UUID
   */
  readonly identity?: string | undefined;
  /**
   * How long other candidates wait for a silent leader, in milliseconds; must be whole seconds, as in leases.
   *
   * @defaultValue 15000
   */
  readonly leaseDurationMs?: number | undefined;
  /**
   * How long a leadership lasts after its last successful renewal was sent, in milliseconds. The difference to `leaseDurationMs` is the tolerance for clocks with different rates. At a
   * second or less there is a warning: client-go's candidates may take a lease up to a second early.
   *
   * @defaultValue 10000
   */
  readonly renewDeadlineMs?: number | undefined;
  /**
   * The period of a leader's renewals, in milliseconds; a candidate tries after 1 to 2.2 times as long.
   *
   * @defaultValue 2000
   */
  readonly retryPeriodMs?: number | undefined;
  /**
   * Whether `stop` releases the lease, so that another candidate need not wait until it expires.
   *
   * @defaultValue true
   */
  readonly releaseOnStop?: boolean | undefined;
  /** Labels to set on the lease; other labels and annotations stay. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Records an event about the lease when this candidate becomes or ceases to be leader. */
  readonly recorder?: Pick<EventRecorder, 'record'> | undefined;
  /** Gets the metrics of the election. @defaultValue none */
  readonly metrics?: LeaderMetricsSink | undefined;
  /** @defaultValue a monotonic clock */
  readonly scheduler?: SchedulerLike | undefined;
  /** @defaultValue `Math.random` */
  readonly random?: (() => number) | undefined;
}

/** The time without a successful attempt after which an election has failed. */
export const defaultFailureMs = 60_000;

/** Checked options, with the defaults filled in. */
export type LeaderElectionSettings = Complete<Omit<LeaderElectionOptions, 'labels' | 'recorder'>> &
  Pick<LeaderElectionOptions, 'labels' | 'recorder'>;

/** The renewal deadline must exceed the retry period by this factor, which is also the jitter of retries. */
const jitterFactor = 1.2;

/** client-go's candidates read leases with a precision of seconds, so they may wait up to this much less than the duration. */
const wholeSecondMs = 1_000;

/** The warnings logged so far, so that several candidates of one lease in a process log a warning once. */
const said = new Set<string>();

function warnOfMargin({ namespace, name }: LeaderElectionOptions['lease'], leaseDurationMs: number, renewDeadlineMs: number): void {
  const message =
    `rx-informer: electLeader for ${namespace}/${name}: \`leaseDurationMs\` (${leaseDurationMs}) is no more than a second above \`renewDeadlineMs\` (${renewDeadlineMs}). ` +
    'Candidates of client-go read leases in whole seconds and may take one up to a second early: two could lead at once. Make the difference larger than 1000.';
  if (said.has(message)) return;
  said.add(message);
  // An election has no logger, so the console is the only place for the warning.
  console.warn(message);
}

function ownName(): string {
  const { process } = globalThis as { readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> } };
  return `${process?.env?.['HOSTNAME'] ?? 'candidate'}_${crypto.randomUUID()}`;
}

/** Checks the options of `electLeader`, and fills in the defaults. */
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
  const { releaseOnStop = true, metrics = {} } = options;
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
  return {
    ...options,
    ...durations,
    identity,
    releaseOnStop,
    metrics,
    scheduler: schedulerOf(options.scheduler),
    random: randomOf(options.random),
  };
}
