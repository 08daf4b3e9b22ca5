import { fieldAt } from './fieldAt.js';

const utf8 = new TextEncoder();
const metadataKey = utf8.encode('"metadata":{');
const nameKey = utf8.encode('"name":"');

const quote = 0x22;
const dash = 0x2d;

/**
 * Numbers for an object's name. Other names may have the same ones.
 */
export interface NameHash {
  readonly name: number;
  /** The same for all names that are alike up to the last dash. */
  readonly family: number;
}

const nameless: NameHash = { name: 0, family: 0 };
/** Numbers of 30 bits need no memory of their own. */
const bits = 0x3fffffff;

/**
 * Finds the name of the object that begins at `at`.
 */
export function nameHash(json: Uint8Array, at: number): NameHash {
  const metadata = fieldAt(json, at + 1, metadataKey);
  const field = metadata === -1 ? -1 : fieldAt(json, metadata + metadataKey.length, nameKey);
  if (field === -1) return nameless;
  let name = 0x811c9dc5;
  let family = name;
  for (let next = field + nameKey.length; next < json.length && json[next] !== quote; next += 1) {
    const byte = json[next] as number;
    if (byte === dash) family = name;
    name = Math.imul(name ^ byte, 0x01000193);
  }
  return { name: name & bits, family: family & bits };
}
