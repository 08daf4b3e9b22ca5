import { endOfString } from './endOfValue.js';
import { scannedEnd } from './valueEnd.js';

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;

/**
 * Whether these bytes stand at `at`.
 */
export function standsAt(json: Uint8Array, at: number, expected: Uint8Array): boolean {
  for (let index = 0; index < expected.length; index += 1) if (json[at + index] !== expected[index]) return false;
  return true;
}

/**
 * Where a field of an object begins, its key, `"name":` for example, looked for from the one at `at` on; -1 when it is not found. Objects with white space
 * between their parts are not looked through.
 */
export function fieldAt(json: Uint8Array, at: number, key: Uint8Array): number {
  let next = at;
  while (json[next] === quote) {
    if (standsAt(json, next, key)) return next;
    const colonAt = endOfString(json, next);
    if (colonAt === -1 || json[colonAt] !== colon) return -1;
    const end = scannedEnd(json, colonAt + 1);
    if (end === -1 || json[end] !== comma) return -1;
    next = end + 1;
  }
  return -1;
}
