import type { Cluster } from '../cluster.js';
import type { Exchange } from '../http/exchange.js';
import { parseMediaType } from '../http/mediaTypes.js';
import { readBody } from '../http/readBody.js';
import type { ResourceTarget } from '../http/routePath.js';
import { isJsonObject, type Json, type JsonObject } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { findObject, negotiateObject, sendStored } from '../read/getObject.js';
import { invalid, invalidValue, notFound, unknownMediaType, unsupportedMediaType } from '../status/statusErrors.js';
import type { StoredObject } from '../store/storedObject.js';
import { createObject } from './createObject.js';
import { checkKind } from './decodeObject.js';
import { patchOptionsOf } from './patchOptionsOf.js';
import { patchTypes, type PatchType } from './patchTypes.js';
import { acceptFields } from './fieldValidation.js';
import { submittedMetaOf } from './objectMeta.js';
import { checkNames, updateObject } from './updateObject.js';

function patchTypeOf({ custom }: ServedResource, contentType: string | undefined): PatchType {
  const { type } = parseMediaType(contentType ?? '');
  const found = patchTypes.find((patchType) => patchType.contentType === type);
  if (found === undefined) throw unknownMediaType(415);
  if (custom === undefined || found.custom) return found;
  throw unsupportedMediaType(patchTypes.filter((patchType) => patchType.custom).map((patchType) => patchType.contentType));
}

/** The object as a version of its resource shows it. */
export function documentOf(resource: ServedResource, stored: StoredObject): JsonObject {
  const content = resource.conversion?.fromStored(stored.content) ?? stored.content;
  return { kind: resource.kind, apiVersion: resource.groupVersion, ...content };
}

function checkResult(cluster: Cluster, resource: ServedResource, result: Json): JsonObject {
  if (isJsonObject(result)) {
    checkKind(cluster, resource, result);
    return result;
  }
  const text = JSON.stringify(result);
  throw invalid('', '', '', [invalidValue('patch', JSON.stringify(text), 'json: cannot unmarshal into an object')]);
}

/** Handles a PATCH of an object, or of its `status` subresource. */
export async function handlePatch(cluster: Cluster, exchange: Exchange, target: ResourceTarget): Promise<void> {
  const { resource, namespace, name, subresource } = target;
  const { parameters, incoming } = exchange;
  const type = patchTypeOf(resource, incoming.headers['content-type']);
  const { creates } = type;
  negotiateObject(exchange, resource);
  const options = patchOptionsOf(exchange, type);
  const body = await readBody(incoming);
  const existing = findObject(cluster, target);
  if (existing === undefined && !(creates && subresource === '')) throw notFound(resource, name);
  const document = existing === undefined ? undefined : documentOf(resource, existing);
  const { manager = '' } = options;
  const input = { cluster, resource, document, body, subresource, manager, force: parameters.flag('force') };
  const patched = checkResult(cluster, resource, type.apply(input));
  const result = acceptFields(cluster, exchange, resource, { object: patched, by: creates ? 'apply' : 'patch' });
  if (existing === undefined) {
    checkNames(target, submittedMetaOf(resource, result));
    await sendStored(exchange, resource, 201, createObject(cluster, resource, namespace, result, options));
    return;
  }
  await sendStored(exchange, resource, 200, updateObject(cluster, target, existing, result, { ...options, subresource, patch: true }));
}
