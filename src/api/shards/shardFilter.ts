import type { KubernetesObject } from '../kubernetesObject.js';
import { hashSlot, slotCount } from './hashSlot.js';

/** The field whose hash determines the shard of an object. */
export type ShardField = 'uid' | 'namespace';

/** Which objects belong to a shard: those whose field has a hash in one of the slots. */
export interface ShardFilter {
  readonly by: ShardField;
  /** Of the 128 equal arcs of the ring of hashes. Read anew for each object, so a live Set may change. */
  readonly slots: ReadonlySet<number>;
}

/** The slot of an object; `''` counts for a field that it does not have. */
export function slotOfObject({ metadata }: Pick<KubernetesObject, 'metadata'>, by: ShardField): number {
  return hashSlot(metadata?.[by] ?? '');
}

const slotSize = 2n ** 64n / BigInt(slotCount);

const hex = (slot: number): string => `0x${(BigInt(slot) * slotSize).toString(16).padStart(16, '0')}`;

/** The filter as KEP-5866's `shardSelector`: ranges of hashes, of which neighbours are one. */
export function shardSelectorOf({ by, slots }: ShardFilter): string {
  const ranges: string[] = [];
  for (let slot = 0; slot < slotCount; slot += 1) {
    if (!slots.has(slot)) continue;
    const from = slot;
    while (slots.has(slot + 1)) slot += 1;
    ranges.push(`shardRange(object.metadata.${by}, '${hex(from)}', '${hex(slot + 1)}')`);
  }
  return ranges.join(' || ');
}
