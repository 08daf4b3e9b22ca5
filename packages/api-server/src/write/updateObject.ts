import { withManagers } from '../apply/withManagers.js';
import { timestamp } from '../clock.js';
import type { Cluster } from '../cluster.js';
import { asJsonObject, equalBeside, isJsonArray, isEqualJson, valueAt, without, type JsonObject } from '../json.js';
import { hasStatusSubresource, type ServedResource } from '../kinds/servedResource.js';
import { forbiddenField, invalid, invalidValue, modifiedConflict, storageUidConflict, type FieldError } from '../status/statusErrors.js';
import { shownObjectOf, type StoredContent, type StoredMeta, type StoredObject } from '../store/storedObject.js';
import { approvedThrough } from './approvedThrough.js';
import { checkNames } from './checkNames.js';
import { completeContent } from './completeContent.js';
import { checkVersion, orderedMeta, submittedMetaOf, type SubmittedMeta } from './objectMeta.js';
import { groupOf, kindErrors } from './objectErrors.js';
import { changedMetaErrors } from './validateMeta.js';
import { podSubresourceErrors, podSubresources, podThrough } from './podSubresources.js';
import type { WriteOptions } from './writeOptions.js';

/** Options of an update. */
export interface UpdateOptions extends WriteOptions {
  /** `''` for the object itself; `status` and `finalize` change only their own fields. */
  readonly subresource: string;
  /** Whether this is a patch: without a resourceVersion in it, the current one is used. */
  readonly patch: boolean;
  /** Keeps the status that was sent, and allows an incomplete spec and an update without a version: for objects of a test. */
  readonly keepStatus?: boolean | undefined;
}

/** Identifies one object by its namespace and name. */
export interface ObjectTarget {
  readonly resource: ServedResource;
  readonly namespace: string;
  readonly name: string;
}

function checkPreconditions(resource: ServedResource, existing: StoredObject, meta: SubmittedMeta, options: UpdateOptions): void {
  const { patch, dryRun, keepStatus, through } = options;
  const { uid, resourceVersion } = existing.content.metadata;
  const { name } = existing;
  if (meta.uid !== '' && meta.uid !== uid) {
    if (!patch || through === 'scale') throw storageUidConflict(resource, existing.key, name, meta.uid, uid, dryRun);
    const immutable = invalidValue('metadata.uid', JSON.stringify(meta.uid), 'field is immutable');
    throw invalid(resource.kind, resource.group, name, [immutable, immutable]);
  }
  if (meta.resourceVersion === '' || meta.resourceVersion === '0') {
    if (keepStatus === true || through === 'scale' || resource.rules.versionedUpdates !== true) return;
    throw invalid(resource.plural, resource.group, name, [
      invalidValue('metadata.resourceVersion', '0', 'must be specified for an update'),
    ]);
  }
  checkVersion(meta.resourceVersion);
  if (meta.resourceVersion !== resourceVersion) throw modifiedConflict(resource, name);
}

/** The metadata after an update: some fields come from the client, the others from the server. */
function updatedMeta(existing: StoredMeta, meta: SubmittedMeta | undefined): StoredMeta {
  if (meta === undefined) return existing;
  return orderedMeta(existing, {
    generateName: meta.generateName === '' ? undefined : meta.generateName,
    labels: meta.labels,
    annotations: meta.annotations,
    finalizers: meta.finalizers,
    ownerReferences: meta.ownerReferences,
  });
}

/** The status subresource of built-in kinds can also change metadata; deployments keep their labels. */
function metaThroughStatus({ bucketId }: ServedResource, existing: StoredMeta, meta: SubmittedMeta | undefined): StoredMeta {
  const updated = updatedMeta(existing, meta);
  return bucketId === 'apps/deployments' ? orderedMeta(updated, { labels: existing.labels }) : updated;
}

/** Whether a write does not change metadata, like most patches. */
function leavesMeta({ metadata }: StoredContent, object: JsonObject): boolean {
  return object['metadata'] === metadata;
}

