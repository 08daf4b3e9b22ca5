import { asJsonObject, isJsonArray, valueAt, type JsonObject } from '../json.js';
import type { StoredContent } from '../store/storedObject.js';

/** The request for a certificate that a write to its `approval` asks for: of spec and status nothing but the conditions changes, and those that are new get their times. */
export function approvedThrough(existing: StoredContent, submitted: JsonObject, now: string): StoredContent {
  const sent = valueAt(submitted, 'status', 'conditions');
  const conditions = (isJsonArray(sent) ? sent : []).map((condition) => {
    const { lastUpdateTime, lastTransitionTime } = asJsonObject(condition);
    return { ...asJsonObject(condition), lastUpdateTime: lastUpdateTime ?? now, lastTransitionTime: lastTransitionTime ?? now };
  });
  return { ...existing, status: { ...asJsonObject(existing['status']), ...(conditions.length > 0 && { conditions }) } };
}
