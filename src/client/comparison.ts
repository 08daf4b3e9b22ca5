import { endOfPlainValue, isPlain } from './endOfPlainValue.js';
import { endOfString, endOfValue } from './endOfValue.js';
import { SharedParts } from './sharedParts.js';

type Json = Readonly<Record<string, unknown>>;

/** What an object is within the object that is read. */
type Place = 'root' | 'metadata' | 'other';

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const digitZero = 0x30;
const digitNine = 0x39;

/** V8 keeps one copy of the shorter strings that it parses. */
const shortestShared = 11;
/** More digits may be rounded. */
const maxDigits = 15;
const maxDepth = 100;

/** Compared with when there is nothing to compare with. */
const nothing: Json = Object.freeze({});

/**
 * Compares the JSON of an object with an object that is probably similar, and finds the parts that are equal, and the `managedFields` to leave out.
 *
 * Equal means: the parser would certainly make the same of it, down to the order of the keys. That is found out for what API servers write most: ASCII
 * without escapes, integers, no white space. All else counts as different and is left to the parser: only where it ends is looked for.
 */
export class Comparison {
  readonly parts: SharedParts = new SharedParts();
  /** Whether all of the object equals the known one. */
  isSame = true;
  private readonly dropsManagedFields: boolean;
  private json: Uint8Array = new Uint8Array();
  private skipped = 0;
  private isWhole = false;
  private depth = 0;
  /** Where the value of the field begins whose key was read last. */
  private valueAt = 0;

  constructor(dropsManagedFields: boolean) {
    this.dropsManagedFields = dropsManagedFields;
  }

  /**
   * Reads the object that begins at `at`.
   *
   * @param known - the object to compare with.
   * @param skipped - how many fields of it, from the first on, the JSON lacks, and is to be given before it is parsed.
   * @param isWhole - whether `json` ends with the object.
   * @returns the index behind the object; -1 when it does not end, or is malformed.
   */
  read(json: Uint8Array, at: number, known: Json | undefined, skipped: number, isWhole: boolean): number {
    this.json = json;
    this.skipped = skipped;
    this.isWhole = isWhole;
    this.depth = 0;
    this.parts.count = 0;
    return json[at] === openBrace ? this.fields(at, known ?? nothing, '', 'root') : -1;
  }

  /** Returns the index behind the value; -1 when it does not end. */
  private value(at: number, known: unknown, key: string | number, place: Place): number {
    const first = this.json[at];
    let end = -1;
    if (typeof known === 'string') {
      end = this.endOfText(at, known);
      if (end !== -1 && known.length >= shortestShared) this.parts.share(at, end, key, known);
    } else if (typeof known === 'object' && known !== null) {
      if (this.depth < maxDepth) {
        if (first === openBrace && !Array.isArray(known)) return this.fields(at, known as Json, key, place);
        if (first === openBracket && Array.isArray(known)) return this.elements(at, known, key);
      }
    } else {
      end = typeof known === 'number' ? this.endOfNumber(at, known) : this.endOfWord(at, String(known));
    }
    return end === -1 ? this.different(at) : end;
  }

  private different(at: number): number {
    this.isSame = false;
    const end = endOfValue(this.json, at);
    return end === at ? -1 : end;
  }

  /** The index behind the string; -1 unless it is the known one. */
  private endOfText(at: number, known: string): number {
    const { json } = this;
    if (json[at] !== quote) return -1;
    const end = at + 1 + known.length;
    for (let next = at + 1, index = 0; next < end; next += 1, index += 1) {
      const byte = json[next] as number;
      if (byte !== known.charCodeAt(index) || isPlain[byte] !== 1) return -1;
    }
    return json[end] === quote ? end + 1 : -1;
  }

  /** The same for `true`, `false` and `null`. */
  private endOfWord(at: number, known: string): number {
    const { json } = this;
    for (let index = 0; index < known.length; index += 1) if (json[at + index] !== known.charCodeAt(index)) return -1;
    return at + known.length;
  }

  private endOfNumber(at: number, known: number): number {
    const { json } = this;
    let next = at;
    let number = 0;
    for (let byte = json[next] as number; byte >= digitZero && byte <= digitNine; byte = json[next] as number) {
      number = 10 * number + byte - digitZero;
      next += 1;
    }
    const digits = next - at;
    const isInteger = digits === 1 || (digits <= maxDigits && json[at] !== digitZero);
    // Zero is not minus zero.
    return digits > 0 && isInteger && Object.is(number, known) ? next : -1;
  }

