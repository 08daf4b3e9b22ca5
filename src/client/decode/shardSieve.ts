import { Fnv1a64 } from '../../api/shards/hashSlot.js';
import { type ShardFilter, slotOfObject } from '../../api/shards/shardFilter.js';
import { fieldAt } from './fieldAt.js';

const utf8 = new TextEncoder();
const metadataKey = utf8.encode('"metadata":{');

const quote = 0x22;
const backslash = 0x5c;

/**
 * Tells objects that belong to other shards by their bytes, so that these need not be parsed.
 */
export class ShardSieve {
  private readonly filter: ShardFilter;
  private readonly key: Uint8Array;
  private readonly hash = new Fnv1a64();

  constructor(filter: ShardFilter) {
    this.filter = filter;
    this.key = utf8.encode(`"${filter.by}":"`);
  }

  /** A place in the metadata of the object that begins at `at`, if it belongs to another shard; -1 if it does not, or if its bytes do not tell. */
  foreignAt(json: Uint8Array, at: number): number {
    const metadata = fieldAt(json, at + 1, metadataKey);
    const field = metadata === -1 ? -1 : fieldAt(json, metadata + metadataKey.length, this.key);
    if (field === -1) return -1;
    const { hash } = this;
    hash.reset();
    for (let next = field + this.key.length; ; next += 1) {
      const byte = json[next];
      if (byte === quote) break;
      if (byte === undefined || byte === backslash) return -1;
      hash.push(byte);
    }
    return this.filter.slots.has(hash.slot()) ? -1 : field;
  }

  /** Whether an object that was parsed belongs to another shard. */
  isForeign(object: Readonly<Record<string, unknown>>): boolean {
    return !this.filter.slots.has(slotOfObject(object, this.filter.by));
  }
}
