import { isJsonArray, isJsonObject, without, type Json, type JsonObject } from '../json.js';
import { additionalOf, itemsOf, propertyOf, typeFields, type StructuralSchema } from './structuralSchema.js';

/** An object without unknown fields. */
export interface Pruned {
  readonly object: JsonObject;
  /**
   * The paths of the removed fields, for example `spec.list[0].bogus`: first those of the metadata, then all others sorted, then those of
   * the metadata of embedded resources.
   */
  readonly unknown: readonly string[];
}

const metaFields = new Set(
  `name generateName namespace selfLink uid resourceVersion generation creationTimestamp deletionTimestamp deletionGracePeriodSeconds labels
  annotations ownerReferences finalizers managedFields`.split(/\s+/),
);

/** The removed fields, by the part of the object. */
interface Unknown {
  readonly own: string[];
  readonly fields: string[];
  readonly inside: string[];
}

function pruneMeta(meta: JsonObject, place: string, unknown: string[]): JsonObject {
  const strange = Object.keys(meta).filter((name) => !metaFields.has(name));
  for (const name of strange) unknown.push(`${place}.${name}`);
  return strange.length === 0 ? meta : without(meta, ...strange);
}

/** The position of a value in an object. */
interface Place {
  readonly path: string;
  readonly root?: boolean;
  /** An item of a list that preserves unknown fields: the item preserves them as well. */
  readonly preserved?: boolean;
}

function prune(value: Json, schema: StructuralSchema, { path, root = false, preserved = false }: Place, unknown: Unknown): Json {
  const preserves = preserved || schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (isJsonArray(value)) {
    const items = itemsOf(schema);
    // Items without a schema lose all fields, unless unknown fields are preserved.
    if (items === undefined && preserves) return value;
    return value.map((item, at) => prune(item, items ?? {}, { path: `${path}[${String(at)}]`, preserved: preserves }, unknown));
  }
  if (!isJsonObject(value)) return value;
  const embedded = root || schema['x-kubernetes-embedded-resource'] === true;
  const additional = additionalOf(schema);
  const kept = Object.entries(value).flatMap(([name, inner]): [string, Json][] => {
    if (inner === undefined) return [];
    const place = path === '' ? name : `${path}.${name}`;
    if (embedded && name === 'metadata' && isJsonObject(inner))
      return [[name, pruneMeta(inner, place, root ? unknown.own : unknown.inside)]];
    if (embedded && typeFields.has(name)) return [[name, inner]];
    const known = propertyOf(schema, name) ?? additional;
    if (known !== undefined) return [[name, prune(inner, known, { path: place }, unknown)]];
    if (preserves) return [[name, inner]];
    unknown.fields.push(place);
    return [];
  });
  return Object.fromEntries(kept);
}

/**
 * Removes fields that the schema does not declare. `apiVersion`, `kind` and `metadata` do not depend on the schema: unknown fields of the
 * metadata are always removed.
 */
export function pruneObject(object: JsonObject, schema: StructuralSchema): Pruned {
  const unknown: Unknown = { own: [], fields: [], inside: [] };
  const pruned = prune(object, schema, { path: '', root: true }, unknown) as JsonObject;
  return { object: pruned, unknown: [...unknown.own, ...unknown.fields.sort(), ...unknown.inside.sort()] };
}
