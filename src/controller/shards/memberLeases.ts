import type { V1Lease } from '../../api/kubernetes/coordinationV1.js';
import { recordOf, sameRecord } from '../leader/leaseRecord.js';

/** A member's lease, and when its record was first seen like that. */
interface Seen {
  readonly lease: V1Lease;
  readonly at: number;
}

/** One term of a member: a process has another one when it has lost its lease and has it again. */
export function termOf(identity: string, token: number): string {
  return `${identity}#${token}`;
}

/**
 * Knows which members live: those whose lease has changed within the duration that it names, by the clock of the one who looks. The times in leases are never
 * looked at.
 */
export class MemberLeases {
  private readonly durationMs: number;
  private seen = new Map<string, Seen>();
  /** When owners without a lease were first met. */
  private readonly missing = new Map<string, number>();
  /** When the server was asked last: what it said is not older. */
  private asked = 0;

  /** @param durationMs - how long a member without a lease is waited for. */
  constructor(durationMs: number) {
    this.durationMs = durationMs;
  }

  /** Takes note of all leases, for which the server was asked at `askedAt`. */
  take(leases: readonly V1Lease[], askedAt: number, now: number): void {
    const seen = new Map<string, Seen>();
    for (const lease of leases) {
      const name = lease.metadata?.name ?? '';
      const before = this.seen.get(name);
      seen.set(name, before !== undefined && sameRecord(before.lease, lease) ? { lease, at: before.at } : { lease, at: now });
    }
    this.seen = seen;
    this.asked = askedAt;
  }

  /** The terms that may be under way. */
  living(): readonly string[] {
    return [...this.seen.values()]
      .filter((one) => this.isLive(one))
      .map(({ lease }) => termOfLease(lease))
      .sort();
  }

  /** Whether a term is certainly over. */
  isOver(term: string): boolean {
    const identity = identityOfTerm(term);
    const seen = [...this.seen.values()].find(({ lease }) => identityOfTerm(termOfLease(lease)) === identity);
    if (seen !== undefined) {
      this.missing.delete(term);
      return !this.isLive(seen) || termOfLease(seen.lease) !== term;
    }
    // It was given back, or somebody has deleted it: then its holder does not know for a while.
    const since = this.missing.get(term) ?? this.asked;
    this.missing.set(term, since);
    return this.asked >= since + this.durationMs;
  }

  /** The leases that have not been renewed for so long after their end. */
  abandoned(forMs: number): readonly V1Lease[] {
    return [...this.seen.values()]
      .filter(({ lease, at }) => this.asked >= at + recordOf(lease).durationMs + forMs)
      .map(({ lease }) => lease);
  }

  private isLive({ lease, at }: Seen): boolean {
    const { holder, durationMs } = recordOf(lease);
    return holder !== '' && this.asked < at + durationMs;
  }
}

/** The term that a lease stands for. */
export function termOfLease(lease: V1Lease): string {
  const { holder, transitions } = recordOf(lease);
  return termOf(holder, transitions);
}

/** The member whose term it is. */
export function identityOfTerm(term: string): string {
  return term.slice(0, term.lastIndexOf('#'));
}
