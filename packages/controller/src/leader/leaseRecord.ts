import { customResource, type Resource, type V1Lease, type V1LeaseSpec } from 'rx-informer';
import { microTime } from '../status/microTime.js';

/** The resource of leases, defined here because the catalog of all resources is large. */
export const leases: Resource<V1Lease> = customResource<V1Lease>({
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  kind: 'Lease',
  namespaced: true,
});

/** The content of a lease: its holder, its duration, and the number of its holders so far. */
export interface LeaseRecord {
  /** `''` when there is no holder. */
  readonly holder: string;
  readonly durationMs: number;
  readonly transitions: number;
  /** When this holder acquired it, by the holder's clock: for display only. */
  readonly acquiredAt: string | undefined;
}

/** Reads the record of a lease; missing fields count as empty. */
export function recordOf({ spec = {} }: V1Lease): LeaseRecord {
  return {
    holder: spec.holderIdentity ?? '',
    durationMs: (spec.leaseDurationSeconds ?? 0) * 1000,
    transitions: spec.leaseTransitions ?? 0,
    acquiredAt: spec.acquireTime,
  };
}

/** Whether two leases have the same record. Labels, annotations and versions are ignored. */
export function sameRecord(one: V1Lease, other: V1Lease): boolean {
  const fields = ({ spec: { holderIdentity, leaseDurationSeconds, leaseTransitions, acquireTime, renewTime } = {} }: V1Lease): string =>
    JSON.stringify([holderIdentity, leaseDurationSeconds, leaseTransitions, acquireTime, renewTime]);
  return fields(one) === fields(other);
}

/** The record that a holder writes. */
export interface HolderWrite {
  readonly identity: string;
  readonly durationMs: number;
  readonly transitions: number;
  /** @defaultValue the time of this write */
  readonly acquiredAt?: string | undefined;
  /** The time of this write, in milliseconds since 1970. */
  readonly date: number;
  readonly labels?: Readonly<Record<string, string>>;
}

/** The lease as its holder writes it; other labels and annotations stay. */
export function leaseHeldBy(lease: V1Lease, { identity, durationMs, transitions, acquiredAt, date, labels }: HolderWrite): V1Lease {
  const renewTime = microTime(date);
  const spec: V1LeaseSpec = {
    ...lease.spec,
    holderIdentity: identity,
    leaseDurationSeconds: Math.floor(durationMs / 1000),
    leaseTransitions: transitions,
    acquireTime: acquiredAt ?? renewTime,
    renewTime,
  };
  const metadata = labels === undefined ? lease.metadata : { ...lease.metadata, labels: { ...lease.metadata?.labels, ...labels } };
  return { ...lease, ...(metadata !== undefined && { metadata }), spec };
}

/** The released lease: no holder, a duration of one second, the same transitions. */
export function leaseOfNobody(lease: V1Lease, date: number): V1Lease {
  const { transitions } = recordOf(lease);
  return leaseHeldBy(lease, { identity: '', durationMs: 1000, transitions, date });
}
