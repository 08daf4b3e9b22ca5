import { closesNested, endsScalar, opensNested } from './endOfValue.js';
import { vectorScan } from './vectorScan.js';

const quote = 0x22;
const backslash = 0x5c;

/** The state of a scan within a string, and with one object or array open. */
const inString = 1;
const nested = 4;

/**
 * Scans JSON from `at` on for the end of what is open there, byte by byte.
 *
 * It knows strings and nesting; whether the value is valid is for the parser to say.
 *
 * @param state - what is open before `at`: `depth << 2 | isEscaped << 1 | isInString`. Either a string or an object or array has to be.
 * @returns the index behind the end; `~state` behind the last byte when the value goes on there.
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
    else if (closesNested(byte)) depth -= 1;
    if (depth === 0 && !isInString) return next;
  }
  return ~((depth << 2) | (Number(next > length) << 1) | Number(isInString));
}

/**
 * Finds the end of a JSON value whose bytes may come in several parts, each of which is looked at once. Whether the value is valid is for the parser to say.
 */
export class ValueEnd {
  private isScalar = false;
  /** What is open where the bytes before ended, as `scanBytes` says it. */
  private state = 0;

  /** The index behind the value that begins at `at`: `at` itself where none begins, -1 when it goes on behind these bytes, as a number may. */
  of(json: Uint8Array, at: number): number {
    const first = json[at] as number;
    const isNested = opensNested(first);
    this.isScalar = !isNested && first !== quote;
    return this.isScalar ? this.endOfScalar(json, at) : this.find(json, at + 1, isNested ? nested : inString);
  }

  /** The index behind the value that goes on with these bytes; -1 when it goes on behind them, too. */
  next(json: Uint8Array): number {
    return this.isScalar ? this.endOfScalar(json, 0) : this.find(json, 0, this.state);
  }

  private find(json: Uint8Array, at: number, state: number): number {
    const scan = state < nested ? undefined : vectorScan();
    const end = scan === undefined ? scanBytes(json, at, state) : scan.end(json, at, state);
    if (end >= 0) return end;
    this.state = ~end;
    return -1;
  }

  private endOfScalar(json: Uint8Array, at: number): number {
    for (let next = at; next < json.length; next += 1) if (endsScalar(json[next] as number)) return next;
    return -1;
  }
}
