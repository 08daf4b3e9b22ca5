import { deepFreeze } from '../../api/deepFreeze.js';
import { endOfString, endOfValue } from './scan.js';
import { firstDifference, JsonBytes } from './jsonBytes.js';
import { isRecord } from './parseObject.js';

/**
 * The structure of some JSON: its values, numbered in the order in which they begin; value 0 is the whole. Two texts that differ only in strings, numbers and
 * literals have the same layout.
 */
export interface JsonLayout {
  readonly count: number;
  /** The object or array around each value. */
  readonly parents: Uint16Array;
  /** The number of the first value after each value and everything in it. */
  readonly nexts: Uint16Array;
  /** 1 for objects and arrays whose members have numbers of their own. */
  readonly open: Uint8Array;
  /** The key or index of each value. */
  readonly keys: readonly (string | number)[];
}

type Json = Readonly<Record<string, unknown>>;

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** JSON with more values than this gets no layout. */
const maxValues = 0x4000;
/**
 * Longer JSON gets no layout: positions in it are 16-bit numbers.
 */
export const maxLayoutBytes = 0xffff;
const maxDepth = 64;

/** Whether an object's fields are not in the order of the text (integer keys come first), or a key cannot be assigned (`__proto__`). */
function isIrregular(keys: readonly string[]): boolean {
  return keys.some((key) => (key >= '0' && key < ':') || key === '__proto__');
}

function areEqual(known: ArrayLike<unknown>, found: ArrayLike<unknown>, count: number): boolean {
  for (let at = 0; at < count; at += 1) if (known[at] !== found[at]) return false;
  return true;
}

const slots = 1_024;
const longestShared = 1_024;
/** The slot of an array element is hashed from the 12 bytes in its middle and its last 12. */
const hashed = 12;

/**
 * Keeps the array elements that were read last, so that equal ones become one object. Nodes, for example, list the same images: half of a node's heap. An element is kept
 * when it comes for the second time: most conditions never do.
 */
class ElementTable {
  private readonly hashes = new Int32Array(slots);
  private readonly texts = new Array<JsonBytes | undefined>(slots);
  private readonly objects = new Array<unknown>(slots);

  /** The equal object that is kept, else this one. */
  shared(json: JsonBytes, start: number, end: number, object: unknown): unknown {
    const { bytes } = json;
    const length = end - start;
    if (length > longestShared) return object;
    let hash = length;
    for (let at = 1; at <= hashed; at += 1) {
      hash = (Math.imul(hash, 31) + (bytes[end - at] as number) + ((bytes[start + ((length - at) >> 1)] as number) << 8)) | 0;
    }
    const slot = (hash ^ (hash >>> 10)) & (slots - 1);
    const known = this.texts[slot];
    if (known?.bytes.length === length && firstDifference(known, 0, length, json, start) === length) return this.objects[slot];
    if (this.hashes[slot] === hash) {
      this.texts[slot] = new JsonBytes(bytes.slice(start, end));
      this.objects[slot] = deepFreeze(object);
    }
    this.hashes[slot] = hash;
    return object;
  }
}

/**
 * Finds where the values of some JSON begin. Reused for one text after another.
 */
export class LayoutReader {
  /** Where each value begins. */
  readonly starts: Uint16Array = new Uint16Array(maxValues);
  private readonly parents = new Uint16Array(maxValues);
  private readonly nexts = new Uint16Array(maxValues);
  private readonly open = new Uint8Array(maxValues);
  private keys: (string | number)[] = [];
  private json: Uint8Array = new Uint8Array();
  private length = 0;
  private count = 0;
  private depth = 0;
  private readonly shared = new ElementTable();
  private elementsFound: { readonly array: unknown[]; readonly index: number; readonly start: number; readonly end: number }[] = [];

