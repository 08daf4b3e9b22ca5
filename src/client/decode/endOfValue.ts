const quote = 0x22;
const backslash = 0x5c;

/** The bit in which `{` differs from `[`, and `}` from `]`. */
const braceBit = 0x20;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Whether an object or array begins with this byte.
 */
export function opensNested(byte: number): boolean {
  return (byte | braceBit) === openBrace;
}

/**
 * Whether an object or array ends with this byte.
 */
export function closesNested(byte: number): boolean {
  return (byte | braceBit) === closeBrace;
}

/**
 * Whether a number or a literal ends before this byte.
 */
export function endsScalar(byte: number): boolean {
  return byte === 0x2c || byte === 0x5d || byte === 0x7d || byte <= 0x20;
}

/**
 * The index after the string that begins at `at`; -1 when the string is cut off.
 */
export function endOfString(json: Uint8Array, at: number): number {
  for (let next = at + 1; next < json.length; next += 1) {
    const byte = json[next] as number;
    if (byte === quote) return next + 1;
    if (byte === backslash) next += 1;
  }
  return -1;
}

/**
 * The index after the outermost object or array around `at`, where `open` of them are open; -1 when it is cut off.
 */
export function endOfNested(json: Uint8Array, at: number, open: number): number {
  const { length } = json;
  let depth = open;
  for (let next = at; next < length; next += 1) {
    const byte = json[next] as number;
    if (byte === quote) {
      // Most bytes are inside strings: a loop of their own is fastest.
      for (next += 1; next < length; next += 1) {
        const inner = json[next] as number;
        if (inner === quote) break;
        if (inner === backslash) next += 1;
      }
    } else if (opensNested(byte)) {
      depth += 1;
    } else if (closesNested(byte)) {
      depth -= 1;
      if (depth === 0) return next + 1;
    }
  }
  return -1;
}

/**
 * The index after the JSON value that begins at `at`: `at` itself where no value begins, -1 when the value is cut off.
 *
 * Only strings and nesting are checked; the parser finds out whether the value is valid. A number or a literal needs a byte behind it to be known complete.
 */
export function endOfValue(json: Uint8Array, at: number): number {
  const first = json[at] as number;
  if (first === quote) return endOfString(json, at);
  if (opensNested(first)) return endOfNested(json, at, 0);
  for (let next = at; next < json.length; next += 1) if (endsScalar(json[next] as number)) return next;
  return -1;
}
