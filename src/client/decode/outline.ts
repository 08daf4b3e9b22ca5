import type { ItemShape } from './objectShape.js';
import { standsAt } from './scan.js';
import type { VectorScan } from './vectorScan.js';

const utf8 = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const metadataKey = utf8.encode('metadata');
const nameKey = utf8.encode('name');
const managedFieldsKey = utf8.encode('managedFields');
const kindKey = utf8.encode('kind');
const apiVersionKey = utf8.encode('apiVersion');

const quote = 0x22;
const comma = 0x2c;
const dash = 0x2d;
const backslash = 0x5c;
const openBrace = 0x7b;

/** Integers of 30 bits are stored without an allocation (V8's small integers). */
const bits = 0x3fffffff;
const hashSeed = 0x811c9dc5;
const hashFactor = 0x01000193;

/** The number of quotes in a key, and in `kind` and `apiVersion` with their values, which items of lists lack. */
const keyMarks = 2;
const bothTypes = 3;
const typeMarks = 8;

/** JSON with more bytes per bracket or quote than this is mostly text, which is parsed as fast as it is compared or copied. */
const maxBytesPerMark = 20;

/** Mixes two numbers into a hash of 30 bits. */
export function mixed(a: number, b: number): number {
  const hash = Math.imul(a ^ Math.imul(b, 0x9e3779b1), 0x85ebca6b);
  return (hash ^ (hash >>> 15)) & bits;
}

/**
 * Hashes of an object's name, of its name up to the last dash (equal for all replicas of one owner), and of its structure without managedFields: the number of
 * brackets and of quotes. Different objects may have equal hashes.
 */
export interface Names {
  readonly name: number;
  readonly family: number;
  readonly form: number;
}

/** A field of an object, and where its value begins and ends. */
export interface FieldRange {
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The results of one scan of an object before it is parsed.
 */
export class Outline implements Names {
  name = 0;
  family = 0;
  form = 0;
  /** Whether it has `kind` and `apiVersion`. */
  isTyped = false;
  /** The range to leave out: managedFields with one comma; empty if there are none. */
  cutStart = 0;
  cutEnd = 0;
  /** The position of the value that decides its shard; -1 when there is none. */
  shardAt = -1;

  /** How many fields it has; known after `largeFields`. */
  outerFields = 0;

  readonly scan: VectorScan;
  private readonly dropsManagedFields: boolean;
  private readonly shardKey: Uint8Array | undefined;
  private hasMetadata = false;
  private hasName = false;
  /** 1 for `kind`, and 2 for `apiVersion`. */
  private types = 0;
  /** The number of managedFields among the fields, where the key begins, where its colon is, and where the value ends. */
  private managed = -1;
  private managedKey = -1;
  private managedColon = -1;
  private managedEnd = -1;

  /** @param scan - the scan whose last results it reads. */
  constructor({ managedFields, shard }: ItemShape, scan: VectorScan) {
    this.scan = scan;
    this.dropsManagedFields = managedFields === 'drop';
    this.shardKey = shard && utf8.encode(shard.by);
  }

  /**
   * Reads the fields of the object that begins at `at`, whose end `ValueEnd` has just found.
   *
   * @param isNamed - whether the hashes of its name and its family are needed.
   * @returns whether it is regular. It is not when a needed field comes twice (parsers take the last), a type is no string, or keys have escapes or white space around them.
   */
  read(json: Uint8Array, at: number, isNamed: boolean): boolean {
    const { scan } = this;
    const { fields } = scan;
    if (fields === 0) return false;
    this.hasMetadata = this.hasName = false;
    this.types = 0;
    this.name = this.family = hashSeed & bits;
    this.shardAt = this.managed = this.managedEnd = -1;
    for (let field = 0; field < fields; field += 1) {
      const colon = scan.colonOf(field);
      let key = colon - 2;
      while (key > at && json[key] !== quote && json[key] !== backslash) key -= 1;
      const before = json[key - 1];
      if (json[key] !== quote || json[colon - 1] !== quote || (before !== comma && before !== openBrace)) return false;
      const isInner = scan.isInner(field);
      if (this.managed !== -1 && this.managedEnd === -1) this.managedEnd = isInner ? key - 1 : key - 2;
      if (!(isInner ? this.inner(json, key, colon, field, isNamed) : this.outer(json, key, colon))) return false;
    }
    return true;
  }

