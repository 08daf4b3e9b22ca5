import { standsAt } from './fieldAt.js';

const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** In so many bytes, objects that stand side by side begin as the first of them does. */
const beginning = 12;

/**
 * Where the last of the objects that stand from `at` on, with commas between them, seems to end; -1 when there is one only, or none.
 */
export function endOfLast(bytes: Uint8Array, at: number): number {
  const first = bytes.subarray(at, at + beginning);
  for (let next = bytes.lastIndexOf(openBrace); next > at; next = bytes.lastIndexOf(openBrace, next - 1)) {
    if (bytes[next - 1] === comma && bytes[next - 2] === closeBrace && standsAt(bytes, next, first)) return next - 1;
  }
  return -1;
}
