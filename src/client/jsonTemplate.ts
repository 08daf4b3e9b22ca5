import { type CutField, cutField } from './cutField.js';
import { endOfValue } from './endOfValue.js';

/**
 * An object that others are compared with before they are parsed: its bytes, the object they were parsed to, and where in the bytes each of its values
 * stands.
 *
 * Values are numbered in the order of their first bytes; the object itself is 0.
 */
export interface JsonTemplate {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Frozen whole: parts of it become parts of others. */
  readonly object: Record<string, unknown>;
  /** How many values there are. */
  readonly count: number;
  readonly starts: Uint16Array;
  readonly ends: Uint16Array;
  readonly parents: Uint16Array;
  /** The first value that is no part of this one. */
  readonly nexts: Uint16Array;
  /** Whether a value is looked into; its parts count then. Otherwise it is equal or not as a whole. */
  readonly open: Uint8Array;
  /** Where in `keys` and `values` the value is, from 1 on; 0 for a value that is not worth sharing. */
  readonly places: Uint16Array;
  /** Under which key, or at which index, the value stands in its parent. */
  readonly keys: readonly (string | number)[];
  readonly values: readonly unknown[];
  /** Where a field was cut out that others may have: behind the value before it. -1 for nowhere. */
  readonly cutAt: number;
  /** The value that it was cut out of. */
  readonly cutFrom: number;
  /** The field itself. */
  readonly cut: CutField | undefined;
}

/** The bytes of a larger object are not compared. */
export const maxTemplateBytes = 0xffff;

const maxValues = 0x4000;
const maxDepth = 64;
/** V8 keeps one copy of shorter strings anyway. */
const shortestShared = 13;

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const digitZero = 0x30;
const digitNine = 0x39;

/** `__proto__`, as a key, does something else than to name a field when it is assigned to. */
function isProto(json: Uint8Array, at: number, end: number): boolean {
  return end - at === 11 && json[at + 1] === 0x5f && json[at + 2] === 0x5f && json[at + 3] === 0x70;
}

/** Where the values of some JSON stand; reused from one object to the next. */
class ValueTable {
  count = 0;
  readonly starts: Uint16Array = new Uint16Array(maxValues);
  readonly ends: Uint16Array = new Uint16Array(maxValues);
  readonly parents: Uint16Array = new Uint16Array(maxValues);
  readonly nexts: Uint16Array = new Uint16Array(maxValues);
  readonly open: Uint8Array = new Uint8Array(maxValues);
  private json: Uint8Array = new Uint8Array();
  private depth = 0;

  /** Returns whether all of `json` is one value, written without white space, of a size that can be numbered. */
  read(json: Uint8Array): boolean {
    this.json = json;
    this.count = 0;
    this.depth = 0;
    return this.value(0, 0) === json.length;
  }

  /** The index behind the value; -1 where there is none. */
  private value(at: number, parent: number): number {
    const { json, count } = this;
    if (count === maxValues) return -1;
    this.count += 1;
    this.starts[count] = at;
    this.parents[count] = parent;
    this.open[count] = 1;
    const first = json[at];
    let end: number;
    if ((first === openBrace || first === openBracket) && this.depth < maxDepth) {
      this.depth += 1;
      end = first === openBrace ? this.fields(at + 1, count) : this.elements(at + 1, count);
      this.depth -= 1;
    } else {
      this.open[count] = 0;
      end = endOfValue(json, at, json.length);
      if (end === at) return -1;
    }
    this.ends[count] = end;
    this.nexts[count] = this.count;
    return end;
  }

  private fields(first: number, parent: number): number {
    const { json } = this;
    if (json[first] === closeBrace) return first + 1;
    let at = first;
    for (;;) {
      if (json[at] !== quote) return -1;
      const colon = endOfValue(json, at, json.length);
      if (colon === -1) return -1;
      if (!this.isPlainKey(at, colon)) this.open[parent] = 0;
      at = this.value(colon + 1, parent);
      if (json[at] === closeBrace) return at + 1;
      if (json[at] !== comma) return -1;
      at += 1;
    }
  }

