import { DecodeError } from '../api/decodeError.js';
import { fieldAt, standsAt } from './fieldAt.js';
import { ItemText } from './itemText.js';
import { jsonBytes, type JsonBytes } from './jsonBytes.js';
import { MatchedObject } from './matchedObject.js';
import { isRecord, parseJson, shapeObject, type ObjectShape } from './parseObject.js';
import { TemplateMatch } from './templateMatch.js';
import { Templates } from './templates.js';

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
const metadataKey = utf8.encode('"metadata":{');
const nameKey = utf8.encode('"name":"');

const quote = 0x22;
const dash = 0x2d;
const openBrace = 0x7b;

/** Where less than this part of its bytes is in the values that differ, an object is well described by its template. */
const fitting = 1 / 3;

/** A number for the objects whose names begin alike, up to the last dash. Two families may have the same one. */
function familyOf(json: Uint8Array, at: number): number {
  const metadata = fieldAt(json, at + 1, metadataKey);
  const name = metadata === -1 ? -1 : fieldAt(json, metadata + metadataKey.length, nameKey);
  let hash = 0x811c9dc5;
  if (name === -1) return 0;
  let family = hash;
  for (let next = name + nameKey.length; next < json.length && json[next] !== quote; next += 1) {
    const byte = json[next] as number;
    if (byte === dash) family = hash;
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return family & 0x3fffffff;
}

const templatesOf = new WeakMap<object, Map<string, Templates>>();

function templatesFor(sharedBy: object, { apiVersion, kind, managedFields }: ItemShape): Templates {
  const known = templatesOf.get(sharedBy) ?? new Map<string, Templates>();
  templatesOf.set(sharedBy, known);
  const key = `${apiVersion} ${kind} ${managedFields}`;
  const found = known.get(key) ?? new Templates();
  known.set(key, found);
  return found;
}

/**
 * Reads objects out of their JSON, and parses no more of it than differs from objects that were read before.
 *
 * The objects are what the plain parser makes of the JSON: what the reader is not sure of, it leaves to that.
 */
export class ObjectReader {
  /** The object that was read last. */
  object: Readonly<Json> = {};
  private readonly shape: ItemShape;
  /** Whether objects without a type get the shape's, before their own fields. */
  private readonly fillsType: boolean;
  private readonly text: ItemText;
  private readonly templates: Templates | undefined;
  private readonly match = new TemplateMatch();
  private readonly matched = new MatchedObject();

  /**
   * @param sharedBy - whatever stands for those who share the objects. Without it, objects have nothing in common with one another.
   */
  constructor(shape: ItemShape, fillsType: boolean, sharedBy: object | undefined) {
    this.shape = shape;
    this.fillsType = fillsType;
    this.text = new ItemText(shape);
    this.templates = sharedBy && templatesFor(sharedBy, shape);
  }

  /**
   * Reads the object that begins at `at` and may go on behind the JSON, if it resembles one that was read before.
   *
   * @returns the index behind it; -1 when it has to be read whole.
   */
  readAhead(json: JsonBytes, at: number): number {
    const { length } = json.bytes;
    return this.templates === undefined ? -1 : this.compare(this.templates, json, at, length - at, false);
  }

  /**
   * Reads the object that is all of the JSON from `at` on.
   *
   * @param what - what it is, and `position`, where the JSON stands in the body: for errors.
   * @param changes - whether the object is one of those that change: then others of its versions are expected.
   * @throws DecodeError when it is no object.
   */
  readWhole(json: Uint8Array, at: number, what: string, position: number, changes: boolean): void {
    const { shape, templates } = this;
    if (templates !== undefined && this.compare(templates, jsonBytes(json), at, Infinity, changes) === json.length) return;
    const text = this.text.of(json, at, json.length, this.isTyped(json, at));
    const object = parseJson(text.bytes.subarray(0, text.length), what, position);
    if (!isRecord(object)) throw new DecodeError(`Expected ${what} to be an object, got something else`, position);
    if (this.fillsType) {
      object['kind'] ??= shape.kind;
      object['apiVersion'] ??= shape.apiVersion;
    }
    this.object = shapeObject(object, shape);
    if (templates === undefined || this.object !== object) return;
    const family = familyOf(json, at);
    templates.learn(family, false, changes, () => templates.make(family, text, object));
  }

  private isTyped(json: Uint8Array, at: number): boolean {
    return !this.fillsType || this.text.isTyped(json, at);
  }

  /** Returns the index behind the object; -1 when it is not certain what it is. */
  private compare(templates: Templates, json: JsonBytes, at: number, expected: number, changes: boolean): number {
    const { bytes } = json;
    const { match, text } = this;
    const family = familyOf(bytes, at);
    const template = templates.like(family);
    if (template === undefined || template.length > expected || bytes[at] !== openBrace) return -1;
    const isTyped = this.isTyped(bytes, at);
    if (!isTyped && !standsAt(template.bytes, 0, text.prefix)) return -1;
    const end = match.read(template, isTyped ? 1 : text.prefix.length, json, at + 1);
    const object = end === -1 ? undefined : this.matchedObject();
    if (object === undefined) return -1;
    this.object = shapeObject(object, this.shape);
    if (this.object !== object) return end;
    const fits = match.differences.bytes < fitting * (end - at);
    templates.learn(family, fits, changes, () => {
      if (!templates.derive(family, match, object, end)) templates.make(family, text.of(bytes, at, end, isTyped), object);
    });
    return end;
  }

  /** The object that was compared last; undefined when it is not certain what it is. */
  private matchedObject(): Json | undefined {
    let object: Json | undefined;
    try {
      object = this.matched.of(this.match);
    } catch {
      // The parser says what is wrong, and where.
      return undefined;
    }
    if (!this.fillsType || object === undefined) return object;
    return typeof object['kind'] === 'string' && typeof object['apiVersion'] === 'string' ? object : undefined;
  }
}
