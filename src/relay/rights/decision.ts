/** How long decisions count. Milliseconds. */
export interface DecisionTimes {
  /** From a hint that a right may have changed until what has not been decided again is withheld. */
  readonly doubtMs: number;
  /** How long the last decision counts while asking fails. */
  readonly failureMs: number;
}

/** RELAY's rules: 5 s of doubt, 60 s of failures. */
export const decisionTimes: DecisionTimes = { doubtMs: 5_000, failureMs: 60_000 };

/** What is known of one right: one user, one resource, one namespace. */
export interface Decision {
  /** The last answer; undefined before the first. */
  readonly allowed: boolean | undefined;
  /** Since when it is in doubt. */
  readonly doubtedAt: number | undefined;
  /** Since when asking has failed. */
  readonly failingAt: number | undefined;
  /** Whether it is being asked. */
  readonly asking: boolean;
  /** Whether a hint came after the question that is under way, so that its answer may be of before. */
  readonly askAgain: boolean;
}

/** Whether objects may be sent: only `yes` sends them. */
export type Verdict = 'yes' | 'no' | 'checking';

/** Nothing has been asked. */
export const undecided: Decision = { allowed: undefined, doubtedAt: undefined, failingAt: undefined, asking: false, askAgain: false };

/** A hint came: the right may have changed. */
export function doubted(decision: Decision, now: number): Decision {
  return { ...decision, doubtedAt: decision.doubtedAt ?? now, askAgain: decision.asking };
}

/** The question is on its way. */
export function asked(decision: Decision): Decision {
  return { ...decision, asking: true, askAgain: false };
}

/** The answer came. Only `true` allows. One that was asked before a hint takes a right away, but leaves no doubt behind it cleared. */
export function answered(decision: Decision, allowed: unknown): Decision {
  const { doubtedAt, askAgain } = decision;
  return { allowed: allowed === true, doubtedAt: askAgain ? doubtedAt : undefined, failingAt: undefined, asking: false, askAgain: false };
}

/** Asking failed. */
export function askingFailed(decision: Decision, now: number): Decision {
  return { ...decision, failingAt: decision.failingAt ?? now, asking: false, askAgain: false };
}

/** Whether it has to be asked now, whatever its age. */
export function isOpen({ allowed, doubtedAt, asking }: Decision): boolean {
  return !asking && (allowed === undefined || doubtedAt !== undefined);
}

/** What counts at a moment. */
export function verdictOf({ allowed, doubtedAt, failingAt }: Decision, now: number, times: DecisionTimes = decisionTimes): Verdict {
  if (failingAt !== undefined && now - failingAt >= times.failureMs) return 'no';
  if (allowed === undefined) return 'checking';
  if (!allowed) return 'no';
  return doubtedAt !== undefined && now - doubtedAt >= times.doubtMs ? 'checking' : 'yes';
}

/** When the verdict changes although nothing happens; `Infinity` for never. */
export function verdictEndsAt({ allowed, doubtedAt, failingAt }: Decision, now: number, times: DecisionTimes = decisionTimes): number {
  const ends = [failingAt === undefined ? Infinity : failingAt + times.failureMs];
  if (allowed === true && doubtedAt !== undefined) ends.push(doubtedAt + times.doubtMs);
  return Math.min(...ends.filter((at) => at > now), Infinity);
}
