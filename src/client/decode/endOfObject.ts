import { closesNested, opensNested } from './endOfValue.js';

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
  const lastWord = json.length - wordBytes;
  let next = at;
  for (; next <= lastWord; next += wordBytes) {
    const differing = view.getInt32(next, true) ^ quotes;
    const found = (differing - lowBits) & ~differing & highBits;
    // The lowest of these bits stands for the first of the four bytes that is a quote.
    if (found !== 0) return next + ((31 - Math.clz32(found & -found)) >> 3);
  }
  while (next < json.length && json[next] !== quote) next += 1;
  return next;
}

/** The index of the quote that ends the string that goes on at `at`; the length of the JSON, or more, when there is none. */
function closingQuote(json: Uint8Array, view: DataView, at: number): number {
  for (let next = nextQuote(json, view, at); ; next = nextQuote(json, view, next + 1)) {
    if (next >= json.length || json[next - 1] !== backslash) return next;
    let before = next - 1;
    while (json[before] === backslash) before -= 1;
    // An even number of backslashes are all escaped themselves.
    if (((next - before) & 1) === 1) return next;
  }
}

/**
 * The index behind the object or array that lies around `at`, so many of them being open there; -1 when it does not end. The same as `endOfNested`, in two thirds of
 * the time: for objects of which nothing else is looked at.
 */
export function endOfObject(json: Uint8Array, at: number, open: number): number {
  const { length } = json;
  const view = new DataView(json.buffer, json.byteOffset, length);
  let depth = open;
  for (let next = at; next < length; next += 1) {
    const byte = json[next] as number;
    if (byte === quote) next = closingQuote(json, view, next + 1);
    else if (byte < firstBracket) continue;
    else if (opensNested(byte)) depth += 1;
    else if (closesNested(byte)) {
      depth -= 1;
      if (depth === 0) return next + 1;
    }
  }
  return -1;
}
