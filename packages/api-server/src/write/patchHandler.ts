import type { Cluster } from '../cluster.js';
import type { Exchange } from '../http/exchange.js';
import { readBody } from '../http/readBody.js';
import type { ResourceTarget } from '../http/routePath.js';
import { asJsonObject, asString, isJsonObject, valueAt, without, type Json, type JsonObject } from '../json.js';
import { findObject, negotiateObject, sendStored } from '../read/getObject.js';
import { conflict, invalid, invalidValue, notFound } from '../status/statusErrors.js';
import { checkNames } from './checkNames.js';
import { checkKind } from './decodeObject.js';
import { documentOf } from './documentOf.js';
import type { StoredObject } from '../store/storedObject.js';
import { patchOptionsOf } from './patchOptionsOf.js';
import { patchTypeOf } from './patchTypes.js';
import { acceptFields, ofKind } from './fieldValidation.js';
import { checkVersion, submittedMetaOf } from './objectMeta.js';
import { submitCreate } from './submit/submitCreate.js';
import { submitUpdate } from './submit/submitUpdate.js';

function checkResult(result: Json): JsonObject {
  if (isJsonObject(result)) return result;
  throw invalid('', '', '', [invalidValue('patch', JSON.stringify(result), 'expected an object')]);
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
    const patched = checkResult(result);
    const { by } = type;
    const problems = (): readonly string[] => type.problems(body, sent);
    const submission = { object: patched, known: document, by, problems };
    const asked = by === 'apply' ? submission : ofKind(resource, submission);
    if (resource.custom !== undefined) checkKind(resource, asked.object);
    return acceptFields(cluster, exchange, resource, asked);
  };
  if (findObject(cluster, target) !== undefined) {
    const updated = await submitUpdate(cluster, exchange, target, patch, { ...options, subresource, patch: true });
    await sendStored(exchange, resource, 200, updated);
    return;
  }
  if (!creates || subresource !== '') throw notFound(resource, name);
  cluster.access.check(exchange.user, exchange, 'create');
  const applied = patch(undefined);
  checkVersion(asString(valueAt(applied, 'metadata', 'resourceVersion')));
  // Without an existing object, a resourceVersion is ignored.
  const object = { ...applied, metadata: without(asJsonObject(applied['metadata']), 'resourceVersion') };
  const meta = submittedMetaOf(resource, object);
  checkNames(target, meta);
  if (meta.uid !== '')
    throw conflict(resource, name, `uid mismatch: the provided object specified uid ${meta.uid}, and no existing object was found`);
  await sendStored(exchange, resource, 201, await submitCreate(cluster, exchange, { resource, namespace }, object, options));
}
