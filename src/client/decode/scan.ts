import type { VectorScan } from './vectorScan.js';

const quote = 0x22;
const backslash = 0x5c;

/** Bits of a scan's state: inside a string; one object or array open. */
const inString = 1;
const nested = 4;

/** The bit in which `{` differs from `[`, and `}` from `]`. */
const braceBit = 0x20;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Whether an object or array begins with this byte.
 */
function opensNested(byte: number): boolean {
  return (byte | braceBit) === openBrace;
}

/**
 * Whether `json` has the bytes `expected` at `at`.
 */
export function standsAt(json: Uint8Array, at: number, expected: Uint8Array): boolean {
  for (let index = 0; index < expected.length; index += 1) if (json[at + index] !== expected[index]) return false;
  return true;
}

/**
 * Whether a number or a literal ends before this byte.
 */
function endsScalar(byte: number): boolean {
  return byte === 0x2c || byte === 0x5d || byte === 0x7d || byte <= 0x20;
}

function endOfScalar(json: Uint8Array, at: number): number {
  for (let next = at; next < json.length; next += 1) if (endsScalar(json[next] as number)) return next;
  return -1;
}

/**
 * Scans JSON from `at`, byte by byte, for the end of the object, array or string that is open there.
 *
 * Only strings and nesting are checked; the parser finds out whether the value is valid.
 *
 * @param state - what is open before `at`: `depth << 2 | isEscaped << 1 | isInString`. Must not be 0.
 * @returns the index after the end; `~state` when the value continues behind the last byte.
 */
export function scanBytes(json: Uint8Array, at: number, state: number): number {
  const { length } = json;
  let depth = state >> 2;
  let isInString = (state & 1) !== 0;
  let next = (state & 2) === 0 ? at : at + 1;
  while (next < length) {
    const byte = json[next] as number;
    next += 1;
    if (byte === backslash) next += 1;
    else if (byte === quote) isInString = !isInString;
    else if (isInString) continue;
    else if (opensNested(byte)) depth += 1;
    else if ((byte | braceBit) === closeBrace) depth -= 1;
    if (depth === 0 && !isInString) return next;
  }
  return ~((depth << 2) | (Number(next > length) << 1) | Number(isInString));
}

/**
 * Finds the end of a JSON value that may arrive in several chunks; each byte is read once. The parser finds out whether the value is valid.
 */
export class ValueEnd {
  private readonly scan: VectorScan | undefined;
  private isScalar = false;
  /** The state of `scanBytes` at the end of the last chunk. */
  private state = 0;

  /** @param scan - scans objects and arrays; without it, they are scanned byte by byte. */
  constructor(scan?: VectorScan) {
    this.scan = scan;
  }

  /** The index after the value that begins at `at`: `at` itself where none begins, -1 when it continues in the next chunk, as a number may. */
  of(json: Uint8Array, at: number): number {
    const first = json[at] as number;
    const isNested = opensNested(first);
    this.isScalar = !isNested && first !== quote;
    return this.isScalar ? endOfScalar(json, at) : this.find(json, at + 1, isNested ? nested : inString);
  }

  /** The index after the value that continues in this chunk; -1 when it continues in the next one, too. */
  next(json: Uint8Array): number {
    return this.isScalar ? endOfScalar(json, 0) : this.find(json, 0, this.state);
  }

  private find(json: Uint8Array, at: number, state: number): number {
    const scan = state < nested ? undefined : this.scan;
    const end = scan === undefined ? scanBytes(json, at, state) : scan.end(json, at, state);
    if (end >= 0) return end;
    this.state = ~end;
    return -1;
  }
}
