import type { Term } from './electionStep.js';

/** The shortest bound of a candidate's request, in milliseconds. */
const shortestMs = 1000;

/** How long a request may take. That of a leader must not wait beyond its own deadline, and leave time for another one. */
export function requestBoundMs(term: Term | undefined, now: number, { renewDeadlineMs }: { readonly renewDeadlineMs: number }): number {
  const boundMs = Math.max(renewDeadlineMs / 2, shortestMs);
  return term === undefined ? boundMs : Math.max(Math.min(boundMs, term.until - now), 1);
}
