import { closesNested, opensNested } from './endOfValue.js';

const quote = 0x22;
const backslash = 0x5c;

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
