/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [name: string]: Json | undefined;
}

/** Whether a value is a JSON object, not an array and not null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is an object as `JSON.parse` makes them, of any realm: not an array, and not an instance of a class. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (!isJsonObject(value)) return false;
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Whether a value is a JSON array. */
export function isJsonArray(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** The value as a JSON object; an empty one when it is anything else. */
export function asJsonObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The value when it is a string, otherwise `''`. */
export function asString(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The value at a path of names in some JSON; undefined where the path ends early. */
export function valueAt(value: unknown, ...path: readonly string[]): Json | undefined {
  let current = value;
  for (const name of path) {
    if (!isJsonObject(current) || !Object.hasOwn(current, name)) return undefined;
    current = current[name];
  }
  return current as Json | undefined;
}

/** The text at a path; `''` where there is none. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  const field = valueAt(value, ...path) ?? '';
  return typeof field === 'object' ? '' : String(field);
}

/** The number at a path; 0 where there is none. */
export function numberAt(value: unknown, ...path: readonly string[]): number {
  const field = valueAt(value, ...path);
  return typeof field === 'number' ? field : 0;
}

/** The list at a path; empty where there is none. */
export function listAt(value: unknown, ...path: readonly string[]): readonly Json[] {
  const field = valueAt(value, ...path);
  return isJsonArray(field) ? field : [];
}
