import { Fnv1a64 } from '../../api/shards/hashSlot.js';
import { type ShardFilter, slotOfObject } from '../../api/shards/shardFilter.js';
import { endOfObject } from './endOfObject.js';
import { fieldAt } from './fieldAt.js';
import { jsonBytes } from './jsonBytes.js';
import { ManagedFieldsSamples } from './managedFieldsSamples.js';

const utf8 = new TextEncoder();
const metadataKey = utf8.encode('"metadata":{');
const managedFieldsKey = utf8.encode('"managedFields":');

/** In so many objects lies what lies in the metadata. */
const metadataDepth = 2;

const quote = 0x22;
const backslash = 0x5c;

/**
 * Tells objects that belong to other shards by their bytes, so that these need not be parsed.
 */
export class ShardSieve {
  private readonly filter: ShardFilter;
  private readonly key: Uint8Array;
  private readonly hash = new Fnv1a64();
  private readonly samples = new ManagedFieldsSamples();

  constructor(filter: ShardFilter) {
    this.filter = filter;
    this.key = utf8.encode(`"${filter.by}":"`);
  }

  /**
   * Where the object that begins at `at` ends, if it belongs to another shard; 0 if it does not, or if its bytes do not tell; -1 if it goes on behind the
   * JSON.
   *
   * @param end - where it ends; -1 when that is not known.
   */
  endOfForeign(json: Uint8Array, at: number, end: number): number {
    const metadata = fieldAt(json, at + 1, metadataKey);
    const field = metadata === -1 ? -1 : fieldAt(json, metadata + metadataKey.length, this.key);
    if (field === -1) return 0;
    const { hash } = this;
    hash.reset();
    for (let next = field + this.key.length; ; next += 1) {
      const byte = json[next];
      if (byte === quote) break;
      if (byte === undefined || byte === backslash) return 0;
      hash.push(byte);
    }
    if (this.filter.slots.has(hash.slot())) return 0;
    return end === -1 ? this.endOf(json, at, field) : end;
  }

  /** Where the object that begins at `at` ends, `field` being one in its metadata. */
  private endOf(json: Uint8Array, at: number, field: number): number {
    const managedFields = fieldAt(json, field, managedFieldsKey);
    const behind = managedFields === -1 ? -1 : this.samples.endOf(jsonBytes(json), managedFields + managedFieldsKey.length);
    return behind === -1 ? endOfObject(json, at, 0) : endOfObject(json, behind, metadataDepth);
  }

  /** Whether an object that was parsed belongs to another shard. */
  isForeign(object: Readonly<Record<string, unknown>>): boolean {
    return !this.filter.slots.has(slotOfObject(object, this.filter.by));
  }
}
