import { DecodeError } from '../api/decodeError.js';
import { jsonTemplate, type JsonTemplate } from './jsonTemplate.js';
import { managedFieldsRange, standsAt } from './managedFieldsRange.js';
import { isRecord, parseJson, shapeObject, type ObjectShape } from './parseObject.js';
import { TemplateMatch } from './templateMatch.js';

/**
 * How the items of a list are read.
 */
export interface ItemShape extends ObjectShape {
  /** Filled in where an item has none, as in lists of built-in kinds. */
  readonly apiVersion: string;
  readonly kind: string;
}

const utf8 = new TextEncoder();
const nameKey = utf8.encode('"metadata":{"name":"');
const ownTypeFields = ['"kind"', '"apiVersion"'].map((key) => utf8.encode(key));
const openBrace = utf8.encode('{');
const dash = 0x2d;
const quote = 0x22;

/** Templates by the family of their objects. */
export class TemplateMemory {
  newest: JsonTemplate | undefined;
  private readonly templates = new Map<number, JsonTemplate>();
  private bytes = 0;
  private readonly maxBytes: number;
  builds = 0;
  hits = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  of(family: number): JsonTemplate | undefined {
    return this.templates.get(family);
  }

  put(family: number, template: JsonTemplate): void {
    this.newest = template;
    this.builds += 1;
    const before = this.templates.get(family);
    if (before !== undefined) this.forget(family, before);
    this.templates.set(family, template);
    this.bytes += sizeOf(template);
    for (const [oldest, old] of this.templates) {
      if (this.bytes <= this.maxBytes) break;
      this.forget(oldest, old);
    }
  }

  private forget(family: number, template: JsonTemplate): void {
    this.templates.delete(family);
    this.bytes -= sizeOf(template);
  }
}

function sizeOf({ bytes, count, keys }: JsonTemplate): number {
  return bytes.length + 11 * count + 16 * keys.length;
}

/**
 * Parses the objects of one kind.
 */
export class SiblingParser {
  object: Record<string, unknown> = {};
  private readonly shape: ItemShape;
  private readonly memory: TemplateMemory | undefined;
  private readonly prefix: Uint8Array;
  private readonly match = new TemplateMatch();
  private scratch = new Uint8Array(16_384);

  constructor(shape: ItemShape, memory: TemplateMemory | undefined) {
    this.shape = shape;
    this.memory = memory;
    this.prefix = utf8.encode(`{"kind":${JSON.stringify(shape.kind)},"apiVersion":${JSON.stringify(shape.apiVersion)},`);
  }

  /** Reads an object whose end is not known. */
  tryRead(json: Uint8Array, view: DataView, at: number, limit: number): number {
    const { memory } = this;
    if (memory === undefined) return -1;
    let start = at + 1;
    let prefix = this.prefix;
    if (standsAt(json, at, limit, prefix)) start = at + prefix.length;
    else if (json[start] !== quote) return -1;
    else if (ownTypeFields.some((key) => standsAt(json, start, limit, key))) prefix = openBrace;
    const family = familyOf(json, start, limit);
    const own = memory.of(family);
    const template = own ?? memory.newest;
    if (template === undefined) return -1;
    if (!standsAt(template.bytes, 0, template.bytes.length, prefix)) return -1;
    const { match } = this;
    const end = match.read(template, prefix.length, json, view, start, limit);
    if (end === -1) return -1;
    memory.hits += 1;
    if (match.isEqual()) {
      this.object = template.object;
      return end;
    }
    const object = parseJson(match.rest(prefix), 'an object', 0) as Record<string, unknown>;
    match.fill(object);
    this.object = shapeObject(object, this.shape);
    if (own === undefined && this.object === object) this.build(family, json, start, end, prefix, object);
    return end;
  }

  /** Reads an object of which this is all. */
  read(json: Uint8Array, position: number): Record<string, unknown> {
    const prefix = json[1] === quote && !ownTypeFields.some((key) => standsAt(json, 1, json.length, key)) ? this.prefix : openBrace;
    const trimmed = this.trim(json, 1, json.length, prefix);
    const object = parseJson(trimmed, 'an item of the list', position);
    if (!isRecord(object)) throw new DecodeError('Expected an item of the list to be an object, got something else', position);
    object['kind'] ??= this.shape.kind;
    object['apiVersion'] ??= this.shape.apiVersion;
    const own = this.memory?.of(familyOf(json, 1, json.length));
    if (own === undefined && this.memory !== undefined) this.build(familyOf(json, 1, json.length), json, 1, json.length, prefix, object);
    return shapeObject(object, this.shape);
  }

  private cutAt = -1;
  private cut = new Uint8Array();

  private trim(json: Uint8Array, start: number, end: number, prefix: Uint8Array): Uint8Array {
    const cut = this.shape.managedFields === 'drop' ? managedFieldsRange(json, start, end) : undefined;
    const length = prefix.length + end - start;
    if (this.scratch.length < length) this.scratch = new Uint8Array(2 * length);
    const { scratch } = this;
    scratch.set(prefix);
    if (cut === undefined) {
      scratch.set(json.subarray(start, end), prefix.length);
      this.cutAt = -1;
      return scratch.subarray(0, length);
    }
    scratch.set(json.subarray(start, cut.start), prefix.length);
    this.cutAt = prefix.length + cut.start - start;
    this.cut = json.subarray(cut.start, cut.end);
    scratch.set(json.subarray(cut.end, end), this.cutAt);
    return scratch.subarray(0, length - (cut.end - cut.start));
  }

  private build(family: number, json: Uint8Array, start: number, end: number, prefix: Uint8Array, object: Record<string, unknown>): void {
    const template = jsonTemplate(this.trim(json, start, end, prefix), object, this.cutAt, this.cut);
    if (template !== undefined) this.memory?.put(family, template);
  }
}

/** A number for the objects whose names begin alike, up to the last dash. It only says what to compare with. */
function familyOf(json: Uint8Array, start: number, limit: number): number {
  if (!standsAt(json, start, limit, nameKey)) return 0;
  let hash = 0x811c9dc5;
  let family = hash;
  for (let at = start + nameKey.length; at < limit; at += 1) {
    const byte = json[at] as number;
    if (byte === quote) break;
    if (byte === dash) family = hash;
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return family & 0x3fffffff;
}
