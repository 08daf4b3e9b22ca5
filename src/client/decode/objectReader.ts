import { entryOf } from '../../api/entryOf.js';
import { isJsonObject } from '../../api/json.js';
import { DecodeError } from '../../api/errors/decodeError.js';
import { deepFreeze } from '../../api/deepFreeze.js';
import { withUnread } from '../../api/unreadFields.js';
import { type FieldRange, Outline } from './outline.js';
import { asciiOf, parseJson } from '../parseJson.js';
import { type ItemShape, shapeObject } from './objectShape.js';
import { ShardSieve } from './shardSieve.js';
import { standsAt, ValueEnd } from './scan.js';
import { TemplateObject } from './templateObject.js';
import { MatchedObject, maxTemplateBytes, type Template, Templates } from './templates.js';
import { vectorScan, type VectorScan } from './vectorScan.js';

const templateObjects = new TemplateObject();

const memories = new WeakMap<object, Map<string, Templates>>();

/** The templates of one owner (`sharedBy`) for objects of this shape. */
function templatesOf(owner: object, { apiVersion, kind, managedFields, scope = '' }: ItemShape): Templates {
  const known = memories.get(owner) ?? new Map<string, Templates>();
  memories.set(owner, known);
  const key = `${apiVersion} ${kind} ${managedFields} ${scope}`;
  return entryOf(known, key, () => new Templates());
}

const openBrace = 0x7b;
const zero = 0x30;
const bracket = new TextEncoder().encode('{');
const nothing: readonly FieldRange[] = [];

/** Whether objects read for the same owner share equal parts, and are frozen. */
export const readsShared: boolean = true;

/** Why an object is read: it was listed or ADDED (`new`), MODIFIED (`changed`), or DELETED (`gone`). */
export type Fate = 'new' | 'changed' | 'gone';

type Json = Readonly<Record<string, unknown>>;

/** How an object is read: compared with templates, parsed but for its large fields, or parsed. */
type Way = 'compare' | 'leave' | 'parse';

/** Comparing a smaller object takes longer than parsing it. */
const minCompared = 2_500;
/** Fields are left unread in objects of at least this size, if their values have at least `minField` bytes. */
const minUnread = 4_000;
const minField = 1_000;
/** If a smaller share of an object than this is left out, parsing the whole object is faster than scanning it. */
const minLeftOut = 1 / 24;
/** How many objects are then parsed whole before one is scanned again. */
const unscannedObjects = 31;

/**
 * Reads objects out of their JSON.
 *
 * Large objects are compared with the JSON of objects read before, as long as that pays off, and only the differences are parsed. Such objects share their
 * equal parts with those. All that is shared is frozen deeply; objects that share nothing are not frozen.
 *
 * The result is always what `JSON.parse` gives: wherever the reader is not certain, it parses.
 */
export class ObjectReader {
  /** Finds the ends of values. */
  readonly valueEnd: ValueEnd;
  /** Where the last object read ended; -1 when it continues in the next chunk. */
  end = -1;
  private readonly templates: Templates | undefined;
  private readonly shape: ItemShape;
  private readonly isList: boolean;
  /** JSON of `kind` and `apiVersion`, put before the fields of an item without them. */
  private readonly prefix: Uint8Array;
  private readonly scan: VectorScan | undefined = vectorScan();
  private readonly outline: Outline | undefined;
  private readonly sieve: ShardSieve | undefined;
  private readonly matched = new MatchedObject();
  private scratch = new Uint8Array(16_384);
  /** How many of the next objects are parsed without a scan if they are not compared. */
  private unscanned = 0;

  /**
   * @param isList - whether the objects are items of a list: items without a type get the shape's, as their first fields.
   * @param sharedBy - the owner, for example a cache, whose objects share equal parts. Without it, objects share nothing.
   */
  constructor(shape: ItemShape, isList: boolean, sharedBy: object | undefined) {
    const { apiVersion, kind, shard } = shape;
    this.shape = shape;
    this.valueEnd = new ValueEnd(this.scan);
    this.isList = isList;
    this.prefix = new TextEncoder().encode(`{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},`);
    this.outline = this.scan && new Outline(shape, this.scan);
    this.sieve = shard && new ShardSieve(shard);
    this.templates = sharedBy && templatesOf(sharedBy, shape);
  }

