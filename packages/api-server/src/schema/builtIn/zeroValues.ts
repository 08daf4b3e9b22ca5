import type { Json, JsonObject } from '../../json.js';
import { packedZeroValues } from './packedZeroValues.js';
import type { TypeNode } from './typeNode.js';
import { unpack } from './unpack.js';

interface ZeroFacts {
  readonly always: Readonly<Record<string, JsonObject>>;
  readonly pointers: Readonly<Record<string, readonly string[]>>;
}

let unpacked: ZeroFacts | undefined;

function facts(): ZeroFacts {
  unpacked ??= unpack(packedZeroValues) as ZeroFacts;
  return unpacked;
}

export const noZeros: JsonObject = {};

/** The values that Go writes for unset fields of a struct. A nested struct has zero values of its own. */
export function zeroValues({ definition }: TypeNode): JsonObject {
  return facts().always[definition] ?? noZeros;
}

const scalars = new Set<TypeNode['form']>(['string', 'boolean', 'int32', 'int64', 'number']);
const kept = new Map<TypeNode, ReadonlySet<string>>();

/** Whether Go treats a field with this value as unset, and omits it. */
export function isUnset(value: Json, name: string, field: TypeNode, struct: TypeNode): boolean {
  if ((value !== '' && value !== false && value !== 0) || !scalars.has(field.form)) return false;
  let names = kept.get(struct);
  if (names === undefined) {
    names = new Set([...Object.keys(zeroValues(struct)), ...(facts().pointers[struct.definition] ?? [])]);
    kept.set(struct, names);
  }
  return !names.has(name);
}