  /**
   * Reads the first `length` bytes.
   *
   * @param value - the parsed bytes. Objects in its arrays are replaced by equal ones that were read before.
   * @returns whether the bytes are one value with a layout: without white space between tokens, for example.
   */
  read(json: Uint8Array, length: number, value: unknown): boolean {
    this.json = json;
    this.length = length;
    this.count = 0;
    this.depth = 0;
    this.keys = [];
    this.elementsFound = [];
    if (length > maxLayoutBytes || this.value(0, 0, '', value) !== length || this.open[0] !== 1) return false;
    const all = new JsonBytes(json);
    for (const { array, end, index, start } of this.elementsFound) array[index] = this.shared.shared(all, start, end, array[index]);
    return true;
  }

  /** The layout of the last text read; `known` itself when it is the same. */
  layout(known: JsonLayout | undefined): JsonLayout {
    const { count, keys, nexts, open, parents } = this;
    if (
      known?.count === count &&
      areEqual(known.nexts, nexts, count) &&
      areEqual(known.open, open, count) &&
      areEqual(known.keys, keys, count)
    )
      return known;
    return { count, keys, nexts: nexts.slice(0, count), open: open.slice(0, count), parents: parents.slice(0, count) };
  }

  /** The index after the value; -1 where there is none. */
  private value(at: number, parent: number, key: string | number, value: unknown): number {
    const { json, count } = this;
    if (count === maxValues) return -1;
    const first = json[at];
    const elements = this.elementsFound.length;
    this.begin(at, parent, key, 1);
    let end = -1;
    if (this.depth < maxDepth) {
      this.depth += 1;
      // Of duplicate keys, the parser keeps the last value.
      if (first === openBrace && isRecord(value)) end = this.fields(at + 1, count, value);
      else if (first === openBracket && Array.isArray(value)) end = this.elements(at + 1, count, value);
      this.depth -= 1;
    }
    if (end === -1) {
      // A value without members, or an object whose members cannot be told apart by key.
      this.count = count;
      // mutation condition: equivalent but for time
      if (this.elementsFound.length > elements) this.elementsFound.length = elements;
      this.begin(at, parent, key, 0);
      end = endOfValue(json, at);
      // mutation condition: equivalent: the text is valid JSON, so `at` is white space, and the caller returns -1 after white space as well
      if (end === at) return -1;
    }
    this.nexts[count] = this.count;
    return end;
  }

  private begin(at: number, parent: number, key: string | number, open: number): void {
    const number = this.count++;
    this.starts[number] = at;
    this.parents[number] = parent;
    this.open[number] = open;
    this.keys[number] = key;
  }

  // mutation condition: equivalent: `value` is parsed from this text, so it has no more keys than the text
  private fields(first: number, parent: number, value: Json): number {
    const { json } = this;
    const keys = Object.keys(value);
    if (isIrregular(keys)) return -1;
    let next = 0;
    if (json[first] === closeBrace) return keys.length === 0 ? first + 1 : -1;
    for (let at = first; json[at] === quote; at += 1) {
      const colonAt = endOfString(json, at);
      const key = keys[next];
      // A key may come twice.
      if (json[colonAt] !== colon || key === undefined) return -1;
      next += 1;
      at = this.value(colonAt + 1, parent, key, value[key]);
      if (json[at] === closeBrace) return next === keys.length ? at + 1 : -1;
      if (json[at] !== comma) return -1;
    }
    return -1;
  }

  private elements(first: number, parent: number, value: unknown[]): number {
    const { json } = this;
    if (json[first] === closeBracket) return first + 1;
    let next = 0;
    // mutation comparison: equivalent: the text is valid JSON, so the array ends before the text
    for (let at = first; at < this.length; at += 1) {
      const start = at;
      at = this.value(at, parent, next, value[next]);
      if (json[start] === openBrace && at !== -1) this.elementsFound.push({ array: value, index: next, start, end: at });
      next += 1;
      if (json[at] === closeBracket) return at + 1;
      if (json[at] !== comma) return -1;
    }
    return -1;
  }
}
