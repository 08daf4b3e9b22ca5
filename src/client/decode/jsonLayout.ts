import { deepFreeze } from '../../api/deepFreeze.js';
import { endOfString, endOfValue } from './endOfValue.js';
import { standsAt } from './jsonBytes.js';
import { isRecord } from './parseObject.js';

/**
 * The structure of some JSON: its values in the order in which they begin, numbered from 0, which is the whole. Two texts that differ in nothing but
 * strings, numbers and literals have the same layout.
 */
export interface JsonLayout {
  readonly count: number;
  /** The object or array around each value. */
  readonly parents: Uint16Array;
  /** The first value behind each value and all that is in it. */
  readonly nexts: Uint16Array;
  /** 1 for objects and arrays whose parts are values of their own. */
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

/** JSON of more values has no layout. */
const maxValues = 0x4000;
/**
 * Nor has longer JSON: places in it are numbered with 16 bits.
 */
export const maxLayoutBytes = 0xffff;
const maxDepth = 64;

/** The fields of such an object are not in the order of their keys in the text, or cannot be assigned to. */
function isIrregular(keys: readonly string[]): boolean {
  return keys.some((key) => (key >= '0' && key < ':') || key === '__proto__');
}

function areEqual(known: ArrayLike<unknown>, found: ArrayLike<unknown>, count: number): boolean {
  for (let at = 0; at < count; at += 1) if (known[at] !== found[at]) return false;
  return true;
}

const slots = 1_024;
const longestShared = 1_024;
/** The slot of an element follows from the 12 bytes in its middle and the 12 at its end. */
const hashed = 12;

/**
 * The objects of arrays that were read last, so that equal ones can be one: nodes, for example, have pulled the same images. Half of a node's heap.
 */
class ElementTable {
  private readonly texts = new Array<Uint8Array | undefined>(slots);
  private readonly objects = new Array<unknown>(slots);

  /** The equal object that was read before, or else this one, frozen. */
  shared(json: Uint8Array, start: number, end: number, object: unknown): unknown {
    const length = end - start;
    if (length > longestShared) return object;
    let hash = length;
    for (let at = 1; at <= hashed; at += 1) {
      hash = (Math.imul(hash, 31) + (json[end - at] as number) + ((json[start + ((length - at) >> 1)] as number) << 8)) | 0;
    }
    const slot = (hash ^ (hash >>> 10)) & (slots - 1);
    const known = this.texts[slot];
    if (known?.length === length && standsAt(json, start, known)) return this.objects[slot];
    this.texts[slot] = json.slice(start, end);
    this.objects[slot] = deepFreeze(object);
    return object;
  }
}

/**
 * Finds out where the values of some JSON begin. Reused from one text to the next.
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
   * @param value - what they have been parsed to. Objects in its arrays become equal ones that were read before.
   * @returns whether they are one value, of a structure that can be written down: without white space, for example.
   */
  read(json: Uint8Array, length: number, value: unknown): boolean {
    this.json = json;
    this.length = length;
    this.count = 0;
    this.depth = 0;
    this.keys = [];
    this.elementsFound = [];
    if (length > maxLayoutBytes || this.value(0, 0, '', value) !== length || this.open[0] !== 1) return false;
    for (const { array, end, index, start } of this.elementsFound) array[index] = this.shared.shared(json, start, end, array[index]);
    return true;
  }

  /** The layout of what was read last: that one, when it is the same. */
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

  /** The index behind the value; -1 where there is none. */
  private value(at: number, parent: number, key: string | number, value: unknown): number {
    const { json, count } = this;
    if (count === maxValues) return -1;
    const first = json[at];
    const elements = this.elementsFound.length;
    this.begin(at, parent, key, 1);
    let end = -1;
    if (this.depth < maxDepth) {
      this.depth += 1;
      // Of several fields under one key, the value is the last one's.
      if (first === openBrace && isRecord(value)) end = this.fields(at + 1, count, value);
      else if (first === openBracket && Array.isArray(value)) end = this.elements(at + 1, count, value);
      this.depth -= 1;
    }
    if (end === -1) {
      // Something without parts, or something whose parts are not told from one another.
      this.count = count;
      this.elementsFound.length = elements;
      this.begin(at, parent, key, 0);
      end = endOfValue(json, at);
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

  private fields(first: number, parent: number, value: Json): number {
    const { json } = this;
    const keys = Object.keys(value);
    if (isIrregular(keys)) return -1;
    let next = 0;
    if (json[first] === closeBrace) return keys.length === 0 ? first + 1 : -1;
    for (let at = first; json[at] === quote; at += 1) {
      const colonAt = endOfString(json, at);
      const key = keys[next];
      // Several fields may stand under one key.
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
