import type { Mutant } from '../../../../../spec/exhaustive/mutants.js';

/** A mutant, and the exploration that finds it. */
interface ElectorMutant extends Mutant {
  readonly by: 'pair' | 'pauses' | 'crashes';
}

const election = 'packages/controller/src/leader/electionStep.ts';
const tenure = 'packages/controller/src/leader/tenure.ts';

/** Mutants of the rules, each named after its fault. */
export const electorMutants: readonly ElectorMutant[] = [
  {
    ...{ name: 'a lease is taken while its holder may be at work', by: 'pair', file: election },
    ...{ from: 'now < seen.at + durationMs;', to: 'now < seen.at;' },
  },
  {
    ...{ name: 'a lease that is looked at again counts from the first time', by: 'pair', file: election },
    ...{ from: 'sameRecord(seen.lease, lease) ? seen.at : now', to: 'sameRecord(seen.lease, seen.lease) ? seen.at : now' },
  },
  {
    ...{ name: 'a lease that is looked at again counts from then', by: 'crashes', file: election },
    ...{ from: 'sameRecord(seen.lease, lease) ? seen.at : now', to: 'sameRecord(seen.lease, lease) ? now : now' },
  },
  {
    ...{ name: 'a term lasts as long as the lease', by: 'pair', file: election },
    ...{ from: 'const until = sentAt + rules.renewDeadlineMs;', to: 'const until = sentAt + rules.leaseDurationMs * 2;' },
  },
  {
    ...{ name: 'a new term has the token of the last one', by: 'pair', file: election },
    ...{ from: 'transitions: recordOf(lease).transitions + 1 }', to: 'transitions: recordOf(lease).transitions }' },
  },
  {
    ...{ name: 'a term that has lapsed goes on', by: 'pair', file: election },
    ...{ from: 'if (leads(state, now)) return state;', to: 'if (now > 0) return state;' },
  },
  {
    ...{ name: 'an answer that comes too late begins a term', by: 'pair', file: election },
    ...{ from: "return state.phase === 'taking' ? {", to: 'return sentAt > 0 ? {' },
  },
  {
    ...{ name: 'a lease that is gone is taken at once', by: 'pair', file: election },
    ...{ from: 'if (mayBeHeld(state, rules, event.now)) return over(state);', to: '' },
  },
  {
    ...{ name: 'a lease that is gone counts from when it was seen last', by: 'pair', file: election },
    ...{ from: 'now < seen.goneSince + Math', to: 'now < seen.at + Math' },
  },
  {
    ...{ name: 'a request is granted until a timer has run', by: 'pair', file: tenure },
    ...{ from: "return phase !== 'over' && now < until;", to: "return phase !== 'over' && (now < until || until > 0);" },
  },
  {
    ...{ name: 'a renewal does not prolong what was begun', by: 'pair', file: tenure },
    ...{ from: '{ ...state, until: event.until }', to: 'state' },
  },
];
