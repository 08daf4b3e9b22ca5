import type { Cluster } from '../../cluster.js';
import { asJsonObject, without, type JsonObject } from '../../json.js';
import type { ServedResource } from '../../kinds/servedResource.js';
import { decodeTyped, TypeMismatchError } from '../../schema/builtIn/decodeTyped.js';
import { typeOf } from '../../schema/builtIn/typeNode.js';
import { internalError } from '../../status/statusErrors.js';
import { storedObjectOf, type StoredContent, type StoredMeta, type StoredObject } from '../../store/storedObject.js';
import { orderedMeta } from '../objectMeta.js';

/** The resource without its conversion webhook: a write is computed in the version of the request, and converted at the end. */
export function ownWords(resource: ServedResource): ServedResource {
  if (resource.custom?.webhook === undefined) return resource;
  const { conversion: _, ...own } = resource;
  return own;
}

/** A stored object in the version of the request, if the resource has a conversion webhook. */
export function inOwnWords(resource: ServedResource, existing: StoredObject): StoredObject {
  if (resource.custom?.webhook === undefined || resource.conversion === undefined) return existing;
  return storedObjectOf(resource.conversion.fromStored(existing.content), existing.resourceVersion);
}

/** The object in the stored version. With a conversion webhook, it is also converted to every requested version. */
export async function inStoredWords(
  cluster: Cluster,
  { custom, kind, groupVersion }: ServedResource,
  content: StoredContent,
): Promise<StoredContent> {
  const webhook = custom?.webhook;
  if (webhook === undefined) return content;
  let stored = content;
  if (groupVersion !== webhook.stored) {
    const [converted = {}] = await webhook.convert(webhook.stored, [{ apiVersion: groupVersion, kind, ...content }]);
    const { labels, annotations } = asJsonObject(converted['metadata']) as Partial<StoredMeta>;
    stored = { metadata: orderedMeta(content.metadata, { labels, annotations }), ...without(converted, 'kind', 'apiVersion', 'metadata') };
  }
  const shown = groupVersion === webhook.stored ? [] : [groupVersion];
  for (const version of new Set([...webhook.wanted, ...shown])) await webhook.prepare(version, [stored]);
  return stored;
}

/**
 * An object changed by webhooks, decoded by its kind.
 *
 * @throws StatusError 500 for a value of the wrong type.
 */
export function reread({ schema }: Cluster, resource: ServedResource, object: JsonObject): JsonObject {
  const type = schema ? typeOf(resource) : undefined;
  if (type === undefined) return object;
  try {
    return decodeTyped(object, type).object;
  } catch (error) {
    if (error instanceof TypeMismatchError) throw internalError(error.message);
    throw error;
  }
}
