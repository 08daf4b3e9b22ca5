import { asJsonObject, isJsonArray, isJsonObject, setField, type Json, type JsonObject } from '../json.js';
import { fieldSchemaOf, isUnwantedNull, itemsOf, type StructuralSchema } from './structuralSchema.js';

/** The default of a field that is absent, or `null` although it is not nullable. */
function missing(value: Json | undefined, schema: StructuralSchema): Json | undefined {
  return value === undefined || isUnwantedNull(value, schema) ? schema['default'] : value;
}

function withDefaults(value: Json, schema: StructuralSchema | undefined): Json {
  if (schema === undefined) return value;
  if (isJsonArray(value)) {
    const items = itemsOf(schema);
    return items === undefined
      ? value
      : value.map((item) => withDefaults((isUnwantedNull(item, items) ? items['default'] : undefined) ?? item, items));
  }
  return isJsonObject(value) ? defaultObject(value, schema) : value;
}

/** Sets the defaults of a schema, and removes `null` from fields that are not nullable. */
export function defaultObject(object: JsonObject, schema: StructuralSchema): JsonObject {
  const result: Record<string, Json> = {};
  for (const [name, value] of Object.entries(object)) {
    const inner = fieldSchemaOf(schema, name);
    const filled = inner === undefined ? value : missing(value, inner);
    if (filled !== undefined) setField(result, name, withDefaults(filled, inner));
  }
  for (const [name, property] of Object.entries(asJsonObject(schema['properties']))) {
    const inner = asJsonObject(property);
    const filled = Object.hasOwn(result, name) ? undefined : inner['default'];
    if (filled !== undefined) setField(result, name, withDefaults(filled, inner));
  }
  return result;
}
