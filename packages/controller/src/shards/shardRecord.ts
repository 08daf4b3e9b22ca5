import type { V1Lease } from 'rx-informer';
import { type ShardField, slotCount } from 'rx-informer/internal';

/** The annotation of a Lease with the record. */
export const recordAnnotation = 'rx-informer/slots';

/** The owner of each slot. All members change this record by compare-and-swap. */
export interface ShardRecord {
  readonly by: ShardField;
  /** How often slots have moved. */
  readonly epoch: number;
  /** The term of the owner of each slot, `''` for none. */
  readonly owners: readonly string[];
  /** The epoch in which each slot got its owner. */
  readonly tokens: readonly number[];
  /** Terms of leaving members, which get no slots any more. */
  readonly leaving: readonly string[];
}

/** A record without owners. */
export function emptyRecord(by: ShardField): ShardRecord {
  const slots = Array.from({ length: slotCount });
  return { by, epoch: 0, owners: slots.map(() => ''), tokens: slots.map(() => 0), leaving: [] };
}

/** The stored form: owners are indexes into `terms`. */
type RecordJson = Omit<ShardRecord, 'owners'> & { readonly owners: readonly number[]; readonly terms: readonly string[] };

/** Reads the record; undefined when the lease has no valid one. */
export function recordOfLease({ metadata }: V1Lease): ShardRecord | undefined {
  try {
    const { by, epoch, owners, terms, tokens, leaving } = JSON.parse(metadata?.annotations?.[recordAnnotation] ?? '') as RecordJson;
    if (owners.length !== slotCount || tokens.length !== slotCount || ![epoch, ...tokens].every(Number.isInteger)) return undefined;
    if (!['uid', 'namespace'].includes(by) || !Array.isArray(leaving)) return undefined;
    return { by, epoch, owners: owners.map((owner) => terms[owner] ?? ''), tokens, leaving };
  } catch {
    return undefined;
  }
}

/** The lease with the record; other annotations stay. */
export function leaseWithRecord(lease: V1Lease, { owners, ...rest }: ShardRecord): V1Lease {
  const terms = [...new Set(owners)];
  const places = new Map(terms.map((term, place) => [term, place]));
  const json: RecordJson = { ...rest, terms, owners: owners.map((owner) => places.get(owner) ?? 0) };
  const { metadata } = lease;
  return { ...lease, metadata: { ...metadata, annotations: { ...metadata?.annotations, [recordAnnotation]: JSON.stringify(json) } } };
}