  /**
   * Reads the object that begins at `at`.
   *
   * @param known - where it ends; -1 when that is not known.
   * @param position - its position in the body, for errors.
   * @returns undefined for an object of another shard, and when it continues in the next chunk.
   * @throws DecodeError when it is not an object.
   */
  read(bytes: Uint8Array, at: number, known: number, fate: Fate, position: number): Json | undefined {
    const { sieve, outline, templates } = this;
    let way = known === -1 ? undefined : this.wayOf(known - at);
    if (way === 'parse' && sieve === undefined && this.unscanned > 0) {
      this.unscanned -= 1;
      this.end = known;
      return this.plain(bytes.subarray(at, known), position);
    }
    const found = this.valueEnd.of(bytes, at);
    const end = (this.end = known === -1 ? found : known);
    if (end === -1) return undefined;
    const isRegular = bytes[at] === openBrace && found === end && outline?.read(bytes, at, end - at >= minCompared) === true;
    if (isRegular && sieve?.isForeignAt(bytes, outline.shardAt) === true) return undefined;
    const isSettled = isRegular && outline.settle(bytes, end);
    const leftOut = isSettled ? outline.cutEnd - outline.cutStart : 0;
    this.unscanned = leftOut < minLeftOut * (end - at) ? unscannedObjects : 0;
    const length = end - at - leftOut;
    way ??= this.wayOf(end - at);
    if (way === 'compare' && isSettled && (outline.isText(length) || length > maxTemplateBytes)) {
      templates?.passOver();
      way = this.isLeftUnread(end - at) ? 'leave' : 'parse';
    }
    const object = isSettled
      ? ((way === 'leave' ? this.leftUnread(outline, bytes, at, end, fate, position) : undefined) ??
        this.readOwn(outline, bytes, at, end, fate, position, way === 'compare'))
      : this.plain(bytes.subarray(at, end), position);
    return this.isForeign(object) ? undefined : object;
  }

  /** Whether a parsed object belongs to another shard. */
  isForeign(object: Json): boolean {
    return this.sieve?.isForeign(object) === true;
  }

  /** Reads an object with `JSON.parse`. */
  plain(json: Uint8Array, position: number): Json {
    return shapeObject(this.typed(this.parsed(json, position)), this.shape);
  }

  private wayOf(length: number): Way {
    if (length >= minCompared && this.templates?.isOfUse() === true) return 'compare';
    return this.isLeftUnread(length) ? 'leave' : 'parse';
  }

  /** Whether large fields of an object of this length are left unread. */
  private isLeftUnread(length: number): boolean {
    return length >= minUnread && !this.shape.metadataOnly && this.templates?.unread.isOfUse(this.isList) === true;
  }

  /** Reads all but the large fields of an object; undefined where it has none, or where they may be invalid. */
  private leftUnread(outline: Outline, bytes: Uint8Array, at: number, end: number, fate: Fate, position: number): Json | undefined {
    const templates = this.templates as Templates;
    const ranges = outline.largeFields(bytes, end, minField);
    if (ranges.length === 0 || !ranges.every(({ start, end: to }) => outline.scan.isPlain(start, to))) {
      templates.unread.pass();
      return undefined;
    }
    const head = this.parsed(this.textOf(outline, bytes, at, end, ranges), position);
    // Duplicate keys: the parser keeps the last value, which may differ from the one left unread.
    const isRegular = Object.keys(head).length === outline.outerFields + (this.isList && !outline.isTyped ? 2 : 0);
    if (!isRegular || Object.hasOwn(head, '__proto__') || !isJsonObject(head['metadata'])) return undefined;
    const texts = new Map(ranges.map(({ key, start, end: to }) => [key, asciiOf(bytes.subarray(start, to))]));
    const { namespace, name }: Json = head['metadata'];
    const key = `${String(namespace)}/${String(name)}`;
    const fields = templates.unread.fieldsOf(key, texts, this.isList);
    if (fate === 'gone') templates.unread.forget(key);
    this.unscanned = 0;
    return withUnread(head, fields);
  }

