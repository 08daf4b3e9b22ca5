import { asJsonObject, objectsAt, type JsonObject } from '../json.js';
import type { StoredContent } from '../store/storedObject.js';

/** The CertificateSigningRequest after a write to its `approval` subresource: only the conditions change, and new ones get their times. */
export function approvedThrough(existing: StoredContent, submitted: JsonObject, now: string): StoredContent {
  const conditions = objectsAt(submitted, 'status', 'conditions').map((condition) => {
    const { lastUpdateTime, lastTransitionTime } = condition;
    return { ...condition, lastUpdateTime: lastUpdateTime ?? now, lastTransitionTime: lastTransitionTime ?? now };
  });
  return { ...existing, status: { ...asJsonObject(existing['status']), ...(conditions.length > 0 && { conditions }) } };
}
