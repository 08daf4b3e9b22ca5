import { DecodeError } from '../../api/errors/decodeError.js';
import { standsAt } from './fieldAt.js';
import { deepFreeze } from '../../api/deepFreeze.js';
import type { ItemShape } from './itemShape.js';
import { ItemText } from './itemText.js';
import { jsonBytes, type JsonBytes } from './jsonBytes.js';
import type { LastVersion } from './lastVersion.js';
import { LastVersions } from './lastVersions.js';
import { MatchedObject } from './matchedObject.js';
import { nameHash, type NameHash } from './nameHash.js';
import { isRecord, parseJson, shapeObject } from './parseObject.js';
import type { TemplateText } from './template.js';
import { TemplateMatch } from './templateMatch.js';
import { Templates } from './templates.js';

/**
 * What becomes of an object: it is `there`, and nothing more is known; it has `changed`, and will again; it is `gone`.
 */
export type Fate = 'there' | 'changed' | 'gone';

type Json = Readonly<Record<string, unknown>>;

const openBrace = 0x7b;

/** Where less than this part of its bytes is in the values that differ, an object is well described by its template. */
const fitting = 1 / 3;

/** What objects that are read are compared with. */
class Memory {
  readonly templates: Templates = new Templates();
  readonly versions: LastVersions = new LastVersions();
}

const memories = new WeakMap<object, Map<string, Memory>>();

function memoryOf(owner: object, { apiVersion, kind, managedFields }: ItemShape): Memory {
  const known = memories.get(owner) ?? new Map<string, Memory>();
  memories.set(owner, known);
  const key = `${apiVersion} ${kind} ${managedFields}`;
  const memory = known.get(key) ?? new Memory();
  known.set(key, memory);
  return memory;
}

/**
 * Reads objects out of their JSON, and parses no more of it than differs from objects that were read before.
 *
 * The objects are what the plain parser makes of the JSON: what the reader is not sure of, it leaves to that.
 */
export class ObjectReader {
  /** The object that was read last. */
  object: Json = {};
  private readonly shape: ItemShape;
  private readonly fillsType: boolean;
  private readonly text: ItemText;
  private readonly memory: Memory | undefined;
  private readonly match = new TemplateMatch();
  private readonly matched = new MatchedObject();

  /**
   * @param fillsType - whether objects without a type get the shape's, before their own fields.
   * @param sharedBy - whatever stands for those who share the objects. Without it, objects have nothing in common with one another.
   */
  constructor(shape: ItemShape, fillsType: boolean, sharedBy: object | undefined) {
    this.shape = shape;
    this.fillsType = fillsType;
    this.text = new ItemText(shape);
    this.memory = sharedBy && memoryOf(sharedBy, shape);
  }

  /**
   * Reads the object that begins at `at` and may go on behind the JSON, if it resembles one that was read before.
   *
   * @returns the index behind it; -1 when it has to be read whole.
   */
  readAhead(json: JsonBytes, at: number): number {
    if (this.memory === undefined) return -1;
    return this.compare(this.memory, nameHash(json.bytes, at), json, at, 'there', json.bytes.length - at);
  }

  /**
   * Reads the object that is all of the JSON from `at` on.
   *
   * @param what - what it is, and `position`, where the JSON stands in the body: for errors.
   * @throws DecodeError when it is no object.
   */
  readWhole(json: Uint8Array, at: number, what: string, position: number, fate: Fate): void {
    const { memory } = this;
    if (memory === undefined) {
      this.parse(json, at, what, position);
      return;
    }
    const names = nameHash(json, at);
    if (this.compare(memory, names, jsonBytes(json), at, fate, Infinity) !== json.length) {
      const text = this.parse(json, at, what, position);
      if (fate !== 'changed') deepFreeze(this.object);
      memory.versions.delete(names.name);
      if (text !== undefined && fate !== 'gone') {
        memory.templates.learn(names.family, false, fate === 'changed', () => memory.templates.make(names, text, this.object));
      }
    }
    if (fate !== 'gone') return;
    memory.versions.delete(names.name);
    memory.templates.forget(names);
  }

  /** Returns the text that was parsed, or undefined when that was not all: then it is no template. */
  private parse(json: Uint8Array, at: number, what: string, position: number): TemplateText | undefined {
    const { shape } = this;
    const text = this.text.of(json, at, json.length, this.isTyped(json, at));
    const object = parseJson(text.bytes.subarray(0, text.length), what, position);
    if (!isRecord(object)) throw new DecodeError(`Expected ${what} to be an object, got something else`, position);
    this.object = shapeObject(this.typed(object), shape);
    return this.object === object ? text : undefined;
  }

  /** The object with its type: a copy, where its text has none. */
  private typed(object: Json): Json {
    const { fillsType, shape } = this;
    const { kind, apiVersion } = object;
    if (!fillsType || ((kind ?? null) !== null && (apiVersion ?? null) !== null)) return object;
    return { ...object, kind: kind ?? shape.kind, apiVersion: apiVersion ?? shape.apiVersion };
  }

  private isTyped(json: Uint8Array, at: number): boolean {
    return !this.fillsType || this.text.isTyped(json, at);
  }

  /**
   * Reads an object by comparing it.
   *
   * @param rest - how many bytes are there for it.
   * @returns the index behind the object; -1 when it is not certain what it is.
   */
  private compare({ templates, versions }: Memory, names: NameHash, json: JsonBytes, at: number, fate: Fate, rest: number): number {
    const { match, text } = this;
    const last = fate === 'changed' ? versions.get(names.name) : undefined;
    const template = last?.template ?? templates.like(names.family);
    if (template === undefined || template.length > rest || json.bytes[at] !== openBrace) return -1;
    const isTyped = this.isTyped(json.bytes, at);
    if (!isTyped && !standsAt(template.bytes, 0, text.prefix)) return -1;
    const end = match.read(template, isTyped ? 1 : text.prefix.length, json, at + 1);
    const object = end === -1 ? undefined : this.matchedObject(last, last !== undefined || fate !== 'changed');
    if (object === undefined) return -1;
    const shaped = shapeObject(object, this.shape);
    if (shaped !== object) deepFreeze(shaped);
    this.object = shaped;
    // What is left of an object that only its metadata is wanted of is not what its text says.
    if (fate === 'gone' || shaped['kind'] !== object['kind']) return end;
    const fits = match.differences.bytes < fitting * (end - at);
    if (last === undefined) {
      templates.learn(names.family, fits, fate === 'changed', () => {
        if (shaped === object && templates.derive(names, match, object, end)) return;
        templates.make(names, text.of(json.bytes, at, end, isTyped), shaped);
      });
    }
    if (fate === 'changed' && fits && template.isKept) versions.set(names.name, shaped, match);
    else versions.delete(names.name);
    return end;
  }

  /**
   * The object that was compared; undefined when it is not certain what it is.
   *
   * The first version of an object that changes is not frozen yet: a cache makes it share with the version that it has.
   */
  private matchedObject(last: LastVersion | undefined, freezes: boolean): Json | undefined {
    let object: Json | undefined;
    try {
      object = this.matched.of(this.match, last, freezes);
    } catch {
      // The parser says what is wrong, and where.
      return undefined;
    }
    if (!this.fillsType || object === undefined) return object;
    return typeof object['kind'] === 'string' && typeof object['apiVersion'] === 'string' ? object : undefined;
  }
}
