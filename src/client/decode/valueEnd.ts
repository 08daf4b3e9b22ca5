import { closesNested, endsScalar, opensNested } from './endOfValue.js';

const quote = 0x22;
const backslash = 0x5c;

/** No bracket or brace comes before it. */
const firstBracket = 0x5b;

const wordBytes = 4;
const quotes = 0x22222222;
const lowBits = 0x01010101;
const highBits = 0x80808080;

/** The index of the first quote from `at` on; the length of the JSON, or more, when there is none. */
function nextQuote(json: Uint8Array, view: DataView, at: number): number {
  const lastTwo = json.length - 2 * wordBytes;
  let next = at;
  for (; next <= lastTwo; next += 2 * wordBytes) {
    const one = view.getInt32(next, true) ^ quotes;
    const two = view.getInt32(next + wordBytes, true) ^ quotes;
    const inOne = (one - lowBits) & ~one & highBits;
    const inTwo = (two - lowBits) & ~two & highBits;
    // The lowest of these bits stands for the first byte of the word that is a quote.
    if (inOne !== 0) return next + ((31 - Math.clz32(inOne & -inOne)) >> 3);
    if (inTwo !== 0) return next + wordBytes + ((31 - Math.clz32(inTwo & -inTwo)) >> 3);
  }
  while (next < json.length && json[next] !== quote) next += 1;
  return next;
}

/** Whether the byte at `at` is escaped, in a string that goes on at `start` with a byte that is not. */
function isEscapedAt(json: Uint8Array, start: number, at: number): boolean {
  let before = at - 1;
  while (before >= start && json[before] === backslash) before -= 1;
  // An even number of backslashes are all escaped themselves.
  return ((at - before) & 1) === 0;
}

/** The index of the quote that ends the string that goes on at `at`; the length of the JSON, or more, when there is none. */
function closingQuote(json: Uint8Array, view: DataView, at: number): number {
  let next = nextQuote(json, view, at);
  while (next < json.length && json[next - 1] === backslash && isEscapedAt(json, at, next)) next = nextQuote(json, view, next + 1);
  return next;
}

/**
 * Finds the end of a JSON value whose bytes may come in several parts, each of which is looked at once.
 *
 * It knows strings and nesting; whether the value is valid is for the parser to say. Strings are most of what there is: eight bytes of them are looked at together.
 */
export class ValueEnd {
  /** What the value is, and where in it the bytes before ended. */
  private isScalar = false;
  private open = 0;
  private isInString = false;
  private isEscaped = false;

  /**
   * The index behind the value that begins at `at`: `at` itself where no value begins, -1 when it goes on behind these bytes. A number or a literal has to be
   * followed by something.
   */
  of(json: Uint8Array, at: number): number {
    const first = json[at] as number;
    this.isScalar = first !== quote && !opensNested(first);
    return this.isScalar ? this.endOfScalar(json, at) : this.find(json, at, 0, false);
  }

  /** The index behind the object or array that lies around `at`, so many of them being open there; -1 when it goes on behind these bytes. */
  around(json: Uint8Array, at: number, open: number): number {
    this.isScalar = false;
    return this.find(json, at, open, false);
  }

  /** The index behind the value that goes on with these bytes; -1 when it goes on behind them, too. */
  next(json: Uint8Array): number {
    if (json.length === 0) return -1;
    if (this.isScalar) return this.endOfScalar(json, 0);
    return this.find(json, this.isEscaped ? 1 : 0, this.open, this.isInString);
  }

  private find(json: Uint8Array, at: number, open: number, startsInString: boolean): number {
    const { length } = json;
    const view = new DataView(json.buffer, json.byteOffset, length);
    let depth = open;
    let next = at;
    let string = at;
    if (startsInString) next = closingQuote(json, view, at) + 1;
    const isString = startsInString && open === 0;
    while (next < length && !isString) {
      const byte = json[next] as number;
      next += 1;
      if (byte === quote) {
        string = next;
        next = closingQuote(json, view, next) + 1;
      } else if (byte < firstBracket) {
        continue;
      } else if (opensNested(byte)) {
        depth += 1;
      } else if (closesNested(byte)) {
        depth -= 1;
      }
      if (depth === 0) break;
    }
    if (next <= length && depth === 0) return next;
    this.open = depth;
    this.isInString = next > length;
    this.isEscaped = next > length && isEscapedAt(json, string, length);
    return -1;
  }

  private endOfScalar(json: Uint8Array, at: number): number {
    for (let next = at; next < json.length; next += 1) if (endsScalar(json[next] as number)) return next;
    return -1;
  }
}
