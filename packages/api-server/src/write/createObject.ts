import { withManagers } from '../apply/withManagers.js';
import type { Cluster } from '../cluster.js';
import { timestamp } from '../clock.js';
import { without, type JsonObject } from '../json.js';
import { hasStatusSubresource, type ServedResource } from '../kinds/servedResource.js';
import { defaultTyped } from '../schema/builtIn/defaultTyped.js';
import { typeOf } from '../schema/builtIn/typeNode.js';
import { alreadyExists, badRequest, bareError, forbidden, invalid, namesExhausted, notFound } from '../status/statusErrors.js';
import { shownObjectOf, storageKey, type StoredContent, type StoredObject } from '../store/storedObject.js';
import { completeContent } from './completeContent.js';
import { largestVersion, orderedMeta, submittedMetaOf, type SubmittedMeta } from './objectMeta.js';
import { groupOf, objectErrors } from './objectErrors.js';
import type { WriteOptions } from './writeOptions.js';

/** How an object is created. */
export interface CreateOptions extends WriteOptions {
  /** Keeps the status that was sent, and allows an incomplete spec: for objects created by a test. */
  readonly keepStatus?: boolean | undefined;
  /** Whether a version that was sent means nothing: that of a PUT which creates. */
  readonly anyVersion?: boolean | undefined;
}

const generatedLength = 5;
const longestBase = 63 - generatedLength;

function generatedName(cluster: Cluster, resource: ServedResource, namespace: string, base: string): string {
  const { random, store, features } = cluster;
  const bucket = store.bucket(resource.bucketId);
  const tries = features.modern ? 8 : 1;
  let name = '';
  for (let attempt = 0; attempt < tries; attempt += 1) {
    name = base.slice(0, longestBase) + random.suffix(generatedLength);
    if (bucket.get(storageKey(namespace, name)) === undefined) return name;
  }
  throw namesExhausted(resource, name);
}

/** Objects can only be created in namespaces that exist and are not being deleted. */
function checkNamespace(cluster: Cluster, resource: ServedResource, namespace: string, name: string): void {
  if (!resource.namespaced) return;
  const found = cluster.store.bucket('/namespaces').get(namespace);
  if (found === undefined) throw notFound({ group: '', plural: 'namespaces' }, namespace);
  if (found.head.deletionTimestamp === undefined) return;
  throw forbidden(resource, name, `unable to create new content in namespace ${namespace} because it is being terminated`, [
    { reason: 'NamespaceTerminating', message: `namespace ${namespace} is being terminated`, field: 'metadata.namespace' },
  ]);
}

/** The object with the initial status of its kind. */
function withFirstStatus(
  { clock }: Cluster,
  resource: ServedResource,
  object: StoredContent,
  { keepStatus, untyped, applied }: CreateOptions,
): StoredContent {
  const { initialStatus } = resource.rules;
  if (initialStatus === undefined || !hasStatusSubresource(resource) || (keepStatus === true && object['status'] !== undefined))
    return object;
  const rest = without(object, 'status') as StoredContent;
  // The status that was sent is dropped; the default of a custom resource's status is not.
  if (initialStatus === 'none')
    return object['status'] === undefined ? rest : ((resource.rules.complete?.(rest, applied) ?? rest) as StoredContent);
  const status = typeof initialStatus === 'function' ? initialStatus(object, timestamp(clock.now())) : initialStatus;
  const type = untyped === true ? undefined : typeOf(resource)?.fields.get('status');
  return { ...rest, status: type === undefined ? status : defaultTyped(status, type) };
}

function contentOf(
  cluster: Cluster,
  resource: ServedResource,
  object: JsonObject,
  namespace: string,
  meta: SubmittedMeta,
  options: CreateOptions,
): StoredContent {
  const { clock, random } = cluster;
  const name = meta.name === '' && meta.generateName !== '' ? generatedName(cluster, resource, namespace, meta.generateName) : meta.name;
  const metadata = orderedMeta({
    ...meta,
    name,
    namespace,
    uid: random.uid(),
    // The storage sets the version, which a dry run does not reach.
    resourceVersion: options.dryRun ? meta.resourceVersion : '',
    generation: resource.rules.generation === true ? 1 : meta.generation === 0 ? undefined : meta.generation,
    creationTimestamp: timestamp(clock.now()),
  });
  const plain = without(object, 'kind', 'apiVersion', 'metadata');
  return completeContent(resource, metadata, plain, options);
}

/** An object to create. */
export interface Draft {
  /** The object as it will be stored. */
  readonly content: StoredContent;
  readonly submitted: SubmittedMeta;
}

/**
 * Builds the object to create: the server sets uid, timestamps and versions, whatever was sent.
 *
 * @throws StatusError when it cannot be created in its namespace.
 */
export function draftObject(
  cluster: Cluster,
  resource: ServedResource,
  urlNamespace: string,
  object: JsonObject,
  options: CreateOptions,
): Draft {
  const meta = submittedMetaOf(resource, object);
  if (resource.namespaced && meta.namespace !== '' && meta.namespace !== urlNamespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  const namespace = resource.namespaced ? urlNamespace : '';
  checkNamespace(cluster, resource, namespace, meta.name);
  const made = contentOf(cluster, resource, object, namespace, meta, options);
  // Fields that the server adds from here on have no owner.
  const owned = withManagers(cluster, { resource, before: undefined, after: made, sent: meta.managedFields, subresource: '' }, options);
  const admitted = resource.rules.admit?.(owned, { store: cluster.store, random: cluster.random, ...options }) ?? owned;
  return { content: withFirstStatus(cluster, resource, admitted, options), submitted: meta };
}

/** Validates an object to create. */
export function checkDraft(resource: ServedResource, { content, submitted }: Draft, options: CreateOptions): void {
  const errors = objectErrors(resource, content, options.keepStatus === true);
  if (errors.length > 0) throw invalid(resource.kind, groupOf(resource), content.metadata.name, errors);
  // This error is from the storage, which a dry run does not reach; it does not read what is no number.
  const isVersion = /^0*[1-9]\d*$/.test(submitted.resourceVersion) && BigInt(submitted.resourceVersion) <= largestVersion;
  if (isVersion && !options.dryRun && options.anyVersion !== true)
    throw bareError('resourceVersion should not be set on objects to be created');
}

/** Stores a new object in the stored version. */
export function storeNew(cluster: Cluster, resource: ServedResource, content: StoredContent, options: CreateOptions): StoredObject {
  const { name, namespace = '', generateName } = content.metadata;
  const existing = cluster.store.bucket(resource.bucketId).get(storageKey(namespace, name));
  if (existing !== undefined && generateName !== undefined) throw namesExhausted(resource, name);
  if (existing !== undefined) throw alreadyExists(resource, name, existing.head.deletionTimestamp !== undefined);
  return options.dryRun ? shownObjectOf(content) : cluster.store.commit(resource.bucketId, 'ADDED', content);
}

/**
 * Creates an object.
 *
 * @throws StatusError when the object is refused.
 */
export function createObject(
  cluster: Cluster,
  resource: ServedResource,
  urlNamespace: string,
  object: JsonObject,
  options: CreateOptions,
): StoredObject {
  const draft = draftObject(cluster, resource, urlNamespace, object, options);
  checkDraft(resource, draft, options);
  return storeNew(cluster, resource, draft.content, options);
}
