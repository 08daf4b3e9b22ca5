import type { Cluster } from '../cluster.js';
import type { Exchange } from '../http/exchange.js';
import { parseMediaType } from '../http/mediaTypes.js';
import { readBody } from '../http/readBody.js';
import type { ResourceTarget } from '../http/routePath.js';
import type { JsonObject } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { findObject, negotiateObject, requireObject, sendStored } from '../read/getObject.js';
import { gather, sendList } from '../read/listObjects.js';
import { offersForm, representationOf } from '../read/representations.js';
import { selectionOf } from '../read/selection.js';
import { notFound, storageUidConflict } from '../status/statusErrors.js';
import { storageKey, type StoredObject } from '../store/storedObject.js';
import { createObject } from './createObject.js';
import { decodeObject } from './decodeObject.js';
import { deleteObject } from './deleteObject.js';
import { deleteOptionsOf, type DeleteOptions } from './deleteOptions.js';
import { acceptFields } from './fieldValidation.js';
import { submittedMetaOf } from './objectMeta.js';
import { updateObject } from './updateObject.js';
import { writeOptionsOf } from './writeOptions.js';

/** The object in the body of a request, as its kind reads it. */
function submittedObject(cluster: Cluster, exchange: Exchange, resource: ServedResource, body: Buffer): JsonObject {
  const contentType = exchange.incoming.headers['content-type'];
  const object = decodeObject(cluster, resource, contentType, body);
  const isJson = contentType === undefined || parseMediaType(contentType).type === 'application/json';
  return acceptFields(cluster, exchange, resource, { object, by: 'body', ...(isJson && { json: body }) });
}

/** Handles a POST to a collection. */
export async function handleCreate(cluster: Cluster, exchange: Exchange, { resource, namespace }: ResourceTarget): Promise<void> {
  negotiateObject(exchange, resource);
  const options = writeOptionsOf('CreateOptions', exchange);
  const body = await readBody(exchange.incoming);
  const object = submittedObject(cluster, exchange, resource, body);
  await sendStored(exchange, resource, 201, createObject(cluster, resource, namespace, object, options));
}

/** Handles a PUT of an object, or of its `status` or `finalize` subresource. */
export async function handleReplace(cluster: Cluster, exchange: Exchange, target: ResourceTarget): Promise<void> {
  const { resource, namespace, name, subresource } = target;
  negotiateObject(exchange, resource);
  const options = writeOptionsOf('UpdateOptions', exchange);
  const body = await readBody(exchange.incoming);
  const object = submittedObject(cluster, exchange, resource, body);
  const existing = findObject(cluster, target);
  if (existing !== undefined) {
    await sendStored(exchange, resource, 200, updateObject(cluster, target, existing, object, { ...options, subresource, patch: false }));
    return;
  }
  const { uid, name: submitted } = submittedMetaOf(resource, object);
  if (uid !== '') throw storageUidConflict(resource, storageKey(namespace, name), name, uid, '');
  if (resource.rules.createOnUpdate !== true || subresource !== '' || submitted !== name) throw notFound(resource, name);
  await sendStored(exchange, resource, 201, createObject(cluster, resource, namespace, object, options));
}

function successStatus({ group, plural }: ServedResource, { name, content }: StoredObject): object {
  const details = { name, ...(group !== '' && { group }), kind: plural, uid: content.metadata.uid };
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
}

async function readDeleteOptions(exchange: Exchange): Promise<DeleteOptions> {
  const body = await readBody(exchange.incoming);
  return deleteOptionsOf(exchange.parameters, exchange.incoming.headers['content-type'], body);
}

/** Handles a DELETE of one object. */
export async function handleDelete(cluster: Cluster, exchange: Exchange, target: ResourceTarget): Promise<void> {
  const { resource } = target;
  negotiateObject(exchange, resource);
  const options = await readDeleteOptions(exchange);
  const { object, removed } = deleteObject(cluster, resource, requireObject(cluster, target), options);
  const code = !removed && options.accepted ? 202 : 200;
  if (removed && resource.rules.deleteReturnsObject !== true) await exchange.sendObject(code, successStatus(resource, object));
  else await sendStored(exchange, resource, code, object);
}

/** Handles a DELETE of a collection: not as one step, and answered with the list of what was deleted. */
export async function handleDeleteCollection(cluster: Cluster, exchange: Exchange, target: ResourceTarget): Promise<void> {
  const { resource } = target;
  const { store } = cluster;
  exchange.negotiate({ yaml: true, converts: offersForm });
  const representation = representationOf(resource, exchange, 'list');
  if (representation === 'closed') throw new Error('only watches can be closed');
  const selection = selectionOf(target, exchange.parameters);
  const options = await readDeleteOptions(exchange);
  const bucket = store.bucket(resource.bucketId);
  const plan = { root: bucket.root, resourceVersion: store.resourceVersion, start: '', limit: undefined };
  const page = await gather(plan, selection);
  for (const { key } of page) {
    const existing = bucket.get(key);
    if (existing !== undefined) deleteObject(cluster, resource, existing, options);
  }
  await sendList(exchange, representation, page, plan, selection);
}
