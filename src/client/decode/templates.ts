import { deepFreeze } from '../../api/deepFreeze.js';
import { parseJson } from '../parseJson.js';
import { mixed, type Names } from './outline.js';
import { UnreadObjects } from './unreadObjects.js';
import type { TemplateText, VectorScan } from './vectorScan.js';

type Json = Readonly<Record<string, unknown>>;

/** Room for later versions that are a little longer. */
const spareBytes = 64;

/**
 * An object with its JSON, to compare the JSON of other objects with before they are parsed.
 *
 * The object is frozen deeply, so that it always equals its JSON. A later version replaces both.
 */
export class Template implements TemplateText, Names {
  object: Json;
  /** The hashes of its name, family and form (see `Names`). Its versions share them. */
  readonly name: number;
  readonly family: number;
  readonly form: number;
  readonly bytes: Uint8Array;
  length: number;

  /** Its keys in `Templates`. */
  readonly keys: number[] = [];
  /** Whether an object fitted since old templates were last dropped. */
  isUsed = true;

  /** @param text - copied. */
  constructor(object: Json, { family, form, name }: Names, text: Uint8Array) {
    this.object = object;
    this.name = name;
    this.family = family;
    this.form = form;
    this.bytes = new Uint8Array(text.length + spareBytes);
    this.length = text.length;
    this.bytes.set(text);
  }

  /** Its size in bytes, estimated. */
  get size(): number {
    return this.bytes.length + 500;
  }

  /** Replaces its object and JSON by those of a later version. Returns false if the text does not fit into its memory. */
  advance(object: Json, text: Uint8Array): boolean {
    if (text.length > this.bytes.length) return false;
    this.object = object;
    this.length = text.length;
    this.bytes.set(text);
    return true;
  }
}

/** Memory for templates, in bytes. When it is full, no new template is made before an old one is dropped. */
const maxBytes = 32 * 1024 * 1024;
/** Unused templates are dropped after 1,024 objects, or after two objects for each template, whichever is more. */
const minAge = 1_024;
/** Slots for hashes of names and families that were seen with a form. */
const seenSlots = 16_384;

/**
 * Points for the score. `fit`: an object fitted. `misfit`: an object did not fit its own earlier version. `keptForm`: an object that was not compared kept
 * its form. Any other object costs 1 point. At a score of 0 or less, templates do not pay off for this type, and only one object in `sampled` is scanned.
 */
const fit = 8;
const misfit = -32;
const keptForm = 1;
const firstScore = 24;
const maxScore = 1_024;
const minScore = -64;
const sampled = 32;

/**
 * Searching an object for known elements pays off if at least this share of its bytes need not be parsed. While that is rare, only one object in `rarely` is
 * searched.
 */
const minShared = 1 / 4;
const firstShared = 16;
const maxShared = 32;
const rarely = 16;

/** The longest JSON of a template, in bytes: the scanning module has room for this and the spare bytes. */
export const maxTemplateBytes: number = 0xffff;

/**
 * The templates of one type, by name, by family and form, and by form alone.
 *
 * Objects of the same form have the same number of parts, so most of them differ only in strings and numbers.
 */
export class Templates {
  readonly unread: UnreadObjects = new UnreadObjects();
  /** Least recently used first. A template may have several keys. */
  private readonly kept = new Map<number, Template>();
  private bytes = 0;
  private readonly seen = new Int32Array(seenSlots);
  private score = firstScore;
  /** Whether `keptForm` counts. False once misfits have brought the score to 0, until an object fits its own template again. */
  private countsForms = true;
  /** How many objects were read since old templates were last dropped. */
  private reads = 0;
  private leftOut = 0;
  /** Rises by 2 with each object that shared at least `minShared`, and falls by 1 with any other. Above 0, every object is searched. */
  private sharing = firstShared;
  private unshared = 0;

  /** Whether to scan and compare the next object instead of only parsing it. Counts the object. */
  isOfUse(): boolean {
    if ((this.reads += 1) > Math.max(minAge, 2 * this.kept.size)) this.dropUnused();
    if (this.score > 0) return true;
    this.leftOut += 1;
    return this.leftOut % sampled === 0;
  }

