import { fieldAt, isJsonObject, setField, withoutNulls, type Json } from '../json.js';

/**
 * Applies an RFC 7396 patch: objects merge, `null` removes, anything else replaces. As Go does, it leaves out the nulls in the lists of a
 * patch, too, unless a list replaces an object.
 */
export function applyMergePatch(target: Json | undefined, patch: Json): Json {
  if (!isJsonObject(target)) return withoutNulls(patch);
  if (!isJsonObject(patch)) return patch;
  const result: Record<string, Json | undefined> = { ...target };
  for (const [name, value = null] of Object.entries(patch)) {
    if (value === null) Reflect.deleteProperty(result, name);
    else setField<Json | undefined>(result, name, applyMergePatch(fieldAt(result, name), value));
  }
  return result;
}
