import { Fnv1a64, type ShardFilter, slotOfObject } from '../../api/shardFilter.js';

const quote = 0x22;
const backslash = 0x5c;

/**
 * Recognizes objects of other shards, by their bytes where possible, so that they need not be parsed.
 */
export class ShardSieve {
  private readonly filter: ShardFilter;
  private readonly hash = new Fnv1a64();

  constructor(filter: ShardFilter) {
    this.filter = filter;
  }

  /** Whether the string at `at` certainly belongs to another shard: the hash is one of ASCII. */
  isForeignAt(json: Uint8Array, at: number): boolean {
    if (json[at] !== quote) return false;
    const { hash } = this;
    hash.reset();
    for (let next = at + 1; ; next += 1) {
      const byte = json[next];
      if (byte === quote) return !this.filter.slots.has(hash.slot());
      if (byte === undefined || byte === backslash || byte >= 0x80) return false;
      hash.push(byte);
    }
  }

  /** Whether a parsed object belongs to another shard. */
  isForeign(object: Readonly<Record<string, unknown>>): boolean {
    return !this.filter.slots.has(slotOfObject(object, this.filter.by));
  }
}