  private fields(start: number, known: Json, ownKey: string | number, place: Place): number {
    const { json, isSame: wasSame } = this;
    const number = this.parts.begin(ownKey);
    const keys = Object.keys(known);
    let expected = place === 'root' ? this.skipped : 0;
    let count = expected;
    let isRegular = known !== nothing;
    let end = start + 1;
    let goesOn = json[end] !== closeBrace;
    this.isSame = true;
    this.depth += 1;
    while (goesOn) {
      const at = end;
      const key = keys[expected];
      const value = key === undefined ? -1 : this.behindKey(at, key, place);
      if (key !== undefined && value !== -1) {
        end = this.value(value, known[key], key, place === 'root' && key === 'metadata' ? 'metadata' : 'other');
        expected += 1;
        count += 1;
      } else {
        const name = this.keyAt(at);
        if (name === undefined) return -1;
        end = this.dropped(at, name, place);
        if (end === -1) {
          isRegular = false;
          const found = keys.indexOf(name, expected + 1);
          if (found !== -1) {
            // Those between are missing here.
            expected = found;
            continue;
          }
          end = this.newField(name, place);
          count += 1;
        }
      }
      if (end === -1) return -1;
      goesOn = json[end] === comma;
      if (goesOn) end += 1;
      else if (json[end] !== closeBrace) return -1;
    }
    this.isSame &&= isRegular && expected === keys.length;
    return this.close(number, start, end + 1, known, wasSame, isRegular || known === nothing ? 0 : count);
  }

  private elements(start: number, known: readonly unknown[], ownKey: string | number): number {
    const { json, isSame: wasSame } = this;
    const number = this.parts.begin(ownKey);
    let index = 0;
    let end = start + 1;
    let goesOn = json[end] !== closeBracket;
    this.isSame = true;
    this.depth += 1;
    while (goesOn) {
      end = index < known.length ? this.value(end, known[index], index, 'other') : this.different(end);
      if (end === -1) return -1;
      index += 1;
      goesOn = json[end] === comma;
      if (goesOn) end += 1;
      else if (json[end] !== closeBracket) return -1;
    }
    this.isSame &&= index === known.length;
    return this.close(number, start, end + 1, known, wasSame, 0);
  }

  /** Ends an object or array, and takes all of it from `known` when it is the same. */
  private close(number: number, start: number, end: number, known: object, wasSame: boolean, fields: number): number {
    this.depth -= 1;
    if (this.isSame) {
      this.parts.replace(number, start, end, known);
      this.isSame = wasSame;
    } else {
      this.parts.end(number, fields);
    }
    return end;
  }

  /** The index behind `"key":`; -1 when something else stands there. */
  private behindKey(at: number, key: string, place: Place): number {
    const end = this.endOfText(at, key);
    if (end === -1 || this.json[end] !== colon) return -1;
    return place === 'metadata' && this.isDropped(key) ? -1 : end + 1;
  }

  private isDropped(key: string): boolean {
    return this.dropsManagedFields && key === 'managedFields';
  }

  /** The bytes of the key that begins at `at`, as text; undefined where no key with a colon is. */
  private keyAt(at: number): string | undefined {
    const { json } = this;
    const end = json[at] === quote ? endOfString(json, at) : -1;
    if (end === -1 || json[end] !== colon) return undefined;
    this.valueAt = end + 1;
    let text = '';
    for (let next = at + 1; next < end - 1; next += 1) text += String.fromCharCode(json[next] as number);
    return text;
  }

  /** The index behind a field that is left out; -1 for one that is not. */
  private dropped(at: number, key: string, place: Place): number {
    if (place !== 'metadata' || !this.isDropped(key) || this.json[at - 1] !== comma) return -1;
    const end = endOfPlainValue(this.json, this.valueAt);
    if (end !== -1) this.parts.cut(at - 1, end);
    return end;
  }

  private newField(key: string, place: Place): number {
    const { json, valueAt } = this;
    if (place !== 'root' || key !== 'metadata' || json[valueAt] !== openBrace) return this.different(valueAt);
    const end = this.fields(valueAt, nothing, key, 'metadata');
    // There is nothing more to look for.
    return end !== -1 && this.isWhole ? json.length - 1 : end;
  }
}
