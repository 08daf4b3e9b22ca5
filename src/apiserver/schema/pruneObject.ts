import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json.js';
import { additionalOf, itemsOf, propertyOf, typeFields, type StructuralSchema } from './structuralSchema.js';

/** An object without the fields that its schema does not know. */
export interface Pruned {
  readonly object: JsonObject;
  /** The paths of what was taken out, for example `spec.list[0].bogus`, in the order of their texts. */
  readonly unknown: readonly string[];
}

function prune(value: Json, schema: StructuralSchema, path: string, unknown: string[], root: boolean): Json {
  if (isJsonArray(value)) {
    const items = itemsOf(schema);
    // Of items about which nothing is said nothing is kept, unless everything is.
    if (items === undefined && schema['x-kubernetes-preserve-unknown-fields'] === true) return value;
    return value.map((item, at) => prune(item, items ?? {}, `${path}[${String(at)}]`, unknown, false));
  }
  if (!isJsonObject(value)) return value;
  const embedded = root || schema['x-kubernetes-embedded-resource'] === true;
  const preserves = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const additional = additionalOf(schema);
  const kept = Object.entries(value).flatMap(([name, inner]): [string, Json][] => {
    if (inner === undefined) return [];
    if (embedded && typeFields.has(name)) return [[name, inner]];
    const place = path === '' ? name : `${path}.${name}`;
    const known = propertyOf(schema, name) ?? additional;
    if (known !== undefined) return [[name, prune(inner, known, place, unknown, false)]];
    if (preserves) return [[name, inner]];
    unknown.push(place);
    return [];
  });
  return Object.fromEntries(kept);
}

/** Takes out of an object what its schema does not know. What the object is, and its metadata, is never a matter of schemas. */
export function pruneObject(object: JsonObject, schema: StructuralSchema): Pruned {
  const unknown: string[] = [];
  const pruned = prune(object, schema, '', unknown, true) as JsonObject;
  return { object: pruned, unknown: unknown.sort() };
}
