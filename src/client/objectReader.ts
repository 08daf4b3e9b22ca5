import { Comparison } from './comparison.js';
import { endOfString, endOfValue } from './endOfValue.js';
import { freezeJson } from './freezeJson.js';
import { parseJson, shapeObject, type ObjectShape } from './parseObject.js';

/**
 * Looks up the version of an object that the reader's caller already has.
 */
export type KnownObject = (namespace: string, name: string) => object | undefined;

/**
 * How objects of one type are read.
 */
export interface ItemShape extends ObjectShape {
  /** Filled in where an item of a list has none, as in lists of built-in kinds. */
  readonly apiVersion: string;
  readonly kind: string;
}

type Json = Record<string, unknown>;

const utf8 = new TextEncoder();
const text = new TextDecoder();
const noPrefix = new Uint8Array();
const typeKeys = ['"kind":', '"apiVersion":'].map((key) => utf8.encode(key));
const metadataKey = utf8.encode('"metadata":');
const nameKey = utf8.encode('"name":');
const namespaceKey = utf8.encode('"namespace":');

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;

/** Families that are remembered. */
const maxSiblings = 4096;

function standsAt(json: Uint8Array, at: number, expected: Uint8Array): boolean {
  for (let index = 0; index < expected.length; index += 1) if (json[at + index] !== expected[index]) return false;
  return true;
}

/** Where the value of a field begins, its key looked for from the one at `at` on; -1 when it is not found. */
function fieldAt(json: Uint8Array, at: number, key: Uint8Array): number {
  let next = at;
  while (json[next] === quote) {
    if (standsAt(json, next, key)) return next + key.length;
    const colonAt = endOfString(json, next);
    if (colonAt === -1 || json[colonAt] !== colon) return -1;
    const end = endOfValue(json, colonAt + 1);
    if (end === -1 || json[end] !== comma) return -1;
    next = end + 1;
  }
  return -1;
}

function stringAt(json: Uint8Array, at: number): string {
  const end = at !== -1 && json[at] === quote ? endOfString(json, at) : -1;
  return end === -1 ? '' : text.decode(json.subarray(at + 1, end - 1));
}

/** The objects read last, one for the objects whose names begin alike: replicas of one owner. */
class Siblings {
  private readonly families = new Map<string, Json>();
  private last: Json | undefined;

  get(family: string): Json | undefined {
    return this.families.get(family) ?? this.last;
  }

  set(family: string, object: Json): void {
    this.last = object;
    this.families.delete(family);
    this.families.set(family, object);
    if (this.families.size <= maxSiblings) return;
    for (const oldest of this.families.keys()) {
      this.families.delete(oldest);
      break;
    }
  }
}

const siblings = new WeakMap<KnownObject, Siblings>();

function siblingsOf(known: KnownObject): Siblings {
  const found = siblings.get(known) ?? new Siblings();
  siblings.set(known, found);
  return found;
}

/**
 * Reads objects out of their bytes, parsing only what is not known already.
 *
 * The objects are what the plain parser makes of the bytes, and what the reader is not sure of, it leaves to that.
 */
export class ObjectReader {
  /** The object that was read last. */
  object: Json = {};
  private readonly shape: ItemShape;
  private readonly known: KnownObject | undefined;
  private readonly siblings: Siblings | undefined;
  private readonly comparison: Comparison;
  private readonly prefix: Uint8Array;

  constructor(shape: ItemShape, known: KnownObject | undefined) {
    this.shape = shape;
    this.known = known;
    this.siblings = known && siblingsOf(known);
    this.comparison = new Comparison(shape.managedFields === 'drop');
    this.prefix = utf8.encode(`{"kind":${JSON.stringify(shape.kind)},"apiVersion":${JSON.stringify(shape.apiVersion)},`);
  }

  /**
   * Reads the item of a list that begins at `at`, and puts `kind` and `apiVersion` before its own fields if it does not begin with them.
   *
   * @param isWhole - whether `json` ends with it.
   * @returns the index behind it; -1 when it has to be left to the parser.
   */
  readItem(json: Uint8Array, at: number, isWhole: boolean): number {
    const isTyped = json[at + 1] !== quote || typeKeys.some((key) => standsAt(json, at + 1, key));
    const end = this.read(json, at, isTyped ? noPrefix : this.prefix, isWhole);
    return typeof this.object['kind'] === 'string' && typeof this.object['apiVersion'] === 'string' ? end : -1;
  }

  /** Reads the object with which `json` ends. Returns false when it has to be left to the parser. */
  readLast(json: Uint8Array, at: number): boolean {
    return this.read(json, at, noPrefix, true) === json.length;
  }

  private read(json: Uint8Array, at: number, prefix: Uint8Array, isWhole: boolean): number {
    const { comparison, shape } = this;
    if (this.known === undefined && (!isWhole || shape.managedFields === 'keep')) return -1;
    const metadata = this.known === undefined ? -1 : fieldAt(json, at + 1, metadataKey);
    const isNamed = metadata !== -1 && json[metadata] === openBrace;
    const name = isNamed ? stringAt(json, fieldAt(json, metadata + 1, nameKey)) : '';
    const namespace = isNamed ? stringAt(json, fieldAt(json, metadata + 1, namespaceKey)) : '';
    const family = `${namespace}/${name.slice(0, name.lastIndexOf('-'))}`;
    const similar = this.similar(namespace, name, family, prefix !== noPrefix);
    const end = comparison.read(json, at, similar, prefix === noPrefix || similar === undefined ? 0 : 2, isWhole);
    if (end === -1) return -1;
    if (comparison.isSame && similar !== undefined) {
      freezeJson(similar);
      this.object = similar;
    } else {
      const rest = comparison.parts.rest(json, prefix, prefix === noPrefix ? at : at + 1, end);
      const object = parseJson(rest, 'an object', 0) as Json;
      if (!comparison.parts.fill(object)) return -1;
      this.object = shapeObject(object, shape);
    }
    this.siblings?.set(family, this.object);
    return end;
  }

  private similar(namespace: string, name: string, family: string, isPrefixed: boolean): Json | undefined {
    const found = (this.known?.(namespace, name) as Json | undefined) ?? this.siblings?.get(family);
    if (found === undefined || !isPrefixed) return found;
    const [first, second] = Object.keys(found);
    const { kind, apiVersion } = this.shape;
    const isOfType = first === 'kind' && second === 'apiVersion' && found['kind'] === kind && found['apiVersion'] === apiVersion;
    return isOfType ? found : undefined;
  }
}
