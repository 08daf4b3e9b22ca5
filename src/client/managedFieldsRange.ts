import { endOfValue } from './endOfValue.js';

/**
 * A part of some bytes.
 */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

const utf8 = new TextEncoder();
const metadataKey = utf8.encode('"metadata":{');
const managedFieldsKey = utf8.encode('"managedFields":');

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;

/**
 * Whether these bytes stand at `at`.
 */
export function standsAt(json: Uint8Array, at: number, limit: number, expected: Uint8Array): boolean {
  if (at + expected.length > limit) return false;
  for (let index = 0; index < expected.length; index += 1) if (json[at + index] !== expected[index]) return false;
  return true;
}

/**
 * The index at which a field of an object begins, its key looked for from the first key at `at` on; -1 when it is not found. Objects with white space
 * between their parts are not looked through.
 */
function fieldAt(json: Uint8Array, at: number, limit: number, key: Uint8Array): number {
  let next = at;
  while (next < limit && json[next] === quote) {
    if (standsAt(json, next, limit, key)) return next;
    const colonAt = endOfValue(json, next, limit);
    if (colonAt === -1 || json[colonAt] !== colon) return -1;
    const end = endOfValue(json, colonAt + 1, limit);
    if (end === -1 || json[end] !== comma) return -1;
    next = end + 1;
  }
  return -1;
}

/**
 * Where `,"managedFields":...` stands in the metadata of an object, if it does. What is not found is to be taken out after parsing.
 *
 * @param at - where the object's first key begins.
 */
export function managedFieldsRange(json: Uint8Array, at: number, limit: number): ByteRange | undefined {
  const metadata = fieldAt(json, at, limit, metadataKey);
  if (metadata === -1) return undefined;
  const first = metadata + metadataKey.length;
  const start = fieldAt(json, first, limit, managedFieldsKey);
  if (start <= first) return undefined;
  const end = endOfValue(json, start + managedFieldsKey.length, limit);
  return end === -1 ? undefined : { start: start - 1, end };
}
