import type { V1Lease } from 'rx-informer';
import { recordOf, sameRecord } from '../leader/leaseRecord.js';

/** A member's lease, and when its record was first seen. */
interface Seen {
  readonly lease: V1Lease;
  readonly at: number;
}

/** The term of a member: it gets a new one when it loses its lease and acquires it again. */
export function termOf(identity: string, token: number): string {
  return `${identity}#${token}`;
}

/**
 * Knows which members are alive: those whose lease has changed within the duration in it, by the local clock. Times in leases are
 * ignored.
 */
export class MemberLeases {
  private readonly durationMs: number;
  private seen = new Map<string, Seen>();
  /** When the lease of an owner was first found missing. */
  private readonly missing = new Map<string, number>();
  /** When the last answered request was sent. */
  private asked = 0;

  /** @param durationMs - how long a member without a lease is considered alive. */
  constructor(durationMs: number) {
    this.durationMs = durationMs;
  }

  /** Records all leases, as answered to a request sent at `askedAt`. */
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

  /** The terms that may still be valid. */
  living(): readonly string[] {
    return [...this.seen.values()]
      .filter((one) => this.isLive(one))
      .map(({ lease }) => termOfLease(lease))
      .sort();
  }

  /** Whether other members have been here long enough to have made a record: their leases have been renewed. */
  hasSettled(self: string): boolean {
    return [...this.seen.values()].some(
      (one) => this.isLive(one) && recordOf(one.lease).holder !== self && one.lease.spec?.renewTime !== one.lease.spec?.acquireTime,
    );
  }

  /** Whether a term is certainly over. */
  isOver(term: string): boolean {
    const identity = identityOfTerm(term);
    const seen = [...this.seen.values()].find(({ lease }) => identityOfTerm(termOfLease(lease)) === identity);
    if (seen !== undefined) {
      this.missing.delete(term);
      return !this.isLive(seen) || termOfLease(seen.lease) !== term;
    }
    // The lease was released, or someone deleted it; in the latter case its holder may work until it notices.
    const since = this.missing.get(term) ?? this.asked;
    this.missing.set(term, since);
    return this.asked >= since + this.durationMs;
  }

  /** The leases that expired at least this long ago. */
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

/** The term of a lease. */
export function termOfLease(lease: V1Lease): string {
  const { holder, transitions } = recordOf(lease);
  return termOf(holder, transitions);
}

/** The member of a term. */
export function identityOfTerm(term: string): string {
  return term.slice(0, term.lastIndexOf('#'));
}
