import type { JsonObject } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';
import type { StoredContent } from '../store/storedObject.js';

/** The object in a version of its resource. */
export function documentOf(resource: ServedResource, stored: { readonly content: StoredContent }): JsonObject {
  const content = resource.conversion?.fromStored(stored.content) ?? stored.content;
  return { kind: resource.kind, apiVersion: resource.groupVersion, ...content };
}
