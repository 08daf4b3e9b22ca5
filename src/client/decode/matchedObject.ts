import { deepFreeze } from '../../api/deepFreeze.js';
import { parseJson } from './parseObject.js';
import type { TemplateMatch } from './templateMatch.js';

const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** Below this length, copying byte by byte is faster than `set`. */
const shortPiece = 40;

/**
 * Parses all values in which an object differs from a template with one `JSON.parse`.
 */
class DifferenceParser {
  private text = new Uint8Array(16_384);
  private written = 0;

  /**
   * Returns undefined when the parser found another number of values than the comparison did.
   *
   * @throws DecodeError when the values are not valid JSON.
   */
  parse({ count, ends, json, starts }: TemplateMatch): readonly unknown[] | undefined {
    this.written = 0;
    if (count === 0) return [];
    for (let at = 0; at < count; at += 1) {
      this.write(json.bytes, starts[at] as number, ends[at] as number, at === 0 ? openBracket : comma);
    }
    this.text[this.written] = closeBracket;
    const found = parseJson(this.text.subarray(0, this.written + 1), 'an object', 0) as readonly unknown[];
    return found.length === count ? found : undefined;
  }

  private write(from: Uint8Array, start: number, end: number, before: number): void {
    const length = end - start;
    if (this.written + length + 2 > this.text.length) this.grow(length);
    const { text } = this;
    let { written } = this;
    text[written] = before;
    written += 1;
    // mutation comparison, condition: equivalent but for time
    if (length > shortPiece) text.set(from.subarray(start, end), written);
    else for (let at = start, to = written; at < end; at += 1, to += 1) text[to] = from[at] as number;
    this.written = written + length;
  }

  private grow(length: number): void {
    const larger = new Uint8Array(2 * (this.text.length + length));
    larger.set(this.text);
    this.text = larger;
  }
}

/** V8 already keeps one copy of shorter strings that it parses. */
const shortest = 11;
const slots = 1024;
/** Strings are hashed by their length and their last 8 characters: of two with the same length and ending, the later one replaces the other. */
const lastCharacters = 8;

/**
 * Keeps the strings that were read last, so that equal ones become one: times, addresses and names come several times in an object and in its neighbours.
 * Saves a tenth of the heap of a list of pods, and costs less than a tenth of the time of one event of a rollout.
 */
class StringTable {
  private readonly strings = new Array<string>(slots).fill('');

  /** The equal string read before, else this one. */
  // mutation arithmetic, statement: equivalent but for memory: other pairs of strings replace each other in the table
  shared(string: string): string {
    const { length } = string;
    // mutation comparison, condition: equivalent but for time
    if (length < shortest) return string;
    let hash = length;
    // mutation condition: equivalent but for memory: only the length is hashed, and strings of one length replace each other in the table
    for (let at = length - lastCharacters; at < length; at += 1) hash = (Math.imul(hash, 31) + string.charCodeAt(at)) | 0;
    const slot = (hash ^ (hash >>> 10)) & (slots - 1);
    const known = this.strings[slot] as string;
    if (known === string) return known;
    this.strings[slot] = string;
    return string;
  }
}

type Json = Readonly<Record<string, unknown>>;
type Parts = Record<string | number, unknown>;

function copyOf(value: Parts): Parts {
  return (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Parts;
}

/** A key that is a number: objects have those first, whatever the order of the text. */
const integer = /^(0|[1-9]\d*)$/;

/** The key of a field or element by its number in the text; undefined where that is not certain. A loop allocates no keys. */
function keyOf(parts: Readonly<Parts>, number: number): string | number | undefined {
  if (Array.isArray(parts)) return number;
  let before = number;
  for (const key in parts) {
    // mutation comparison, condition: equivalent but for time
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
  private readonly parser = new DifferenceParser();
  private readonly strings = new StringTable();
  /** The copied objects and arrays on the way to the value being replaced, outermost first. */
  // mutation list: equivalent: each element is written before it is read
  private readonly copies: Parts[] = [];

  /**
   * Builds the object that was compared with the template.
   *
   * @returns undefined when the comparison cannot prove that the JSON is valid, or where a value belongs.
   * @throws DecodeError when it is not valid.
   */
  of(template: Json, match: TemplateMatch): Json | undefined {
    const { copies } = this;
    const { count, depths, ways } = match;
    const found = this.parser.parse(match);
    if (found === undefined) return undefined;
    if (count === 0) return template;
    copies[0] = { ...template };
    let open = 0;
    let before = 0;
    let way = 0;
    for (let at = 0; at < count; at += 1) {
      const depth = depths[at] as number;
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
      way += depth + 1;
    }
    for (; open >= 0; open -= 1) Object.freeze(copies[open]);
    return copies[0];
  }

  private shared(part: unknown): unknown {
    return typeof part === 'string' ? this.strings.shared(part) : deepFreeze(part);
  }
}
