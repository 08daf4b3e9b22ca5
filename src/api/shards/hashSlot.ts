/** Into so many equal arcs the ring of hashes is divided: the hashes of a slot have their first seven bits in common. */
export const slotCount = 128;

const slotShift = 25;
const highStart = 0xcbf29ce4 | 0;
const lowStart = 0x84222325 | 0;

/** FNV-1a of 64 bits, byte by byte: the hash of KEP-5866's shards. */
export class Fnv1a64 {
  // As signed numbers of 32 bits, which need no memory of their own.
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

  /** The arc of the ring in which the hash lies, from 0 to `slotCount - 1`. */
  slot(): number {
    return this.high >>> slotShift;
  }

  /** The hash as 16 hexadecimal digits. */
  toString(): string {
    return [this.high, this.low].map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('');
  }
}

const shared = new Fnv1a64();

/** The slot of a uid or a namespace, both of which are ASCII. */
export function hashSlot(text: string): number {
  shared.reset();
  return shared.pushText(text).slot();
}
