import { isJsonArray, isJsonObject, mappedFields, without, type Json, type JsonObject } from '../json.js';
import { fieldSchemaOf, itemsOf, typeFields, type StructuralSchema } from 'rx-informer/internal';

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

function pruneMeta(meta: JsonObject, place: string, unknown: string[]): JsonObject {
  const strange = Object.keys(meta).filter((name) => !metaFields.has(name));
  for (const name of strange) unknown.push(`${place}.${name}`);
  return strange.length === 0 ? meta : without(meta, ...strange);
}

/** Removes fields, and collects their paths. What loses nothing is not copied. */
class Pruning {
  /** The removed fields, by the part of the object. */
  readonly own: string[] = [];
  readonly fields: string[] = [];
  readonly inside: string[] = [];
  /** The steps to the current value. */
  private readonly steps: (string | number)[] = [];

  object(object: JsonObject, schema: StructuralSchema, preserves: boolean, root = false): JsonObject {
    const embedded = root || schema['x-kubernetes-embedded-resource'] === true;
    return mappedFields(object, (name, value) => this.field(name, value, schema, preserves, embedded));
  }

  /** The value of a field; undefined when it is removed. */
  private field(name: string, value: Json, schema: StructuralSchema, preserves: boolean, embedded: boolean): Json | undefined {
    if (embedded && name === 'metadata' && isJsonObject(value))
      return pruneMeta(value, this.path(name), this.steps.length === 0 ? this.own : this.inside);
    if (embedded && typeFields.has(name)) return value;
    const known = fieldSchemaOf(schema, name);
    if (known !== undefined) return this.value(name, value, known);
    if (preserves) return value;
    this.fields.push(this.path(name));
    return undefined;
  }

  private value(step: string | number, value: Json, schema: StructuralSchema, preserved = false): Json {
    if (typeof value !== 'object' || value === null) return value;
    const preserves = preserved || schema['x-kubernetes-preserve-unknown-fields'] === true;
    this.steps.push(step);
    const pruned = isJsonArray(value) ? this.list(value, schema, preserves) : this.object(value, schema, preserves);
    this.steps.pop();
    return pruned;
  }

  /** The items of a list that preserves unknown fields preserve them as well. */
  private list(list: readonly Json[], schema: StructuralSchema, preserves: boolean): readonly Json[] {
    const items = itemsOf(schema);
    // Items without a schema lose all fields, unless unknown fields are preserved.
    if (items === undefined && preserves) return list;
    const pruned = list.map((item, at) => this.value(at, item, items ?? {}, preserves));
    return pruned.every((item, at) => item === list[at]) ? list : pruned;
  }

  private path(name: string): string {
    const above = this.steps.map((step, at) => (typeof step === 'number' ? `[${String(step)}]` : at === 0 ? step : `.${step}`)).join('');
    return above === '' ? name : `${above}.${name}`;
  }
}

/**
 * Removes fields that the schema does not declare. `apiVersion`, `kind` and `metadata` do not depend on the schema: unknown fields of the
 * metadata are always removed.
 */
export function pruneObject(object: JsonObject, schema: StructuralSchema): Pruned {
  const pruning = new Pruning();
  const pruned = pruning.object(object, schema, schema['x-kubernetes-preserve-unknown-fields'] === true, true);
  const { own, fields, inside } = pruning;
  return { object: pruned, unknown: [...own, ...fields.sort(), ...inside.sort()] };
}
