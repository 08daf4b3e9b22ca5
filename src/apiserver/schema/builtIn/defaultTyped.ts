import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json.js';
import { structDefaults } from './structDefaults.js';
import type { TypeNode } from './typeNode.js';

const reaching = new Map<TypeNode, boolean>();

/** Whether something is filled in at a type or below it. */
function reaches(type: TypeNode): boolean {
  const known = reaching.get(type);
  if (known !== undefined) return known;
  // A type that refers to itself does not reach anything by that.
  reaching.set(type, false);
  const inner = type.form === 'struct' ? [...type.fields.values()] : type.form === 'list' || type.form === 'map' ? [type.values] : [];
  const found = Object.hasOwn(structDefaults, type.name) || inner.some(reaches);
  reaching.set(type, found);
  return found;
}

function completeStruct(object: JsonObject, type: TypeNode): JsonObject {
  const complete = Object.hasOwn(structDefaults, type.name) ? structDefaults[type.name] : undefined;
  let result = complete?.(object) ?? object;
  for (const [name, field] of type.fields) {
    const value = result[name];
    if (typeof value !== 'object' || value === null || !reaches(field)) continue;
    const filled = completed(value, field);
    if (filled !== value) result = { ...result, [name]: filled };
  }
  return result;
}

function completeItems(list: readonly Json[], type: TypeNode): readonly Json[] {
  const filled = list.map((item) => completed(item, type));
  return filled.some((item, at) => item !== list[at]) ? filled : list;
}

function completed(value: Json, type: TypeNode): Json {
  if (!reaches(type)) return value;
  if (type.form === 'struct') return isJsonObject(value) ? completeStruct(value, type) : value;
  if (type.form === 'list') return isJsonArray(value) ? completeItems(value, type.values) : value;
  if (type.form !== 'map' || !isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, inner === undefined ? inner : completed(inner, type.values)]),
  );
}

/** Fills in what the API server fills in by the type of each part of an object. Values of other types are left as they are. */
export function defaultTyped(object: JsonObject, type: TypeNode): JsonObject {
  return completed(object, type) as JsonObject;
}
