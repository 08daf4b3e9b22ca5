/** The timings that the bounds depend on, in milliseconds. */
export interface Timings {
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly drainMs: number;
  /** The longest time between two polls of a candidate, and of a member of a group. */
  readonly candidateLookMs: number;
  readonly memberLookMs: number;
  /** The longest silence of a watch before it is replaced, and the longest time to connect. */
  readonly silenceMs: number;
  readonly connectMs: number;
}

/** Upper bounds in milliseconds, without the time of requests. */
export interface TimeBounds {
  /** From the release of the lease until another candidate leads. */
  readonly release: number;
  /**
   * The same after the leader's death, pause or partition: the last renewal is seen at the next poll, expires one lease duration later, and
   * the poll after that finds it expired.
   */
  readonly death: number;
  /** The same after a stop whose work ran until the deadline, so that the lease was not released. */
  readonly unreleased: number;
  /** The time after which a leader that cannot renew sends nothing more. */
  readonly lastSending: number;
  /** How long a key has no member while its slot moves: from a living member, and from a dead one. */
  readonly slotMove: number;
  readonly slotDeath: number;
  /** From the start of a silence until the connection has been replaced. */
  readonly silent: number;
}

/** The bounds in production.md, scaling.md and reliability.md. */
export function timeBounds(timings: Timings): TimeBounds {
  const { leaseDurationMs, renewDeadlineMs, drainMs, candidateLookMs, memberLookMs, silenceMs, connectMs } = timings;
  return {
    release: candidateLookMs,
    death: leaseDurationMs + 2 * candidateLookMs,
    unreleased: renewDeadlineMs + leaseDurationMs + candidateLookMs,
    lastSending: renewDeadlineMs,
    slotMove: drainMs + 2 * memberLookMs,
    slotDeath: leaseDurationMs + 2 * memberLookMs,
    silent: silenceMs + connectMs,
  };
}

/** The defaults of `electLeader`, `joinShards`, `createManager` and informers. */
export const defaultTimings: Timings = {
  leaseDurationMs: 15_000,
  renewDeadlineMs: 10_000,
  drainMs: 30_000,
  candidateLookMs: 2.2 * 2_000,
  memberLookMs: 1.2 * 2_000,
  silenceMs: 75_000,
  connectMs: 15_000,
};
