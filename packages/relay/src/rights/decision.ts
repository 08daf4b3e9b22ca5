/** How long after a hint a permission may still be used without having been checked again. */
const doubtMs = 5_000;
/** How long the last decision counts while checks fail. */
const failureMs = 60_000;

/** The state of one permission: of one user, for one resource in one namespace. */
export interface Decision {
  /** The last result; undefined before the first. */
  readonly allowed: boolean | undefined;
  /** The time of the hint since which it is in doubt. */
  readonly doubtedAt: number | undefined;
  /** Since when checks have failed. */
  readonly failingAt: number | undefined;
  /** Whether a check is pending. */
  readonly asking: boolean;
  /** Whether a hint arrived after the pending check was sent, so that its result may be outdated. */
  readonly askAgain: boolean;
}

/** The decision: only `yes` permits objects to be sent. */
export type Verdict = 'yes' | 'no' | 'checking';

/** The state before any check. */
export const undecided: Decision = { allowed: undefined, doubtedAt: undefined, failingAt: undefined, asking: false, askAgain: false };

/** After a hint that the permission may have changed. */
export function doubted(decision: Decision, now: number): Decision {
  return { ...decision, doubtedAt: decision.doubtedAt ?? now, askAgain: decision.asking };
}

/** After a check was sent. */
export function asked(decision: Decision): Decision {
  return { ...decision, asking: true, askAgain: false };
}

/** After a result. Only `true` allows. A result of a check sent before a hint can revoke, but does not clear the doubt. */
export function answered(decision: Decision, allowed: unknown): Decision {
  const { doubtedAt, askAgain } = decision;
  return { allowed: allowed === true, doubtedAt: askAgain ? doubtedAt : undefined, failingAt: undefined, asking: false, askAgain: false };
}

/** After a failed check. */
export function askingFailed(decision: Decision, now: number): Decision {
  return { ...decision, failingAt: decision.failingAt ?? now, asking: false, askAgain: false };
}

/** Whether a check is needed now, regardless of the age of the last one. */
export function isOpen({ allowed, doubtedAt, asking }: Decision): boolean {
  return !asking && (allowed === undefined || doubtedAt !== undefined);
}

/** The decision at a time. */
export function verdictOf({ allowed, doubtedAt, failingAt }: Decision, now: number): Verdict {
  if (failingAt !== undefined && now - failingAt >= failureMs) return 'no';
  if (allowed === undefined) return 'checking';
  if (!allowed) return 'no';
  return doubtedAt !== undefined && now - doubtedAt >= doubtMs ? 'checking' : 'yes';
}

/** When the decision changes without an event; `Infinity` for never. */
export function verdictEndsAt({ allowed, doubtedAt, failingAt }: Decision, now: number): number {
  const ends = [failingAt === undefined ? Infinity : failingAt + failureMs];
  if (allowed === true && doubtedAt !== undefined) ends.push(doubtedAt + doubtMs);
  return Math.min(...ends.filter((at) => at > now), Infinity);
}
