import type { Cluster } from '../cluster.js';
import type { Exchange } from '../http/exchange.js';
import { objectTypeOf } from '../http/decodeBody.js';
import { readBody } from '../http/readBody.js';
import type { ResourceTarget } from '../http/routePath.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { findObject, negotiateObject, sendStored } from '../read/getObject.js';
import { checkListOptions, planList } from '../read/listOptions.js';
import { gather, sendList } from '../read/listObjects.js';
import { offersForm, representationOf } from '../read/representations.js';
import { selectionOf } from '../read/selection.js';
import { notFound, storageUidConflict } from '../status/statusErrors.js';
import { storageKey, type StoredObject } from '../store/storedObject.js';
import { checkNames } from './checkNames.js';
import { deleteOptionsOf, type DeleteOptions } from './deleteOptions.js';
import { documentOf } from './documentOf.js';
import { checkVersion, submittedMetaOf } from './objectMeta.js';
import { submitCreate } from './submit/submitCreate.js';
import { submitDelete } from './submit/submitDelete.js';
import { submitUpdate } from './submit/submitUpdate.js';
import { submittedObject } from './submittedObject.js';
import { warn } from './warnings.js';
import { writeOptionsOf } from './writeOptions.js';

/** Handles a POST to a collection. */
export async function handleCreate(cluster: Cluster, exchange: Exchange, { resource, namespace }: ResourceTarget): Promise<void> {
  negotiateObject(exchange, resource);
  objectTypeOf(exchange.incoming.headers['content-type']);
  const options = writeOptionsOf('CreateOptions', exchange);
  const body = await readBody(exchange.incoming);
  const object = submittedObject(cluster, exchange, resource, body);
  await sendStored(exchange, resource, 201, await submitCreate(cluster, exchange, { resource, namespace }, object, options));
}

/** Handles a PUT of an object, or of its `status` or `finalize` subresource. */
export async function handleReplace(cluster: Cluster, exchange: Exchange, target: ResourceTarget): Promise<void> {
  const { resource, namespace, name, subresource } = target;
  negotiateObject(exchange, resource);
  const options = writeOptionsOf('UpdateOptions', exchange);
  const body = await readBody(exchange.incoming);
  const existing = findObject(cluster, target);
  const known = existing === undefined || resource.conversion !== undefined ? undefined : documentOf(resource, existing);
  const object = submittedObject(cluster, exchange, resource, body, known);
  if (existing !== undefined) {
    const updated = await submitUpdate(cluster, exchange, target, () => object, { ...options, subresource, patch: false });
    await sendStored(exchange, resource, 200, updated);
    return;
  }
  const meta = submittedMetaOf(resource, object);
  const { uid, name: submitted } = meta;
  if (cluster.features.modern) checkNames(target, meta);
  // Older servers checked the uid first.
  if (uid !== '' && !cluster.features.modern)
    throw storageUidConflict(resource, storageKey(namespace, name), name, uid, '', options.dryRun);
  if (resource.rules.createOnUpdate !== true || subresource !== '' || submitted !== name) throw notFound(resource, name);
  if (uid !== '') throw storageUidConflict(resource, storageKey(namespace, name), name, uid, '', options.dryRun);
  cluster.access.check(exchange.user, exchange, 'create');
  checkVersion(meta.resourceVersion);
  const created = await submitCreate(cluster, exchange, { resource, namespace }, object, { ...options, anyVersion: true });
  await sendStored(exchange, resource, 201, created);
}

function successStatus({ group, plural }: ServedResource, { name, content }: StoredObject): object {
  const details = { name, ...(group !== '' && { group }), kind: plural, uid: content.metadata.uid };
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
}

const podsStay =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning';

async function readDeleteOptions(exchange: Exchange, { bucketId }: ServedResource): Promise<DeleteOptions> {
  const body = await readBody(exchange.incoming);
  const options = deleteOptionsOf(exchange.parameters, exchange.incoming.headers['content-type'], body);
  if (bucketId === 'batch/jobs' && options.propagationPolicy === undefined) warn(exchange.response, [podsStay]);
  return options;
}

/** Handles a DELETE of one object. */
export async function handleDelete(cluster: Cluster, exchange: Exchange, target: ResourceTarget): Promise<void> {
  const { resource } = target;
  negotiateObject(exchange, resource);
  const options = await readDeleteOptions(exchange, resource);
  const { object, removed } = await submitDelete(cluster, exchange, target, options);
  const code = !removed && options.accepted ? 202 : 200;
  if (removed && resource.rules.deleteReturnsObject !== true) await exchange.sendObject(code, successStatus(resource, object));
  else await sendStored(exchange, resource, code, object);
}

/** Handles a DELETE of a collection: deletes the objects one by one, and answers with the list of them. */
export async function handleDeleteCollection(cluster: Cluster, exchange: Exchange, target: ResourceTarget): Promise<void> {
  const { resource } = target;
  const { store } = cluster;
  exchange.negotiate({ yaml: true, custom: resource.custom !== undefined, converts: offersForm });
  const representation = representationOf(resource, exchange, 'list');
  const selection = selectionOf(target, exchange.parameters, () => checkListOptions(cluster, exchange.parameters));
  const options = await readDeleteOptions(exchange, resource);
  const bucket = store.bucket(resource.bucketId);
  const plan = await planList(cluster, () => bucket, exchange.parameters, { paged: true });
  const page = await gather(plan, selection);
  for (const { key, namespace, name } of page) {
    if (bucket.get(key) !== undefined) await submitDelete(cluster, exchange, { ...target, namespace, name }, options, '');
  }
  await sendList(exchange, representation, page, plan, selection);
}
