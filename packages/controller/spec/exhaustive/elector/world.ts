import type { V1Lease } from 'rx-informer';
import type { ElectionRequest, ElectionState } from '../../../src/leader/electionStep.js';
import type { TenureState } from '../../../src/leader/tenure.js';
import type * as subjects from './subject.js';

export type Subject = typeof subjects;

/** The server's answer to a request. */
export type Answer = { readonly lease: V1Lease } | 'missing' | 'refused';

export interface Flight {
  readonly request: ElectionRequest;
  readonly sentAt: number;
  /** The server has carried it out; the answer is on its way. */
  readonly answer?: Answer | undefined;
}

/** A leadership of a candidate, with at most one piece of work, which writes with its token. */
export interface Tenure {
  readonly token: number;
  readonly state: TenureState;
  /** `waits`: a write was refused for now, and is sent again later. */
  readonly work: 'none' | 'works' | 'waits';
}

export interface Candidate {
  readonly state: ElectionState;
  readonly flight?: Flight | undefined;
  /** The leaderships with running work, and the last one. */
  readonly tenures: readonly Tenure[];
  /** Set while it stops: the time until which it waits for its work. */
  readonly stopsAt?: number | undefined;
}

export interface World {
  readonly now: number;
  readonly lease: V1Lease | undefined;
  /** The number of writes, from which versions and dates are made. */
  readonly writes: number;
  readonly candidates: readonly Candidate[];
  /** Abandoned writes that may still arrive. */
  readonly strays: readonly ElectionRequest[];
  readonly highestToken: number;
  readonly left: { readonly crashes: number; readonly stops: number; readonly deletions: number };
  readonly problem: string | undefined;
}

export function nameOf(index: number): string {
  return `c${index}`;
}