  /** Whether to search the next object for known elements. Counts the object. */
  sharesElements(): boolean {
    if (this.sharing > 0) return true;
    this.unshared += 1;
    return this.unshared % rarely === 0;
  }

  /** Records the share of an object's bytes that its shared elements had. */
  shared(part: number): void {
    this.sharing = Math.max(-rarely, Math.min(maxShared, this.sharing + (part < minShared ? -1 : 2)));
  }

  /** Notes an object that was not scanned for a template: its name and form. */
  pass({ form, name }: Names): void {
    this.wasSeen(mixed(name, form));
  }

  /** Notes an object that is mostly text or too long for a template, and is not compared. */
  passOver(): void {
    if (this.score > 0) this.count(-1);
  }

  /** The template to compare an object with. */
  find({ name, family, form }: Names): Template | undefined {
    const { kept } = this;
    const own = kept.get(name);
    return own?.form === form ? own : (kept.get(mixed(family, form)) ?? kept.get(form));
  }

  /** Records an object that fitted the template: a later version of the template's object, or a sibling, which may get a template of its own. */
  fitted(template: Template, outline: Names, object: Json, textOf: () => Uint8Array, changes: boolean): void {
    const { family, form, name } = outline;
    template.isUsed = true;
    this.count(fit);
    if (template.name === name) this.countsForms = true;
    if (changes && template.name === name && !template.advance(object, textOf())) this.drop(template);
    const key = mixed(family, form);
    if (template.name === name || template.form !== form || this.kept.has(key)) return;
    if (template.family === family) {
      this.keep(key, template);
      return;
    }
    // Siblings are neighbours in a list.
    const wasSeen = this.wasSeen(key);
    if ((!wasSeen && changes) || !this.hasRoom(template.size)) return;
    const text = textOf();
    if (text.length > maxTemplateBytes) return;
    const sibling = new Template(object, outline, text);
    this.keep(form, sibling);
    if (wasSeen) this.keep(key, sibling);
  }

  /** The object did not fit the template. */
  misfitted(template: Template, { name }: Names): void {
    if (template.name !== name) return;
    this.drop(template);
    this.count(misfit);
    if (this.score <= 0) this.countsForms = false;
  }

  /**
   * Whether to make a template of an object that fitted none: of the second object of a family and form, and of a changed object that is seen with its form
   * for the second time. While templates pay off, also of any changed object and of the first object of a form.
   */
  wants({ family, form, name }: Names, changes: boolean): boolean {
    const { kept } = this;
    const key = mixed(family, form);
    const hasForm = this.wasSeen(mixed(name, form));
    const hasSibling = this.wasSeen(key);
    if (changes && hasForm && this.countsForms) this.count(keptForm);
    else if (this.score > 0) this.count(-1);
    if (changes ? hasForm || hasSibling : hasSibling && !kept.has(key)) return true;
    // While templates do not pay off, an object unlike any seen before gets none.
    return this.score > 0 && (changes || !kept.has(form));
  }

  private count(points: number): void {
    this.score = Math.max(minScore, Math.min(maxScore, this.score + points));
  }

  /** Whether a hash was seen before; remembers it. False negatives are possible: hashes share slots, and the later one overwrites. */
  private wasSeen(key: number): boolean {
    const slot = key % seenSlots;
    const wasSeen = this.seen[slot] === key;
    this.seen[slot] = key;
    return wasSeen;
  }

  /** Makes a template of an object that is frozen. */
  make(outline: Names, text: Uint8Array, object: Json, changes: boolean): void {
    const { family, form, name } = outline;
    const key = mixed(family, form);
    if (text.length > maxTemplateBytes || !this.hasRoom(text.length)) return;
    const template = new Template(object, outline, text);
    const isShape = !this.kept.has(key);
    if (isShape) this.keep(key, template);
    if (isShape) this.keep(form, template);
    if (changes) this.keep(name, template);
  }

  /** Drops the template of a deleted object. */
  forget({ family, form, name }: Names): void {
    for (const template of [this.kept.get(name), this.kept.get(mixed(family, form))]) if (template?.name === name) this.drop(template);
  }

