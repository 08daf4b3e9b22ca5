import { DecodeError } from '../api/decodeError.js';
import type { ItemShape } from './objectReader.js';
import { isRecord, parseJson, shapeObject } from './parseObject.js';

const utf8 = new TextEncoder();
const ownTypeFields = ['"kind"', '"apiVersion"'].map((key) => utf8.encode(key));

/** The index of the first byte from `from` on that is no white space. */
function skipSpace(json: Uint8Array, from: number): number {
  let at = from;
  while ((json[at] ?? 0xff) <= 0x20) at += 1;
  return at;
}

function standsAt(json: Uint8Array, at: number, expected: Uint8Array): boolean {
  return expected.every((byte, index) => json[at + index] === byte);
}

/**
 * Makes the function that parses the items of one list.
 *
 * `kind` and `apiVersion` are put before the item's own fields while it is still bytes, so that listed objects have the same fields in the same order as
 * watched ones, and V8 the same hidden class for both. Fields of the same name further on win.
 */
export function itemParser(shape: ItemShape): (json: Uint8Array, position: number) => Record<string, unknown> {
  const prefix = utf8.encode(`{"kind":${JSON.stringify(shape.kind)},"apiVersion":${JSON.stringify(shape.apiVersion)},`);
  let scratch = new Uint8Array(16_384);

  function withTypeFields(json: Uint8Array): Uint8Array {
    const first = skipSpace(json, 1);
    if (json[0] !== 0x7b || json[first] !== 0x22 || ownTypeFields.some((key) => standsAt(json, first, key))) return json;
    const length = prefix.length + json.length - 1;
    if (scratch.length < length) scratch = new Uint8Array(2 * length);
    scratch.set(prefix);
    scratch.set(json.subarray(1), prefix.length);
    return scratch.subarray(0, length);
  }

  return (json, position) => {
    const item = parseJson(withTypeFields(json), 'an item of the list', position);
    if (!isRecord(item)) throw new DecodeError('Expected an item of the list to be an object, got something else', position);
    item['kind'] ??= shape.kind;
    item['apiVersion'] ??= shape.apiVersion;
    return shapeObject(item, shape);
  };
}