  private elements(first: number, parent: number): number {
    const { json } = this;
    if (json[first] === closeBracket) return first + 1;
    let at = first;
    for (;;) {
      at = this.value(at, parent);
      if (json[at] === closeBracket) return at + 1;
      if (json[at] !== comma) return -1;
      at += 1;
    }
  }

  /** Whether the object's fields are in the order of their keys in the bytes, and can be assigned to: numbers come first. */
  private isPlainKey(at: number, end: number): boolean {
    const { json } = this;
    const first = json[at + 1] as number;
    if ((first >= digitZero && first <= digitNine) || isProto(json, at, end)) return false;
    for (let next = at + 1; next < end; next += 1) if (json[next] === backslash) return false;
    return true;
  }
}

const table = new ValueTable();

function isShared(value: unknown): boolean {
  return typeof value === 'object' ? value !== null : typeof value === 'string' && value.length >= shortestShared;
}

/** Finds the key and the value of each place, and freezes what is there. */
class Places {
  readonly keys: (string | number)[] = [''];
  readonly values: unknown[] = [undefined];
  readonly places: Uint16Array = new Uint16Array(table.count);

  visit(at: number, key: string | number, value: unknown): void {
    if (!isShared(value)) return;
    this.places[at] = this.keys.length;
    this.keys.push(key);
    this.values.push(value);
    if (typeof value !== 'object' || value === null) return;
    if (table.open[at] === 1 && this.visitParts(at, value)) {
      Object.freeze(value);
    } else {
      table.open[at] = 0;
      freeze(value);
    }
  }

  private visitParts(at: number, value: object): boolean {
    if (!Array.isArray(value)) return this.visitFields(at, value as Record<string, unknown>);
    this.visitElements(at, value);
    return true;
  }

  private visitElements(parent: number, elements: readonly unknown[]): void {
    let at = parent + 1;
    for (let index = 0; index < elements.length; index += 1) {
      this.visit(at, index, elements[index]);
      at = table.nexts[at] as number;
    }
  }

  /** Returns whether each value has a key of its own: of several under one key the last one counts. */
  private visitFields(parent: number, fields: Record<string, unknown>): boolean {
    const keys = Object.keys(fields);
    let count = 0;
    const end = table.nexts[parent] as number;
    for (let at = parent + 1; at < end; at = table.nexts[at] as number) count += 1;
    if (count !== keys.length) return false;
    let at = parent + 1;
    for (const key of keys) {
      this.visit(at, key, fields[key]);
      at = table.nexts[at] as number;
    }
    return true;
  }
}

/** Freezes a JSON value whole; what is frozen already is frozen whole. */
function freeze(value: object): void {
  const parts: object[] = [value];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    if (Object.isFrozen(part)) continue;
    Object.freeze(part);
    for (const child of Object.values(part) as unknown[]) if (typeof child === 'object' && child !== null) parts.push(child);
  }
}

/**
 * Makes a template, and freezes `object`.
 *
 * @param json - what `object` was parsed from.
 * @param cutAt - where a field was cut out of it; -1 for nowhere.
 * @returns undefined for an object that nothing can be compared with.
 */
export function jsonTemplate(json: Uint8Array, object: Record<string, unknown>, cutAt: number, cut: Uint8Array): JsonTemplate | undefined {
  if (json.length > maxTemplateBytes || !table.read(json)) return undefined;
  const places = new Places();
  places.visit(0, '', object);
  if (table.open[0] === 0) return undefined;
  const bytes = json.slice();
  const { count } = table;
  let cutFrom = 0;
  for (let at = 0; at < count && (table.starts[at] as number) < cutAt; at += 1)
    if (table.open[at] === 1 && (table.ends[at] as number) > cutAt) cutFrom = at;
  return {
    bytes,
    view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length),
    object,
    count,
    starts: table.starts.slice(0, count),
    ends: table.ends.slice(0, count),
    parents: table.parents.slice(0, count),
    nexts: table.nexts.slice(0, count),
    open: table.open.slice(0, count),
    places: places.places,
    keys: places.keys,
    values: places.values,
    cutAt,
    cutFrom,
    cut: cutField(cut),
  };
}
