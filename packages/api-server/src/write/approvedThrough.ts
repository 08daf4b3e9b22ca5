import { asJsonObject, isJsonArray, valueAt, type JsonObject } from '../json.js';
import type { StoredContent } from '../store/storedObject.js';

/** The CertificateSigningRequest after a write to its `approval` subresource: only the conditions change, and new ones get their times. */
export function approvedThrough(existing: StoredContent, submitted: JsonObject, now: string): StoredContent {
  const sent = valueAt(submitted, 'status', 'conditions');
  const conditions = (isJsonArray(sent) ? sent : []).map((condition) => {
    const { lastUpdateTime, lastTransitionTime } = asJsonObject(condition);
    return { ...asJsonObject(condition), lastUpdateTime: lastUpdateTime ?? now, lastTransitionTime: lastTransitionTime ?? now };
  });
  return { ...existing, status: { ...asJsonObject(existing['status']), ...(conditions.length > 0 && { conditions }) } };
}
