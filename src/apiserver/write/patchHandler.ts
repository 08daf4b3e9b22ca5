import type { Cluster } from '../cluster.js';
import type { Exchange } from '../http/exchange.js';
import { parseMediaType } from '../http/mediaTypes.js';
import { readBody } from '../http/readBody.js';
import type { ResourceTarget } from '../http/routePath.js';
import { asJsonObject, asString, isJsonObject, valueAt, without, type Json, type JsonObject } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { findObject, negotiateObject, sendStored } from '../read/getObject.js';
import { bareError, conflict, invalid, invalidValue, notFound, unknownMediaType, unsupportedMediaType } from '../status/statusErrors.js';
import { checkNames } from './checkNames.js';
import { checkKind } from './decodeObject.js';
import { documentOf } from './documentOf.js';
import type { StoredObject } from '../store/storedObject.js';
import { patchOptionsOf } from './patchOptionsOf.js';
import { patchTypes, type PatchType } from './patchTypes.js';
import { acceptFields, ofKind } from './fieldValidation.js';
import { submittedMetaOf } from './objectMeta.js';
import { submitCreate } from './submit/submitCreate.js';
import { submitUpdate } from './submit/submitUpdate.js';

function patchTypeOf({ custom }: ServedResource, contentType: string | undefined): PatchType {
  const { type } = parseMediaType(contentType ?? '');
  const found = patchTypes.find((patchType) => patchType.contentType === type);
  if (found === undefined && custom === undefined) throw unknownMediaType(415);
  if (found !== undefined && (custom === undefined || found.custom)) return found;
  throw unsupportedMediaType(patchTypes.filter((patchType) => patchType.custom).map((patchType) => patchType.contentType));
}

function checkResult(cluster: Cluster, resource: ServedResource, result: Json): JsonObject {
  if (isJsonObject(result)) {
    if (resource.custom !== undefined) checkKind(cluster, resource, result);
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
  const { manager = '' } = options;
  const lenient = parameters.text('fieldValidation') === 'Ignore';
  const patch = (existing: StoredObject | undefined): JsonObject => {
    const document = existing === undefined ? undefined : documentOf(resource, existing);
    const input = { cluster, resource, document, body, subresource, manager, force: parameters.flag('force'), lenient };
    const { result, patch: sent } = type.apply(input);
    const patched = checkResult(cluster, resource, result);
    const { by } = type;
    const problems = (): readonly string[] => type.problems(body, sent);
    const shown = type.shown && ((): string => type.shown?.(sent) ?? '');
    const submission = { object: patched, known: document, by, problems, shown };
    if (resource.custom === undefined && by !== 'apply') return acceptFields(cluster, exchange, resource, ofKind(resource, submission));
    return acceptFields(cluster, exchange, resource, submission);
  };
  if (findObject(cluster, target) !== undefined) {
    const updated = await submitUpdate(cluster, exchange, target, patch, { ...options, subresource, patch: true });
    await sendStored(exchange, resource, 200, updated);
    return;
  }
  if (!creates || subresource !== '') throw notFound(resource, name);
  cluster.access.check(exchange.user, exchange, 'create');
  const applied = patch(undefined);
  const version = asString(valueAt(applied, 'metadata', 'resourceVersion'));
  if (!/^\d*$/.test(version)) throw bareError(`strconv.ParseUint: parsing ${JSON.stringify(version)}: invalid syntax`);
  // Without an existing object, a resourceVersion is ignored.
  const object = { ...applied, metadata: without(asJsonObject(applied['metadata']), 'resourceVersion') };
  const meta = submittedMetaOf(resource, object);
  checkNames(target, meta);
  if (meta.uid !== '')
    throw conflict(resource, name, `uid mismatch: the provided object specified uid ${meta.uid}, and no existing object was found`);
  await sendStored(exchange, resource, 201, await submitCreate(cluster, exchange, { resource, namespace }, object, options));
}
