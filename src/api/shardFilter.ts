import type { KubernetesObject } from './kubernetesObject.js';

/** The number of slots into which hashes are divided: the hashes of one slot have the same first seven bits. */
export const slotCount = 128;

const slotShift = 25;
const highStart = 0xcbf29ce4 | 0;
const lowStart = 0x84222325 | 0;

/** FNV-1a of 64 bits, byte by byte: the hash of KEP-5866's shards. */
export class Fnv1a64 {
  // Two signed 32-bit numbers, which need no allocation.
  private high = highStart;
  private low = lowStart;

  /** Begins a new hash. */
  reset(): void {
    this.high = highStart;
    this.low = lowStart;
  }

  push(byte: number): void {
    // The prime is 2 ** 40 + 435.
    const low = this.low ^ byte;
    const first = (low & 0xffff) * 435;
    const second = (low >>> 16) * 435 + (first >>> 16);
    this.low = (second << 16) | (first & 0xffff);
    this.high = (Math.imul(this.high, 435) + (low << 8) + (second >>> 16)) | 0;
  }

  pushText(text: string): this {
    for (let at = 0; at < text.length; at += 1) this.push(text.charCodeAt(at));
    return this;
  }

  /** The slot of the hash, from 0 to `slotCount - 1`. */
  slot(): number {
    return this.high >>> slotShift;
  }

  /** The hash as 16 hexadecimal digits. */
  toString(): string {
    return [this.high, this.low].map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('');
  }
}

const shared = new Fnv1a64();

/** The slot of a uid or a namespace, which are both ASCII. */
export function hashSlot(text: string): number {
  shared.reset();
  return shared.pushText(text).slot();
}

/** The field whose hash determines the shard of an object. */
export type ShardField = 'uid' | 'namespace';

/** Selects the objects of a shard: those whose field has a hash in one of the slots. */
export interface ShardFilter {
  readonly by: ShardField;
  /** Slots from 0 to 127. Read for each object, so a Set may change meanwhile. */
  readonly slots: ReadonlySet<number>;
}

/** The slot of an object; a field that is missing, or no text, counts as `''`. */
export function slotOfObject({ metadata }: Pick<KubernetesObject, 'metadata'>, by: ShardField): number {
  const value: unknown = metadata?.[by];
  return hashSlot(typeof value === 'string' ? value : '');
}

const slotSize = 2n ** 64n / BigInt(slotCount);

const hex = (slot: number): string => `0x${(BigInt(slot) * slotSize).toString(16).padStart(16, '0')}`;

/** The filter as KEP-5866's `shardSelector`: ranges of hashes; adjacent slots are merged. */
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