  /** Computes the form and the range to leave out. Returns whether that range is certainly valid JSON. */
  settle(json: Uint8Array, end: number): boolean {
    const { managed, scan } = this;
    this.isTyped = this.types === bothTypes;
    this.form = scan.marks + (this.isTyped ? 0 : typeMarks);
    this.cutStart = this.cutEnd = end;
    if (managed === -1) return true;
    if (this.managedEnd === -1) this.managedEnd = end - 2;
    const { managedColon, managedEnd, managedKey } = this;
    // Leave out one comma with it: the one before, or the one behind it if it is the first field.
    const isFirst = json[managedKey - 1] === openBrace;
    this.cutStart = isFirst ? managedKey : managedKey - 1;
    this.cutEnd = isFirst && json[managedEnd] === comma ? managedEnd + 1 : managedEnd;
    this.form -= (managed + 1 < scan.fields ? scan.marksBefore(managed + 1) : scan.marks + keyMarks) - scan.marksBefore(managed);
    // Certain only if managedFields are the first field of the metadata, or the comma before them follows another field of the metadata.
    return isFirst !== scan.isInner(managed - 1) && scan.isPlain(managedColon + 1, managedEnd);
  }

  /** Whether an object is mostly text: `length` is its number of bytes without what is left out. Known after `settle`. */
  isText(length: number): boolean {
    return length > maxBytesPerMark * this.form;
  }

  /**
   * The fields, the metadata aside, whose values have at least `least` bytes and are worth parsing later: texts are copied as fast as they are parsed. Called after
   * `read`, before the next scan.
   */
  largeFields(json: Uint8Array, end: number, least: number): readonly FieldRange[] {
    const { scan } = this;
    const { fields } = scan;
    const large: FieldRange[] = [];
    let to = end - 1;
    let marks = scan.marks + keyMarks;
    this.outerFields = 0;
    for (let field = fields - 1; field >= 0; field -= 1) {
      if (scan.isInner(field)) continue;
      this.outerFields += 1;
      const colon = scan.colonOf(field);
      const before = scan.marksBefore(field);
      const size = to - colon - 1;
      const key = json.lastIndexOf(quote, colon - 2);
      const isMetadata = isKey(json, key, colon, metadataKey);
      if (!isMetadata && size >= least && size < maxBytesPerMark * (marks - keyMarks - before)) {
        large.unshift({ key: decoder.decode(json.subarray(key + 1, colon - 1)), start: colon + 1, end: to });
      }
      marks = before;
      to = key - 1;
    }
    return large;
  }

  private outer(json: Uint8Array, key: number, colon: number): boolean {
    if (isKey(json, key, colon, metadataKey)) {
      if (this.hasMetadata) return false;
      this.hasMetadata = true;
      return true;
    }
    // No branches that items of a list never take: otherwise V8 would discard the code compiled for the list at the first event of the watch.
    const type = (isKey(json, key, colon, kindKey) ? 1 : 0) + (isKey(json, key, colon, apiVersionKey) ? 2 : 0);
    this.types |= type;
    const isText = json[colon + 1] === quote;
    return isText || type === 0;
  }

  private inner(json: Uint8Array, key: number, colon: number, field: number, isNamed: boolean): boolean {
    if (isKey(json, key, colon, nameKey)) {
      if (this.hasName) return false;
      this.hasName = true;
      if (isNamed) this.readName(json, colon + 2);
    } else if (this.dropsManagedFields && isKey(json, key, colon, managedFieldsKey)) {
      if (this.managed !== -1) return false;
      this.managed = field;
      this.managedKey = key;
      this.managedColon = colon;
    }
    if (this.shardKey !== undefined && isKey(json, key, colon, this.shardKey)) {
      if (this.shardAt !== -1) return false;
      this.shardAt = colon + 1;
    }
    return true;
  }

  private readName(json: Uint8Array, at: number): void {
    let name = hashSeed;
    let family = name;
    for (let next = at; next < json.length && json[next] !== quote; next += 1) {
      const byte = json[next] as number;
      if (byte === dash) family = name;
      name = Math.imul(name ^ byte, hashFactor);
    }
    this.name = name & bits;
    this.family = family & bits;
  }
}

function isKey(json: Uint8Array, at: number, colon: number, key: Uint8Array): boolean {
  return colon - at === key.length + 2 && standsAt(json, at + 1, key);
}
