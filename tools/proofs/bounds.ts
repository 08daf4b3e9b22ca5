/** What the bounds depend on, in milliseconds. */
export interface Timings {
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly drainMs: number;
  /** The longest time between two looks of a candidate, and of a member of a group. */
  readonly candidateLookMs: number;
  readonly memberLookMs: number;
  /** A watch without a byte for so long is replaced; connecting may take so long. */
  readonly silenceMs: number;
  readonly connectMs: number;
}

/** How long something takes at most, in milliseconds, the time of the requests aside. */
export interface TimeBounds {
  /** Another one leads after the leader has given the lease back. */
  readonly release: number;
  /** The same after its death, its pause, or its partition: the last renewal is seen at the next look, and is over a lease later, which the look after that finds. */
  readonly death: number;
  /** The same after a stop whose work went on until the deadline, so that the lease was not given back, whatever became of it. */
  readonly unreleased: number;
  /** A leader that cannot renew sends nothing more after that. */
  readonly lastSending: number;
  /** A key has no member while its slot moves from one that lives, and from one that is dead. */
  readonly slotMove: number;
  readonly slotDeath: number;
  /** A connection that has gone silent has been replaced. */
  readonly silent: number;
}

/** The bounds of production.md, scaling.md and reliability.md. */
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
