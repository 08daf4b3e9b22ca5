import { asJsonObject, isJsonObject, type Json, type JsonObject } from '../json.js';

/**
 * One node of a CustomResourceDefinition's schema, as it was written.
 */
export type StructuralSchema = JsonObject;

/** The schema of a declared property; undefined when there is none. */
export function propertyOf({ properties }: StructuralSchema, name: string): StructuralSchema | undefined {
  if (!isJsonObject(properties) || !Object.hasOwn(properties, name)) return undefined;
  return asJsonObject(properties[name]);
}

const anything: StructuralSchema = {};

/** The schema of undeclared fields: undefined when there is none, and an empty one for `additionalProperties: true`. */
export function additionalOf({ additionalProperties }: StructuralSchema): StructuralSchema | undefined {
  if (additionalProperties === true) return anything;
  return isJsonObject(additionalProperties) ? additionalProperties : undefined;
}

/** The schema of a field, declared or not. */
export function fieldSchemaOf(schema: StructuralSchema, name: string): StructuralSchema | undefined {
  return propertyOf(schema, name) ?? additionalOf(schema);
}

/** The schema of a list's items. */
export function itemsOf({ items }: StructuralSchema): StructuralSchema | undefined {
  return isJsonObject(items) ? items : undefined;
}

/** A list of schemas, for example `anyOf`. */
export function schemasAt(schema: StructuralSchema, name: 'allOf' | 'anyOf' | 'oneOf'): readonly StructuralSchema[] {
  const list = schema[name];
  return Array.isArray(list) ? (list as readonly Json[]).map(asJsonObject) : [];
}

/** A list of texts, for example `required`. */
export function textsAt(schema: StructuralSchema, name: string): readonly string[] {
  const list = schema[name];
  return Array.isArray(list) ? (list as readonly Json[]).filter((item) => typeof item === 'string') : [];
}

/** Whether a value is a `null` that the schema does not allow. */
export function isUnwantedNull(value: Json | undefined, schema: StructuralSchema | undefined): boolean {
  return value === null && schema !== undefined && schema['nullable'] !== true;
}

/** The fields that every object has, whatever its schema is. */
export const typeFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);