/** The requested content, before the generation is increased. */
function requested(
  resource: ServedResource,
  existing: StoredContent,
  object: JsonObject,
  meta: SubmittedMeta | undefined,
  options: UpdateOptions,
  { clock }: Pick<Cluster, 'clock'>,
): StoredContent {
  const { subresource, keepStatus } = options;
  if (subresource === 'approval')
    return { ...approvedThrough(existing, object, timestamp(clock.now())), metadata: updatedMeta(existing.metadata, meta) };
  if (subresource === 'status' || podSubresources.has(subresource)) {
    const sent = completeContent(resource, existing.metadata, without(object, 'kind', 'apiVersion', 'metadata'), options);
    if (subresource !== 'status') return podThrough(subresource, existing, sent);
    const status = withStatus(existing, sent['status']);
    return resource.custom === undefined && resource.rules.keepsMeta !== true
      ? { ...status, metadata: metaThroughStatus(resource, existing.metadata, meta) }
      : status;
  }
  if (subresource === 'finalize') {
    return { ...existing, spec: { ...asJsonObject(existing['spec']), finalizers: valueAt(object, 'spec', 'finalizers') ?? [] } };
  }
  const plain = without(object, 'kind', 'apiVersion', 'metadata');
  const completed = completeContent(resource, updatedMeta(existing.metadata, meta), plain, options);
  const kept = resource.rules.keepOnUpdate?.(existing, completed) ?? completed;
  const statusKept = keepStatus === true && kept['status'] !== undefined;
  return hasStatusSubresource(resource) && !statusKept ? withStatus(kept, existing['status']) : kept;
}

function withStatus(content: StoredContent, status: JsonObject[string]): StoredContent {
  return (status === undefined || status === null ? without(content, 'status') : { ...content, status }) as StoredContent;
}

const noStatus: ReadonlySet<string> = new Set(['metadata', 'status']);
const noMeta: ReadonlySet<string> = new Set(['metadata']);

/** Whether a write increases the generation; for deployments, a change of annotations does as well. */
function counts(resource: ServedResource, existing: StoredContent, content: StoredContent): boolean {
  if (!equalBeside(hasStatusSubresource(resource) ? noStatus : noMeta, existing, content)) return true;
  return resource.bucketId === 'apps/deployments' && !isEqualJson(existing.metadata.annotations ?? {}, content.metadata.annotations ?? {});
}

function withGeneration(resource: ServedResource, existing: StoredContent, content: StoredContent, subresource: string): StoredContent {
  if (
    resource.rules.generation !== true ||
    ['status', 'finalize', 'approval'].includes(subresource) ||
    !counts(resource, existing, content)
  )
    return content;
  const generation = (existing.metadata.generation ?? 0) + 1;
  return { ...content, metadata: orderedMeta(content.metadata, { generation }) };
}

/** The deletion timestamp can only be set by a DELETE, and not be removed. */
function deletionErrors(existing: StoredMeta, object: JsonObject): readonly FieldError[] {
  const sent = asJsonObject(object['metadata']);
  return (['deletionTimestamp', 'deletionGracePeriodSeconds'] as const).flatMap((name) => {
    const value = sent[name];
    if (value === undefined || value === null || value === existing[name]) return [];
    return [invalidValue(`metadata.${name}`, JSON.stringify(value), 'field is immutable')];
  });
}

