import { endOfValue, endsScalar, opensNested } from './endOfValue.js';
import { makeScan } from './makeScan.js';
import { scanBytes } from './scanBytes.js';

const quote = 0x22;

/** The state of a scan within a string, and with one object or array open. */
const inString = 1;
const nested = 4;

/** One for the process, made when it is first needed. */
let scan: typeof scanBytes | undefined;

function scanNested(json: Uint8Array, at: number, state: number): number {
  return (scan ??= makeScan())(json, at, state);
}

/**
 * What `endOfValue` finds, by vectors where the value is an object or array: for bytes in which more than one is looked for, one after the other.
 */
export function scannedEnd(json: Uint8Array, at: number): number {
  if (!opensNested(json[at] ?? 0)) return endOfValue(json, at);
  const end = scanNested(json, at + 1, nested);
  return end < 0 ? -1 : end;
}

/**
 * Finds the end of a JSON value whose bytes may come in several parts, each of which is looked at once.
 *
 * It knows strings and nesting; whether the value is valid is for the parser to say. Each part has to be a `Uint8Array` of its own.
 */
export class ValueEnd {
  private isScalar = false;
  /** What is open where the bytes before ended, as `scanBytes` says it. */
  private state = 0;

  /**
   * The index behind the value that begins at `at`: `at` itself where no value begins, -1 when it goes on behind these bytes. A number or a literal has to be
   * followed by something.
   */
  of(json: Uint8Array, at: number): number {
    const first = json[at] as number;
    if (opensNested(first)) return this.around(json, at + 1, 1);
    this.isScalar = first !== quote;
    return this.isScalar ? this.endOfScalar(json, at) : this.find(json, at + 1, inString);
  }

  /** The index behind the object or array that lies around `at`, so many of them being open there; -1 when it goes on behind these bytes. */
  around(json: Uint8Array, at: number, open: number): number {
    this.isScalar = false;
    return this.find(json, at, open * nested);
  }

  /** The index behind the value that goes on with these bytes; -1 when it goes on behind them, too. */
  next(json: Uint8Array): number {
    return this.isScalar ? this.endOfScalar(json, 0) : this.find(json, 0, this.state);
  }

  private find(json: Uint8Array, at: number, state: number): number {
    const end = (state < nested ? scanBytes : scanNested)(json, at, state);
    if (end >= 0) return end;
    this.state = ~end;
    return -1;
  }

  private endOfScalar(json: Uint8Array, at: number): number {
    for (let next = at; next < json.length; next += 1) if (endsScalar(json[next] as number)) return next;
    return -1;
  }
}
