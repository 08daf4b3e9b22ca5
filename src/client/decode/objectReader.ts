import { DecodeError } from '../../api/errors/decodeError.js';
import { deepFreeze } from '../../api/deepFreeze.js';
import { standsAt } from './fieldAt.js';
import { ItemText } from './itemText.js';
import { JsonBytes } from './jsonBytes.js';
import { MatchedObject } from './matchedObject.js';
import { nameHash, type NameHash } from './nameHash.js';
import { isRecord, type ItemShape, parseItems, parseJson, shapeObject, shapeParsed } from './parseObject.js';
import type { Template, TemplateText } from './template.js';
import { TemplateMatch } from './templateMatch.js';
import { ShardSieve } from './shardSieve.js';
import { Templates } from './templates.js';
import { ValueEnd } from './valueEnd.js';

const memories = new WeakMap<object, Map<string, Templates>>();

/**
 * The templates of those who share objects of that shape.
 */
function templatesOf(owner: object, { apiVersion, kind, managedFields, scope = '' }: ItemShape): Templates {
  const known = memories.get(owner) ?? new Map<string, Templates>();
  memories.set(owner, known);
  const key = `${apiVersion} ${kind} ${managedFields} ${scope}`;
  const templates = known.get(key) ?? new Templates();
  known.set(key, templates);
  return templates;
}

const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** The first bytes of an object that are compared with those of the object before it, to tell whether they are of one form. */
const beginning = 12;

/**
 * Where the last of the objects that stand from `at` on, with commas between them, seems to end; -1 when there is one only, or none.
 */
export function endOfLast(bytes: Uint8Array, at: number): number {
  const first = bytes.subarray(at, at + beginning);
  for (let next = bytes.lastIndexOf(openBrace); next > at; next = bytes.lastIndexOf(openBrace, next - 1)) {
    if (bytes[next - 1] === comma && bytes[next - 2] === closeBrace && standsAt(bytes, next, first)) return next - 1;
  }
  return -1;
}

/** How an object is met: in a list, or as added, changed or gone by a watch. */
type Fate = 'listed' | 'added' | 'changed' | 'gone';

type Json = Readonly<Record<string, unknown>>;

/** An object, and where it ended in the bytes. */
interface ReadObject {
  /** Undefined for one of another shard. */
  readonly object: Json | undefined;
  readonly end: number;
}

/** Objects that were read at once, and where the last one ended in the bytes. */
interface ReadObjects {
  readonly objects: readonly Json[];
  readonly end: number;
}

/** An object of this shard. */
interface OwnObject extends ReadObject {
  readonly object: Json;
}

/** In so many objects lies what lies in the metadata. */
const metadataDepth = 2;
/**
 * To compare a smaller object takes longer than to parse it whole, with its managedFields.
 */
export const leastCompared = 2_500;

/**
 * Reads objects out of their JSON.
 *
 * Large ones are compared with the JSON of objects that were read before, as long as that is of use, and no more of them is parsed than differs. Such objects
 * share what they have in common, and are frozen whole. All others are parsed, share nothing and are not frozen, unless they become templates.
 *
 * The objects are what the plain parser makes of the JSON: what the reader is not sure of, it leaves to that.
 */
export class ObjectReader {
  /** What objects are compared with; undefined where they share nothing. */
  readonly templates: Templates | undefined;
  /** Where an object ends that goes on behind the bytes. */
  readonly valueEnd: ValueEnd = new ValueEnd();
  private readonly shape: ItemShape;
  private readonly isList: boolean;
  private readonly text: ItemText;
  private readonly sieve: ShardSieve | undefined;
  private json = new JsonBytes(new Uint8Array());
  private readonly match = new TemplateMatch();
  private readonly matched = new MatchedObject();
  /** How many bytes the last object had: in a list, the next one has about as many. */
  private lastSpan: number = leastCompared;
  /** Whether the ends of small objects were found where they seemed to be. */
  private areEndsSeen = true;

