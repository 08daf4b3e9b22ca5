import { Fnv1a64 } from '../../api/shards/hashSlot.js';
import { type ShardFilter, slotOfObject } from '../../api/shards/shardFilter.js';
import { endOfString } from './endOfValue.js';
import { standsAt } from './fieldAt.js';
import { scannedEnd } from './valueEnd.js';

const utf8 = new TextEncoder();
const metadataKey = utf8.encode('"metadata":');

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Where the value of the object's only field with this key begins, `"name":` for example, looked for from the field at `at` on. -1 when there is none, when there are
 * several, of which a parser takes the last, and when a key has escapes.
 */
function valueOfOnly(json: Uint8Array, at: number, key: Uint8Array): number {
  let found = -1;
  for (let next = at; json[next] === quote; next += 1) {
    const colonAt = endOfString(json, next);
    if (colonAt === -1 || json[colonAt] !== colon || json.subarray(next, colonAt).includes(backslash)) return -1;
    if (standsAt(json, next, key)) {
      if (found !== -1) return -1;
      found = colonAt + 1;
    }
    const end = scannedEnd(json, colonAt + 1);
    if (json[end] === closeBrace) return found;
    if (end === -1 || json[end] !== comma) return -1;
    next = end;
  }
  return -1;
}

/**
 * Tells objects that belong to other shards by their bytes, so that these need not be parsed.
 */
export class ShardSieve {
  private readonly filter: ShardFilter;
  private readonly key: Uint8Array;
  private readonly hash = new Fnv1a64();

  constructor(filter: ShardFilter) {
    this.filter = filter;
    this.key = utf8.encode(`"${filter.by}":`);
  }

  /** A place in the metadata of the object that begins at `at`, if it belongs to another shard; -1 if it does not, or if its bytes do not tell. */
  foreignAt(json: Uint8Array, at: number): number {
    const metadata = valueOfOnly(json, at + 1, metadataKey);
    const field = json[metadata] === openBrace ? valueOfOnly(json, metadata + 1, this.key) : -1;
    if (json[field] !== quote) return -1;
    const { hash } = this;
    hash.reset();
    for (let next = field + 1; ; next += 1) {
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
