import { asJsonObject, isJsonArray, isJsonObject, mappedFields, setField, type Json, type JsonObject } from '../json.js';
import { fieldSchemaOf, isUnwantedNull, itemsOf, type StructuralSchema } from 'rx-informer/internal';

/** The default of a field that is absent, or `null` although it is not nullable. A default of `null` is none, as for the API server. */
function missing(value: Json | undefined, schema: StructuralSchema, keepNulls = false): Json | undefined {
  return value === undefined || isUnwantedNull(value, schema) ? (schema['default'] ?? (keepNulls ? value : undefined)) : value;
}

function withDefaults(value: Json, schema: StructuralSchema | undefined, keepNulls: boolean): Json {
  if (schema === undefined) return value;
  if (isJsonArray(value)) {
    const items = itemsOf(schema);
    if (items === undefined) return value;
    const filled = value.map((item) =>
      withDefaults((isUnwantedNull(item, items) ? items['default'] : undefined) ?? item, items, keepNulls),
    );
    return filled.every((item, at) => item === value[at]) ? value : filled;
  }
  return isJsonObject(value) ? defaultObject(value, schema, keepNulls) : value;
}

const declared = new WeakMap<StructuralSchema, readonly (readonly [name: string, schema: StructuralSchema, value: Json])[]>();

/** The declared properties of a schema that have a default. */
function defaultsOf(schema: StructuralSchema): readonly (readonly [name: string, schema: StructuralSchema, value: Json])[] {
  let defaults = declared.get(schema);
  if (defaults === undefined) {
    const properties = Object.entries(asJsonObject(schema['properties'])).map(
      ([name, property]) => [name, asJsonObject(property)] as const,
    );
    defaults = properties.flatMap(([name, inner]) => {
      const value = missing(undefined, inner);
      return value === undefined ? [] : [[name, inner, value] as const];
    });
    declared.set(schema, defaults);
  }
  return defaults;
}

/** Sets the defaults of a schema, and removes `null` from fields that are not nullable, unless `keepNulls`. What needs nothing is not copied. */
export function defaultObject(object: JsonObject, schema: StructuralSchema, keepNulls = false): JsonObject {
  const filled = mappedFields(object, (name, value) => {
    const inner = fieldSchemaOf(schema, name);
    const given = inner === undefined ? value : missing(value, inner, keepNulls);
    return given === undefined ? undefined : withDefaults(given, inner, keepNulls);
  });
  const absent = defaultsOf(schema).filter(([name]) => !Object.hasOwn(filled, name));
  if (absent.length === 0) return filled;
  const result: Record<string, Json> = { ...filled } as Record<string, Json>;
  for (const [name, inner, value] of absent) setField(result, name, withDefaults(value, inner, keepNulls));
  return result;
}
