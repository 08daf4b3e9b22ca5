import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json.js';
import { fieldsOfMessage, messageOfKind, type MessageField } from './messages.js';

/** The fields of a struct in order, including those of embedded structs. */
function* fieldsInOrder(message: string): Generator<MessageField, void, undefined> {
  for (const field of fieldsOfMessage(message).values()) {
    if (field.name === '.') yield* fieldsInOrder(field.type);
    else yield field;
  }
}

const byName = (value: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, value[name]]),
  );

function orderedValue(value: Json, { form, type }: MessageField): Json {
  if (form === 'list' && isJsonArray(value)) return value.map((item) => orderedStruct(item, type));
  if (form !== 'map' || !isJsonObject(value)) return orderedStruct(value, type);
  return byName(Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, orderedStruct(inner ?? null, type)])));
}

function orderedStruct(value: Json, message: string): Json {
  if (!isJsonObject(value)) return value;
  const result: Record<string, Json> = {};
  const fields = [...fieldsInOrder(message)];
  // Protobuf messages lack `kind` and `apiVersion`; Go writes them first.
  const own = new Set(fields.map(({ name }) => name));
  for (const name of ['kind', 'apiVersion']) if (!own.has(name) && typeof value[name] === 'string') result[name] = value[name];
  for (const field of fields) {
    const inner = value[field.name];
    if (inner !== undefined) result[field.name] = orderedValue(inner, field);
  }
  // Fields that the struct does not have come last.
  return { ...result, ...Object.fromEntries(Object.entries(value).filter(([name]) => !(name in result))) };
}

/**
 * An object of a built-in kind with its fields in the order in which Go writes them: struct fields in order of declaration, map keys
 * sorted.
 */
export function goOrdered(object: JsonObject, apiVersion: string, kind: string): JsonObject {
  const message = messageOfKind(apiVersion, kind);
  if (message === undefined) return object;
  return orderedStruct({ ...object, kind, apiVersion }, message) as JsonObject;
}
