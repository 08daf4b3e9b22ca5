import {
  asJsonObject,
  asString,
  isJsonArray,
  isJsonObject,
  isEqualJson,
  type Json,
  type JsonObject,
  listAt,
  valueAt,
} from 'rx-informer/internal';

export {
  asJsonObject,
  asString,
  isJsonArray,
  isJsonObject,
  isEqualJson,
  type Json,
  type JsonObject,
  listAt,
  numberAt,
  textAt,
  valueAt,
} from 'rx-informer/internal';

/** The list at a path, its items as objects. */
export function objectsAt(value: unknown, ...path: readonly string[]): readonly JsonObject[] {
  return listAt(value, ...path).map(asJsonObject);
}

/** The list at a path, its items as texts. */
export function textsAt(value: unknown, ...path: readonly string[]): readonly string[] {
  return listAt(value, ...path).map(asString);
}

/** Whether an object has a condition. */
export function hasCondition(object: unknown, type: string, status = 'True'): boolean {
  return listAt(object, 'status', 'conditions').some((one) => valueAt(one, 'type') === type && valueAt(one, 'status') === status);
}

/** The type of a value of JSON in messages. */
export function jsonType(value: unknown): string {
  if (value === null) return 'null';
  return isJsonArray(value) ? 'array' : typeof value;
}

/** Whether two objects are the same JSON, whatever they have under the names given. */
export function equalBeside(names: ReadonlySet<string>, a: JsonObject, b: JsonObject): boolean {
  for (const name in a) if (!names.has(name) && !isEqualJson(a[name], fieldAt(b, name))) return false;
  for (const name in b) if (!names.has(name) && b[name] !== undefined && fieldAt(a, name) === undefined) return false;
  return true;
}

function sharedList(own: Json[], known: readonly Json[]): Json {
  let same = own.length === known.length;
  for (const [at, item] of own.entries()) {
    const shared = sharedWith(item, known[at]);
    if (shared === known[at]) own[at] = shared;
    else same = false;
  }
  return same ? known : own;
}

/**
 * Replaces every part of the value that equals the part of the known value by that part, so that later comparisons find it by identity. Changes the value,
 * which must have been
 * parsed for the caller alone.
 */
export function sharedWith(value: Json, known: Json | undefined): Json {
  if (typeof value !== 'object' || typeof known !== 'object' || value === null || known === null) return value;
  if (isJsonArray(value) || isJsonArray(known))
    return isJsonArray(value) && isJsonArray(known) ? sharedList(value as Json[], known) : value;
  const own = value as Record<string, Json>;
  let same = true;
  let count = 0;
  for (const name in own) {
    count += 1;
    const [inner, matching] = [own[name] ?? null, fieldAt(known, name)];
    if (inner === matching) continue;
    const shared = sharedWith(inner, matching);
    if (shared === matching) own[name] = shared;
    else same = false;
  }
  return same && count === Object.keys(known).length ? known : value;
}

/** Whether a value nests deeper than `limit`. Code in this folder walks JSON recursively. */
export function nestsDeeperThan(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (limit === 0) return true;
  for (const name in value) if (nestsDeeperThan((value as JsonObject)[name], limit - 1)) return true;
  return false;
}

/** The value of an object's own field: for names such as `constructor`, plain access would return an inherited value. */
export function fieldAt(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Sets a field, including `__proto__`, which an assignment would treat as the prototype. */
export function setField<T>(object: Record<string, T>, name: string, value: T): void {
  if (name === '__proto__') Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
  else object[name] = value;
}

/** The value without fields that are null, in lists too. */
export function withoutNulls(value: Json): Json {
  if (isJsonArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const result: Record<string, Json> = {};
  for (const [name, inner] of Object.entries(value)) if (inner !== null && inner !== undefined) setField(result, name, withoutNulls(inner));
  return result;
}

/** The fields as `read` returns them, without those that it returns undefined for; the same object where it changes nothing. */
export function mappedFields(object: JsonObject, read: (name: string, value: Json) => Json | undefined): JsonObject {
  let result: Record<string, Json> | undefined;
  for (const name in object) {
    const value = object[name];
    const changed = value === undefined ? undefined : read(name, value);
    if (result === undefined && changed === value && value !== undefined) continue;
    result ??= fieldsBefore(object, name);
    if (changed !== undefined) setField(result, name, changed);
  }
  return result ?? object;
}

/** A copy of the fields of an object up to a name. */
function fieldsBefore(object: JsonObject, end: string): Record<string, Json> {
  const result: Record<string, Json> = {};
  for (const name in object) {
    if (name === end) break;
    setField(result, name, object[name] ?? null);
  }
  return result;
}

/** The object without the names given. */
export function without(object: JsonObject, ...names: readonly string[]): JsonObject {
  const rest: Record<string, Json | undefined> = {};
  for (const name of Object.keys(object)) if (!names.includes(name)) setField(rest, name, object[name]);
  return rest;
}

/** Deeper bodies are refused, so that recursive code cannot overflow the stack. */
const deepest = 500;

/**
 * Parses JSON.
 *
 * @throws SyntaxError or RangeError when the text is not JSON, or nests too deeply.
 */
export function parseJson(text: string): Json {
  const parsed = JSON.parse(text) as Json;
  // Each level takes two characters.
  if (text.length > 2 * deepest && nestsDeeperThan(parsed, deepest)) throw new RangeError('exceeded max depth');
  return parsed;
}