function newFinalizerErrors(existing: StoredMeta, meta: StoredMeta): readonly FieldError[] {
  if (existing.deletionTimestamp === undefined) return [];
  const known = existing.finalizers ?? [];
  const added = (meta.finalizers ?? []).filter((finalizer) => !known.includes(finalizer));
  if (added.length === 0) return [];
  const shown = added.map((finalizer) => JSON.stringify(finalizer)).join(', ');
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${shown}}`;
  return [forbiddenField('metadata.finalizers', detail)];
}

/** Whether an object that is being deleted can be removed now. */
export function isDue(content: StoredContent, isNamespace: boolean): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = content.metadata;
  const inside = isNamespace ? valueAt(content, 'spec', 'finalizers') : undefined;
  const held = Array.isArray(inside) && inside.length > 0;
  return deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0 && finalizers.length === 0 && !held;
}

/**
 * The object after the write.
 *
 * @throws StatusError when the name, uid or version does not match.
 */
export function draftUpdate(
  cluster: Cluster,
  target: ObjectTarget,
  existing: StoredObject,
  object: JsonObject,
  options: UpdateOptions,
): StoredContent {
  const { resource } = target;
  const before = existing.content;
  const meta = leavesMeta(before, object) ? undefined : submittedMetaOf(resource, object);
  if (meta !== undefined) {
    checkNames(target, meta);
    checkPreconditions(resource, existing, meta, options);
  }
  const asked = requested(resource, before, object, meta, options, cluster);
  const known = before.metadata['managedFields'];
  const sent = meta === undefined ? (isJsonArray(known) ? known : undefined) : meta.managedFields;
  const owned = withManagers(cluster, { resource, before, after: asked, sent, subresource: options.subresource }, options);
  // Fields that the server adds from here on have no owner.
  const admitted =
    options.subresource === ''
      ? (resource.rules.admit?.(owned, { store: cluster.store, random: cluster.random, before, ...options }) ?? owned)
      : owned;
  return withGeneration(resource, before, admitted, options.subresource);
}

/** The status of a custom resource is validated on its own: messages name its fields without a prefix. */
function ownErrors(errors: readonly FieldError[], { custom }: ServedResource, { subresource }: UpdateOptions): readonly FieldError[] {
  if (custom === undefined || subresource !== 'status') return errors;
  return errors.map((error) => ({ ...error, message: error.message.replace(/(^|: )status\.(?=\S+ in body )/, '$1') }));
}

/** Validates an update; `object` is the submitted object. */
export function checkUpdate(
  { resource }: ObjectTarget,
  existing: StoredObject,
  object: JsonObject,
  content: StoredContent,
  options: UpdateOptions,
): void {
  const before = existing.content;
  const reshaping = podSubresources.has(options.subresource);
  const fixture = options.keepStatus === true;
  const changes = [...newFinalizerErrors(before.metadata, content.metadata), ...deletionErrors(before.metadata, fixture ? {} : object)];
  const errors = [
    ...(leavesMeta(before, object) ? [] : changedMetaErrors(content.metadata, resource.rules, changes, options.subresource === '')),
    ...ownErrors(kindErrors(resource, content, reshaping ? undefined : before, fixture), resource, options),
    ...podSubresourceErrors(options.subresource, before, content),
  ];
  if (errors.length > 0) throw invalid(resource.kind, groupOf(resource), existing.name, errors);
}

const noOwners: ReadonlySet<string> = new Set(['managedFields']);
const noTime: ReadonlySet<string> = new Set(['time']);

/** Whether two versions of an object differ at most in the times at which its fields were written. */
function sameButTimes(before: StoredContent, after: StoredContent): boolean {
  if (!equalBeside(noMeta, before, after) || !equalBeside(noOwners, before.metadata, after.metadata)) return false;
  const [known, now] = [before, after].map(({ metadata: { managedFields } }) => (isJsonArray(managedFields) ? managedFields : []));
  return (
    known?.length === now?.length && now?.every((entry, at) => equalBeside(noTime, asJsonObject(known?.[at]), asJsonObject(entry))) === true
  );
}

/**
 * Stores a changed object in the storage version. A write without a change is skipped; an object that is being deleted is removed together
 * with its last finalizer.
 */
export function storeUpdate(
  { store }: Cluster,
  resource: ServedResource,
  existing: StoredObject,
  content: StoredContent,
  dryRun: boolean,
): StoredObject {
  if (isDue(content, resource.bucketId === '/namespaces')) {
    if (!dryRun) store.commit(resource.bucketId, 'DELETED', content);
    return shownObjectOf(content);
  }
  if (sameButTimes(existing.content, content)) return existing;
  return dryRun ? shownObjectOf(content) : store.commit(resource.bucketId, 'MODIFIED', content);
}

/**
 * Changes an existing object to the one submitted, as a PUT or PATCH does.
 *
 * @throws StatusError when the change is refused.
 */
export function updateObject(
  cluster: Cluster,
  target: ObjectTarget,
  existing: StoredObject,
  object: JsonObject,
  options: UpdateOptions,
): StoredObject {
  const content = draftUpdate(cluster, target, existing, object, options);
  checkUpdate(target, existing, object, content, options);
  return storeUpdate(cluster, target.resource, existing, content, options.dryRun);
}
