import { slotCount } from './hashSlot.js';
import type { ShardFilter } from './shardFilter.js';

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