  /**
   * @param isList - whether the objects are items of a list: those without a type get the shape's, before their own fields.
   * @param sharedBy - whatever stands for those who share the objects. Without it, objects have nothing in common with one another.
   */
  constructor(shape: ItemShape, isList: boolean, sharedBy: object | undefined) {
    this.shape = shape;
    this.isList = isList;
    this.text = new ItemText(shape);
    this.sieve = shape.shard && new ShardSieve(shape.shard);
    this.templates = sharedBy && templatesOf(sharedBy, shape);
  }

  /**
   * Reads the object that begins at `at`.
   *
   * @param end - where it ends; -1 when that is not known.
   * @param position - where the bytes stand in the body, for errors.
   * @returns undefined when it goes on behind the bytes.
   * @throws DecodeError when it is no object.
   */
  read(bytes: Uint8Array, at: number, end: number, fate: Fate, position: number): ReadObject | undefined {
    const { sieve } = this;
    if (sieve === undefined) return this.readOwn(bytes, at, end, fate, position);
    const inside = sieve.foreignAt(bytes, at);
    if (inside !== -1) {
      const behind = end === -1 ? this.valueEnd.around(bytes, inside, metadataDepth) : end;
      return behind === -1 ? undefined : { object: undefined, end: behind };
    }
    const read = this.readOwn(bytes, at, end, fate, position);
    return read !== undefined && sieve.isForeign(read.object) ? { object: undefined, end: read.end } : read;
  }

  /** Many objects stand in the same bytes. */
  private bytesOf(bytes: Uint8Array): JsonBytes {
    if (this.json.bytes !== bytes) this.json = new JsonBytes(bytes);
    return this.json;
  }

  private readOwn(bytes: Uint8Array, at: number, end: number, fate: Fate, position: number): OwnObject | undefined {
    const { templates } = this;
    // What seems to go on behind the bytes is not compared in vain.
    const seemsCut = end === -1 && bytes.length - at < this.lastSpan;
    const known = seemsCut ? this.valueEnd.of(bytes, at) : end;
    if (seemsCut && known === -1) return undefined;
    const isLarge = (known === -1 ? this.lastSpan : known - at) >= leastCompared;
    if (templates === undefined || !isLarge || bytes[at] !== openBrace) return this.parsed(bytes, at, known, position);
    const names = nameHash(bytes, at);
    const template = templates.find(names, known === -1 ? undefined : known - at);
    const found =
      (template && this.compared(templates, template, names, this.bytesOf(bytes), at, known, fate)) ??
      this.misfit(templates, template, names, bytes, at, known, fate, position);
    if (fate === 'gone') templates.forget(names);
    return found;
  }

  /**
   * Parses the objects that stand from `at` on, with commas between them: as many as are whole, at once.
   *
   * @returns undefined where it is better to compare them, where some may be another shard's, and where it is not certain that each of them is one: `read` reads
   * these.
   */
  readSeveral(bytes: Uint8Array, at: number): ReadObjects | undefined {
    if (!this.readsSeveral || bytes[at] !== openBrace) return undefined;
    const end = endOfLast(bytes, at);
    if (end === -1) return undefined;
    const found = parseItems(bytes.subarray(at, end));
    // What is cut within an object is no JSON.
    this.areEndsSeen = found !== undefined;
    if (found === undefined) return undefined;
    this.lastSpan = (end - at) / found.length;
    this.templates?.use.skipped();
    return { objects: found.map((object) => shapeParsed(this.typed(object), this.shape)), end };
  }

  private get readsSeveral(): boolean {
    const isPlain = this.lastSpan < leastCompared || this.templates?.isIdle === true;
    return isPlain && this.sieve === undefined && this.areEndsSeen;
  }

