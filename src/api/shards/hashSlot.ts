/** Into so many equal arcs the ring of hashes is divided: the hashes of a slot have their first seven bits in common. */
export const slotCount = 128;

const slotShift = 25;

/**
 * FNV-1a of 64 bits, byte by byte: the hash of KEP-5866's shards.
 */
export class Fnv1a64 {
  private high = 0xcbf29ce4;
  private low = 0x84222325;

  /** Begins a new hash. */
  reset(): void {
    this.high = 0xcbf29ce4;
    this.low = 0x84222325;
  }

  push(byte: number): void {
    // The prime is 2 ** 40 + 435.
    const low = (this.low ^ byte) >>> 0;
    const product = low * 435;
    this.low = product >>> 0;
    this.high = (Math.imul(this.high, 435) + (low << 8) + (product - this.low) / 0x1_0000_0000) >>> 0;
  }

  pushText(text: string): this {
    for (let at = 0; at < text.length; at += 1) this.push(text.charCodeAt(at));
    return this;
  }

  /** The arc of the ring in which the hash lies, from 0 to `slotCount - 1`. */
  slot(): number {
    return this.high >>> slotShift;
  }

  /** The hash as 16 hexadecimal digits. */
  toString(): string {
    return [this.high, this.low].map((part) => part.toString(16).padStart(8, '0')).join('');
  }
}

const shared = new Fnv1a64();

/**
 * The slot of a uid or a namespace, both of which are ASCII.
 */
export function hashSlot(text: string): number {
  shared.reset();
  return shared.pushText(text).slot();
}
