import { isJsonObject } from '../../api/json.js';

/** Any part of an object. `undefined` removes a field; lists are replaced as a whole. */
export type Overrides<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [Field in keyof T]?: Overrides<T[Field]> | undefined }
    : T;

function merged(base: unknown, overrides: unknown): unknown {
  if (!isJsonObject(overrides)) return overrides;
  const result: Record<string, unknown> = isJsonObject(base) ? { ...base } : {};
  for (const [field, value] of Object.entries(overrides)) {
    if (value === undefined) Reflect.deleteProperty(result, field);
    else result[field] = merged(result[field], value);
  }
  return result;
}

/** A deep copy of an object with some fields replaced. */
export function withOverrides<T>(object: T, overrides: Overrides<T> | undefined): T {
  return overrides === undefined ? object : (merged(object, overrides) as T);
}