  /** Parses an object that was not like the template, if there was one. */
  private misfit(
    templates: Templates,
    template: Template | undefined,
    names: NameHash,
    bytes: Uint8Array,
    at: number,
    end: number,
    fate: Fate,
    position: number,
  ): OwnObject | undefined {
    const behind = end === -1 ? this.valueEnd.of(bytes, at) : end;
    if (behind === -1) return undefined;
    if (fate === 'gone') return this.parsed(bytes, at, behind, position);
    if (template !== undefined) templates.misfitted(template, names);
    if (fate !== 'changed') templates.count(names, fate === 'listed');
    if (!templates.wants(names, fate === 'listed')) return this.parsed(bytes, at, behind, position);
    const text = this.text.of(bytes, at, behind, this.isTyped(bytes, at));
    const object = this.objectOf(text, position + at);
    const shaped = shapeObject(this.typed(object), this.shape);
    if (shaped === object) templates.make(names, text, behind - at, object, fate === 'changed');
    this.lastSpan = behind - at;
    return { object: shaped, end: behind };
  }

  private parsed(bytes: Uint8Array, at: number, end: number, position: number): OwnObject | undefined {
    const behind = end === -1 ? this.valueEnd.of(bytes, at) : end;
    if (behind === -1) return undefined;
    const span = behind - at;
    const isSmall = span < leastCompared;
    const text = isSmall ? { bytes: bytes.subarray(at, behind), length: span } : this.text.of(bytes, at, behind, this.isTyped(bytes, at));
    const object = this.objectOf(text, position + at);
    this.lastSpan = span;
    return { object: shapeParsed(this.typed(object), this.shape), end: behind };
  }

  private objectOf({ bytes, length }: Pick<TemplateText, 'bytes' | 'length'>, position: number): Json {
    const what = this.isList ? 'an item of the list' : 'an object';
    const object = parseJson(bytes.subarray(0, length), what, position);
    if (!isRecord(object)) throw new DecodeError(`Expected ${what} to be an object, got something else`, position);
    return object;
  }

  /** The object with its type: a copy, where its text has none. */
  private typed(object: Json): Json {
    const { isList, shape } = this;
    const { kind, apiVersion } = object;
    if (!isList || ((kind ?? null) !== null && (apiVersion ?? null) !== null)) return object;
    const typed: Record<string, unknown> = { kind: shape.kind, apiVersion: shape.apiVersion, ...object };
    typed['kind'] ??= shape.kind;
    typed['apiVersion'] ??= shape.apiVersion;
    return typed;
  }

  private isTyped(json: Uint8Array, at: number): boolean {
    return !this.isList || this.text.isTyped(json, at);
  }

  /** Reads an object by comparing it; undefined when it is not like the template, or when it is not certain what it is. */
  private compared(
    templates: Templates,
    template: Template,
    names: NameHash,
    json: JsonBytes,
    at: number,
    end: number,
    fate: Fate,
  ): OwnObject | undefined {
    const { match, text } = this;
    const isTyped = this.isTyped(json.bytes, at);
    if (!isTyped && !standsAt(template.bytes, 0, text.prefix)) return undefined;
    const behind = match.read(template, isTyped ? 1 : text.prefix.length, json, at + 1);
    if (behind === -1 || (end !== -1 && behind !== end)) return undefined;
    const object = this.matchedObject(template);
    if (object === undefined) return undefined;
    if (fate === 'listed' || fate === 'added') templates.count(names, fate === 'listed');
    const shaped = shapeObject(object, this.shape);
    this.lastSpan = behind - at;
    if (shaped !== object) return { object: deepFreeze(shaped), end: behind };
    if (fate === 'gone') return { object, end: behind };
    const isStranger = templates.fitted(template, names, fate === 'changed', match, object, behind);
    const changes = fate === 'changed';
    if (isStranger && templates.wants(names, fate === 'listed') && !templates.derive(names, template, match, object, behind, changes)) {
      templates.make(names, text.of(json.bytes, at, behind, isTyped), behind - at, object, changes);
    }
    return { object, end: behind };
  }

  /** The object that was compared; undefined when it is not certain what it is. */
  private matchedObject(template: Template): Json | undefined {
    let object: Json | undefined;
    try {
      object = this.matched.of(template, this.match);
    } catch {
      // The parser says what is wrong, and where.
      return undefined;
    }
    if (!this.isList || object === undefined) return object;
    return typeof object['kind'] === 'string' && typeof object['apiVersion'] === 'string' ? object : undefined;
  }
}