  private keep(key: number, template: Template): void {
    const before = this.kept.get(key);
    if (before !== undefined) this.remove(key, before);
    if (template.keys.length === 0) this.bytes += template.size;
    template.keys.push(key);
    this.kept.set(key, template);
  }

  private remove(key: number, template: Template): void {
    this.kept.delete(key);
    template.keys.splice(template.keys.indexOf(key), 1);
    if (template.keys.length === 0) this.bytes -= template.size;
  }

  private drop(template: Template): void {
    for (const key of [...template.keys]) this.remove(key, template);
  }

  private dropUnused(): void {
    this.reads = 0;
    const all = new Set(this.kept.values());
    for (const template of all) {
      if (!template.isUsed) this.drop(template);
      template.isUsed = false;
    }
  }

  private hasRoom(added: number): boolean {
    return this.bytes + added <= maxBytes;
  }
}

/** V8 already keeps one copy of shorter strings that it parses. */
const shortest = 11;
const slots = 1024;
/** Strings are hashed by their length and their last 8 characters. Of two strings with the same hash, the later one replaces the earlier one. */
const lastCharacters = 8;

type Parts = Record<string | number, unknown>;

function copyOf(value: Parts): Parts {
  return (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Parts;
}

/** An integer key: JavaScript objects order these first, whatever their order in the JSON. */
const integer = /^(0|[1-9]\d*)$/;

/** The key of a field or element by its number in the text; undefined where that is not certain. A loop allocates no keys. */
function keyOf(parts: Readonly<Parts>, number: number): string | number | undefined {
  if (Array.isArray(parts)) return number;
  let before = number;
  for (const key in parts) {
    if (before === number && key < ':' && integer.test(key)) return undefined;
    if (before === 0) return key;
    before -= 1;
  }
  return undefined;
}

/**
 * Builds an object from a template and the values that differ. The object is frozen deeply, since it shares everything else with the template.
 */
export class MatchedObject {
  /**
   * The strings that were read last, so that equal ones share memory: times, addresses and names are repeated in an object and in its neighbours.
   * Saves a tenth of the heap of a list of pods, and costs less than a tenth of the time of one event of a rollout.
   */
  private readonly strings = new Array<string>(slots).fill('');
  /** The copied objects and arrays on the way to the value being replaced, outermost first. */
  private readonly copies: Parts[] = [];

  /**
   * Builds the object that has just been compared with the template, and differs in `count` values.
   *
   * @returns undefined when the comparison cannot prove that the JSON is valid, or where a value belongs.
   * @throws DecodeError when it is not valid.
   */
  of(template: Json, count: number, { text, ways }: VectorScan): Json | undefined {
    if (count === 0) return template;
    const { copies } = this;
    const found = parseJson(text, 'an object', 0) as readonly unknown[];
    if (found.length !== count) return undefined;
    copies[0] = { ...template };
    let open = 0;
    let before = 0;
    let way = 1;
    for (let at = 0; at < count; at += 1) {
      const depth = ways[way - 1] as number;
      let shared = 0;
      while (shared < open && shared < depth && ways[before + shared] === ways[way + shared]) shared += 1;
      for (; open > shared; open -= 1) Object.freeze(copies[open]);
      for (; open <= depth; open += 1) {
        const around = copies[open] as Parts;
        const key = keyOf(around, ways[way + open] as number);
        if (key === undefined) return undefined;
        if (open < depth) around[key] = copies[open + 1] = copyOf(around[key] as Parts);
        else around[key] = this.shared(found[at]);
      }
      open = depth;
      before = way;
      way += depth + 2;
    }
    for (; open >= 0; open -= 1) Object.freeze(copies[open]);
    return copies[0];
  }

  /** The equal string read before, else the value itself, frozen. */
  private shared(part: unknown): unknown {
    if (typeof part !== 'string') return deepFreeze(part);
    const { length } = part;
    if (length < shortest) return part;
    let hash = length;
    for (let at = length - lastCharacters; at < length; at += 1) hash = (Math.imul(hash, 31) + part.charCodeAt(at)) | 0;
    const slot = (hash ^ (hash >>> 10)) & (slots - 1);
    const known = this.strings[slot] as string;
    if (known === part) return known;
    this.strings[slot] = part;
    return part;
  }
}
