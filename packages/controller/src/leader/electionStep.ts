import type { V1Lease } from 'rx-informer';
import { leaseHeldBy, type LeaseRecord, recordOf, sameRecord } from './leaseRecord.js';

/** The settings of a candidate. */
export interface ElectionRules {
  readonly identity: string;
  readonly lease: { readonly namespace: string; readonly name: string };
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** One leadership of this candidate. */
export interface Term {
  /** The lease's transitions: greater than those of any earlier leadership. */
  readonly token: number;
  /** When it ends unless it is renewed, by this candidate's clock. */
  readonly until: number;
}

/**
 * The state of a candidate. Times are milliseconds of its own monotonic clock, and never compared with those of other machines.
 *
 * `phase` is the pending request: a renewal without a read (`renewing`), a read (`reading`), or a write after a
 * read, which continues a term (`continuing`) or begins one (`taking`).
 */
export interface ElectionState {
  readonly phase: 'idle' | 'renewing' | 'reading' | 'continuing' | 'taking';
  /** The last lease seen, when this record was first seen, and when the lease was first found missing. */
  readonly seen?: { readonly lease: V1Lease; readonly at: number; readonly goneSince?: number };
  readonly term?: Term;
}

/** The inputs of a candidate. `now` is its clock, `date` the wall clock time for display. */
export type ElectionEvent =
  | { readonly type: 'due'; readonly now: number; readonly date: number }
  | { readonly type: 'found'; readonly lease: V1Lease; readonly now: number; readonly date: number }
  | { readonly type: 'missing'; readonly now: number; readonly date: number }
  | { readonly type: 'written'; readonly lease: V1Lease; readonly sentAt: number; readonly now: number }
  | { readonly type: 'failed'; readonly now: number }
  | { readonly type: 'deadline'; readonly now: number };

/** The next request to the server. */
export type ElectionRequest =
  { readonly verb: 'get' } | { readonly verb: 'create'; readonly lease: V1Lease } | { readonly verb: 'update'; readonly lease: V1Lease };

/** The next state and request; without a request, the attempt is over. */
export interface ElectionStep {
  readonly state: ElectionState;
  readonly request?: ElectionRequest;
}

/** The initial state. */
export const outsider: ElectionState = { phase: 'idle' };

/** Whether the candidate leads now. */
export function leads({ term }: ElectionState, now: number): boolean {
  return term !== undefined && now < term.until;
}

/** Whether another candidate holds the last lease seen, and may still be working. */
function isTaken({ seen }: ElectionState, { identity }: ElectionRules, now: number): boolean {
  if (seen === undefined) return false;
  const { holder, durationMs } = recordOf(seen.lease);
  return holder !== '' && holder !== identity && now < seen.at + durationMs;
}

/** Removes a term whose deadline has passed: a later renewal begins a new one. */
function withoutLapsedTerm(state: ElectionState, now: number): ElectionState {
  if (leads(state, now)) return state;
  const { term: _, ...rest } = state;
  return rest;
}

const over = (state: ElectionState): ElectionStep => ({ state: { ...state, phase: 'idle' } });

/**
 * The rules of leader election. Pure, so that every interleaving can be tested.
 *
 * - A lease of another candidate is respected until its record has not changed for the duration in the record, by this candidate's
 *   clock. Times in the record are ignored.
 * - A term lasts `renewDeadlineMs` from the sending of its last successful write. That is less than the lease's duration, which others count
 *   from a later time: so terms never overlap, as long as clocks run at about the same rate.
 * - Every term has a higher token than those before it.
 */
export function electionStep(before: ElectionState, event: ElectionEvent, rules: ElectionRules): ElectionStep {
  const state = withoutLapsedTerm(before, event.now);
  switch (event.type) {
    case 'due':
      return begin(state, event, rules);
    case 'found':
      return afterRead(seeing(state, event.lease, event.now, rules), event, rules);
    case 'missing':
      return afterMissing(state, event, rules);
    case 'written':
      return over(afterWrite(state, event, rules));
    case 'failed':
      // The renewal without a read had a conflict, or its answer was lost: read the lease.
      return state.phase === 'renewing' ? { state: { ...state, phase: 'reading' }, request: { verb: 'get' } } : over(state);
    case 'deadline':
      return { state };
  }
}

function begin(state: ElectionState, event: { readonly date: number }, rules: ElectionRules): ElectionStep {
  const { seen, term } = state;
  if (term === undefined || seen === undefined) return { state: { ...state, phase: 'reading' }, request: { verb: 'get' } };
  return { state: { ...state, phase: 'renewing' }, request: { verb: 'update', lease: renewed(seen.lease, term, event, rules) } };
}

/** Records a lease. An unchanged record keeps the time at which it was first seen. */
function seeing(state: ElectionState, lease: V1Lease, now: number, { identity }: ElectionRules): ElectionState {
  const { seen } = state;
  const at = seen !== undefined && sameRecord(seen.lease, lease) ? seen.at : now;
  if (recordOf(lease).holder === identity) return { ...state, seen: { lease, at } };
  const { term: _, ...rest } = state;
  return { ...rest, seen: { lease, at } };
}

function afterRead(state: ElectionState, event: { readonly now: number; readonly date: number }, rules: ElectionRules): ElectionStep {
  const { seen, term } = state;
  if (seen === undefined || isCoordinated(seen.lease) || isTaken(state, rules, event.now)) return over(state);
  const [phase, lease] =
    term === undefined
      ? (['taking', taken(seen.lease, event, rules)] as const)
      : (['continuing', renewed(seen.lease, term, event, rules)] as const);
  return { state: { ...state, phase }, request: { verb: 'update', lease } };
}

/**
 * Whether the holder of a missing lease may still be working. It may have renewed the lease, or changed, after the lease was last seen: so the duration
 * counts from when the lease was first found missing.
 */
function mayBeHeld({ seen, term }: ElectionState, { leaseDurationMs }: ElectionRules, now: number): boolean {
  if (seen?.goneSince === undefined || term !== undefined) return false;
  return now < seen.goneSince + Math.max(recordOf(seen.lease).durationMs, leaseDurationMs);
}

/** A deleted lease is created again: by its holder at once, by other candidates when no holder can still be working. */
function afterMissing(before: ElectionState, event: { readonly now: number; readonly date: number }, rules: ElectionRules): ElectionStep {
  const state = before.seen === undefined ? before : { ...before, seen: { goneSince: event.now, ...before.seen } };
  if (mayBeHeld(state, rules, event.now)) return over(state);
  const { seen, term } = state;
  const { namespace, name } = rules.lease;
  const bare: V1Lease = { metadata: { namespace, name } };
  const known = { ...bare, ...(seen?.lease.spec !== undefined && { spec: seen.lease.spec }) };
  const [phase, lease] =
    term === undefined
      ? (['taking', seen === undefined ? held(bare, { transitions: 0 }, event, rules) : taken(known, event, rules)] as const)
      : (['continuing', renewed(known, term, event, rules)] as const);
  return { state: { ...state, phase }, request: { verb: 'create', lease } };
}

function afterWrite(state: ElectionState, event: Extract<ElectionEvent, { type: 'written' }>, rules: ElectionRules): ElectionState {
  const { lease, sentAt, now } = event;
  const after: ElectionState = { ...state, seen: { lease, at: now } };
  const until = sentAt + rules.renewDeadlineMs;
  if (now >= until) return after;
  if (state.term !== undefined) return { ...after, term: { ...state.term, until: Math.max(until, state.term.until) } };
  // A renewal that succeeded too late does not continue the term.
  return state.phase === 'taking' ? { ...after, term: { token: recordOf(lease).transitions, until } } : after;
}

function held(
  lease: V1Lease,
  record: Pick<LeaseRecord, 'transitions'> & Partial<Pick<LeaseRecord, 'acquiredAt'>>,
  { date }: { readonly date: number },
  { identity, leaseDurationMs, labels }: ElectionRules,
): V1Lease {
  return leaseHeldBy(lease, { identity, durationMs: leaseDurationMs, date, ...record, ...(labels !== undefined && { labels }) });
}

function taken(lease: V1Lease, event: { readonly date: number }, rules: ElectionRules): V1Lease {
  return held(lease, { transitions: recordOf(lease).transitions + 1 }, event, rules);
}

function renewed(lease: V1Lease, { token }: Term, event: { readonly date: number }, rules: ElectionRules): V1Lease {
  return held(lease, { transitions: token, acquiredAt: recordOf(lease).acquiredAt }, event, rules);
}

/** Whether the control plane assigns this lease (KEP-4355): candidates must not take such a lease. */
export function isCoordinated({ spec }: V1Lease): boolean {
  return (spec?.strategy ?? '') !== '';
}
