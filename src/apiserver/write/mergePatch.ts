import { fieldAt, isJsonObject, setField, type Json, type JsonObject } from '../json.js';

/** Applies an RFC 7396 patch: objects merge, `null` removes, anything else replaces. */
export function applyMergePatch(target: Json | undefined, patch: Json): Json {
  if (!isJsonObject(patch)) return patch;
  const result: Record<string, Json | undefined> = isJsonObject(target) ? { ...target } : {};
  for (const name of Object.keys(patch)) {
    const value = patch[name];
    if (value === null || value === undefined) Reflect.deleteProperty(result, name);
    else setField(result, name, applyMergePatch(fieldAt(result, name), value));
  }
  return result satisfies JsonObject;
}
