import { closesNested, endsScalar, opensNested } from './endOfValue.js';

const quote = 0x22;
const backslash = 0x5c;

/**
 * Finds where a JSON value ends, in bytes that come in chunks. It knows strings and nesting; whether the value is valid is for the parser to say.
 */
export class ValueScanner {
  private depth = 0;
  private inString = false;
  private escaped = false;
  private scalar = false;

  /** Makes ready for a value that begins with this byte. */
  begin(first: number): void {
    this.depth = 0;
    this.inString = false;
    this.escaped = false;
    this.scalar = first !== quote && !opensNested(first);
  }

  /**
   * Reads on from `from`, which is the value's first byte or the begin of a later chunk. Returns the index behind the value, or -1 when it goes on in the
   * next chunk.
   */
  scan(chunk: Uint8Array, from: number): number {
    if (this.scalar) {
      const length = chunk.subarray(from).findIndex(endsScalar);
      return length === -1 ? -1 : from + length;
    }
    return this.scanNested(chunk, from);
  }

  private scanNested(chunk: Uint8Array, from: number): number {
    const end = chunk.length;
    if (from === end) return -1;
    let { depth, inString } = this;
    let at = this.escaped ? from + 1 : from;
    for (; at < end; at += 1) {
      const byte = chunk[at] ?? 0;
      if (inString || byte === quote) {
        if (!inString) at += 1;
        inString = true;
        for (; at < end; at += 1) {
          const inner = chunk[at] ?? 0;
          if (inner === quote) {
            inString = false;
            break;
          }
          if (inner === backslash) at += 1;
        }
        if (inString) break;
        if (depth === 0) return at + 1;
      } else if (opensNested(byte)) {
        depth += 1;
      } else if (closesNested(byte)) {
        depth -= 1;
        if (depth === 0) return at + 1;
      }
    }
    // One behind the end means that the last byte was a backslash: what it escapes comes with the next chunk.
    this.escaped = at > end;
    this.depth = depth;
    this.inString = inString;
    return -1;
  }
}