  private readOwn(outline: Outline, bytes: Uint8Array, at: number, end: number, fate: Fate, position: number, isCompared: boolean): Json {
    const { templates } = this;
    if (templates === undefined || !isCompared) {
      const shared = end - at >= minCompared ? templates && this.sharing(outline, templates, end - at) : undefined;
      if (end - at >= minCompared) templates?.pass(outline);
      return this.shaped(shared ?? this.parsed(this.textOf(outline, bytes, at, end), position));
    }
    const template = templates.find(outline);
    const object = template && this.compared(outline, template);
    const changes = fate === 'changed';
    if (fate === 'gone') templates.forget(outline);
    else if (object !== undefined)
      templates.fitted(template as Template, outline, object, () => this.textOf(outline, bytes, at, end), changes);
    else if (template !== undefined) templates.misfitted(template, outline);
    if (object !== undefined) return this.shaped(object);
    const shared = this.sharing(outline, templates, end - at);
    const text = this.textOf(outline, bytes, at, end);
    const parsed = shared ?? this.parsed(text, position);
    const isWanted = fate !== 'gone' && templates.wants(outline, changes);
    // Templates identify fields by their position, so duplicate keys are not allowed. They show in the count of quotes, since the parser keeps only the last value.
    if (isWanted && (shared !== undefined || (templateObjects.settle(parsed) && templateObjects.marks === outline.form))) {
      templates.make(outline, text, parsed, changes);
    }
    return this.shaped(parsed);
  }

  /** Reads the object scanned last if it shares elements with others; undefined if not. */
  private sharing(outline: Outline, templates: Templates, length: number): Json | undefined {
    if (!templates.sharesElements()) return undefined;
    const { isList, prefix } = this;
    const { scan } = outline;
    const object = templateObjects.read(scan, isList && !outline.isTyped ? prefix : bracket, outline);
    templates.shared(object === undefined ? 0 : 1 - (scan.text.length + outline.cutEnd - outline.cutStart) / length);
    return object;
  }

  /** Applies `metadataOnly` to an object that was read without managedFields. */
  private shaped(object: Json): Json {
    if (!this.shape.metadataOnly) return object;
    const shaped = shapeObject(object, this.shape);
    return this.templates === undefined ? shaped : deepFreeze(shaped);
  }

  /** The JSON of the object with its type, without the range to leave out, and with `0` in place of each unread field. The memory is reused. */
  private textOf(outline: Outline, json: Uint8Array, at: number, end: number, unread: readonly FieldRange[] = nothing): Uint8Array {
    const { prefix } = this;
    const cut = { start: outline.cutStart, end: outline.cutEnd };
    const isTyped = !this.isList || outline.isTyped;
    if (cut.start === cut.end && isTyped && unread.length === 0) return json.subarray(at, end);
    const most = prefix.length + end - at;
    if (this.scratch.length < most) this.scratch = new Uint8Array(2 * most);
    const { scratch } = this;
    if (!isTyped) scratch.set(prefix);
    let from = isTyped ? at : at + 1;
    let length = isTyped ? 0 : prefix.length;
    for (const gap of unread.length === 0 ? [cut] : [...unread, cut].sort((one, other) => one.start - other.start)) {
      scratch.set(json.subarray(from, gap.start), length);
      length += gap.start - from;
      if (gap !== cut) {
        scratch[length] = zero;
        length += 1;
      }
      from = gap.end;
    }
    scratch.set(json.subarray(from, end), length);
    return scratch.subarray(0, length + end - from);
  }

  /** Throws where the bytes are no object. The decoder of a watch catches that, parses the whole line, and reports the error of the line. */
  private parsed(json: Uint8Array, position: number): Json {
    const what = this.isList ? 'an item of the list' : 'an object';
    const object = parseJson(json, what, position);
    if (!isJsonObject(object)) throw new DecodeError(`Expected ${what} to be an object, got something else`, position);
    return object;
  }

  /** The object with its type: a copy if its JSON has none. */
  private typed(object: Json): Json {
    const { isList, shape } = this;
    const { kind, apiVersion } = object;
    if (!isList || ((kind ?? null) !== null && (apiVersion ?? null) !== null)) return object;
    const typed: Record<string, unknown> = { kind: shape.kind, apiVersion: shape.apiVersion, ...object };
    typed['kind'] ??= shape.kind;
    typed['apiVersion'] ??= shape.apiVersion;
    return typed;
  }

  /** Reads an object by comparing it; undefined when it does not fit the template, or when its JSON may be invalid. */
  private compared(outline: Outline, template: Template): Json | undefined {
    const { isList, prefix } = this;
    const { scan } = outline;
    const isTyped = !isList || outline.isTyped;
    if (!isTyped && !standsAt(template.bytes, 0, prefix)) return undefined;
    const count = scan.compare(template, isTyped ? 1 : prefix.length, isTyped ? 0 : 2, outline);
    if (count < 0) return undefined;
    let object: Json | undefined;
    try {
      object = this.matched.of(template.object, count, scan);
    } catch {
      // The parser's error says what is wrong, and where.
      return undefined;
    }
    return !isList || (typeof object?.['kind'] === 'string' && typeof object['apiVersion'] === 'string') ? object : undefined;
  }
}
