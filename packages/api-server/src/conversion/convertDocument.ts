import type { Cluster } from '../cluster.js';
import { asJsonObject, without, type JsonObject } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';
import type { StoredContent } from '../store/storedObject.js';

/** Converts an object from one version of a resource to another. A subresource with a kind of its own is not converted. */
export async function convertDocument(
  cluster: Cluster,
  document: JsonObject,
  from: ServedResource,
  to: ServedResource,
): Promise<JsonObject> {
  if (from.groupVersion === to.groupVersion || document['kind'] !== from.kind) return document;
  const webhook = from.custom?.webhook;
  if (webhook !== undefined) {
    const [converted = document] = await webhook.convert(to.groupVersion, [document]);
    // The metadata is kept, except for the labels and annotations, which a webhook may change.
    const { labels, annotations } = asJsonObject(converted['metadata']);
    return { ...converted, metadata: { ...asJsonObject(document['metadata']), labels, annotations } };
  }
  const fields = without(document, 'kind', 'apiVersion');
  const stored = from.conversion?.toStored(fields) ?? fields;
  return { kind: to.kind, apiVersion: to.groupVersion, ...(to.conversion?.fromStored(stored as StoredContent) ?? stored) };
}
