import { resourceName } from 'rx-informer/internal';
import type { Cluster } from '../cluster.js';
import { timestamp } from '../clock.js';
import { asJsonObject, isEqualJson, valueAt } from '../json.js';
import { cleanupFinalizer, terminatingStatus } from '../kinds/definitionStatus.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { StatusError } from '../status/statusError.js';
import { forbidden } from '../status/statusErrors.js';
import { shownObjectOf, type StoredContent, type StoredObject } from '../store/storedObject.js';
import type { DeleteOptions } from './deleteOptions.js';
import { orderedMeta } from './objectMeta.js';
import { isDue } from './updateObject.js';

/** The result of a delete. */
export interface Deletion {
  /** The object for the answer. */
  readonly object: StoredObject;
  /** Whether the object is already removed. */
  readonly removed: boolean;
}

const keptNamespaces = new Set(['default', 'kube-system', 'kube-public']);
const defaultGraceSeconds = 30;
const definitions = 'apiextensions.k8s.io/customresourcedefinitions';

/**
 * Checks the preconditions for uid and resourceVersion.
 *
 * @throws StatusError 409
 */
export function checkPreconditions(
  { kind, group }: Pick<ServedResource, 'kind' | 'group'>,
  { name, content }: StoredObject,
  options: DeleteOptions,
): void {
  const { uid, resourceVersion } = content.metadata;
  const fail = (field: string, expected: string, actual: string, guess: string): never => {
    const reason = `the ${field} in the precondition (${expected}) does not match the ${field} in record (${actual}). The object might have been ${guess}`;
    throw new StatusError({
      code: 409,
      reason: 'Conflict',
      message: `Operation cannot be fulfilled on ${resourceName({ group, plural: kind })} "${name}": ${reason}`,
      details: { name, ...(group !== '' && { group }), kind },
    });
  };
  if (options.uid !== undefined && options.uid !== uid) fail('UID', options.uid, uid, 'deleted and then recreated');
  if (options.resourceVersion !== undefined && options.resourceVersion !== resourceVersion)
    fail('ResourceVersion', options.resourceVersion, resourceVersion, 'modified');
}

/** The finalizers that the garbage collector handles. */
const helping = new Set(['orphan', 'foregroundDeletion']);

/** The finalizers after a delete: the propagation policy adds those for the garbage collector. */
function finalizersFor(
  { finalizers = [] }: StoredContent['metadata'],
  { rules }: ServedResource,
  { propagationPolicy: policy }: DeleteOptions,
): readonly string[] {
  if (policy === undefined)
    return rules.orphans === true && !finalizers.some((name) => helping.has(name)) ? [...finalizers, 'orphan'] : finalizers;
  const others = finalizers.filter((finalizer) => !helping.has(finalizer));
  if (policy === 'Background') return others;
  return [...others, policy === 'Orphan' ? 'orphan' : 'foregroundDeletion'];
}

function graceSeconds(resource: ServedResource, content: StoredContent, asked: number | undefined): number {
  if (resource.rules.gracefulDeletion !== true) return 0;
  const phase = valueAt(content, 'status', 'phase');
  const idle = (valueAt(content, 'spec', 'nodeName') ?? '') === '' || phase === 'Failed' || phase === 'Succeeded';
  if (idle) return 0;
  const own = valueAt(content, 'spec', 'terminationGracePeriodSeconds');
  const period = asked ?? (typeof own === 'number' ? own : defaultGraceSeconds);
  return period < 0 ? 1 : period;
}

/** The object with deletion timestamp, grace period and finalizers; the same content when nothing changes. */
function doomed(cluster: Cluster, resource: ServedResource, content: StoredContent, options: DeleteOptions): StoredContent {
  const { metadata } = content;
  const finalizers = finalizersFor(metadata, resource, options);
  const grace = graceSeconds(resource, content, options.gracePeriodSeconds);
  const isNamespace = resource.bucketId === '/namespaces';
  const isDefinition = resource.bucketId === definitions;
  const began = metadata.deletionTimestamp;
  if (began !== undefined) {
    const left = metadata.deletionGracePeriodSeconds ?? 0;
    const shorter = options.gracePeriodSeconds !== undefined && grace < left;
    const start = Date.parse(began) - left * 1_000;
    const marks = shorter ? { deletionTimestamp: timestamp(start + grace * 1_000), deletionGracePeriodSeconds: grace } : {};
    if (!shorter && isEqualJson([...finalizers], [...(metadata.finalizers ?? [])])) return content;
    return { ...content, metadata: orderedMeta(metadata, { ...marks, finalizers }) };
  }
  const marked = orderedMeta(metadata, {
    deletionTimestamp: timestamp(cluster.clock.now() + grace * 1_000),
    deletionGracePeriodSeconds: isNamespace || isDefinition ? undefined : grace,
    generation: metadata.generation === undefined || isDefinition ? metadata.generation : metadata.generation + 1,
    finalizers: isDefinition && !finalizers.includes(cleanupFinalizer) ? [...finalizers, cleanupFinalizer] : finalizers,
  });
  const dying = { ...content, metadata: marked };
  if (isDefinition) return { ...dying, status: terminatingStatus(asJsonObject(content['status']), timestamp(cluster.clock.now())) };
  return isNamespace ? { ...dying, status: { ...asJsonObject(content['status']), phase: 'Terminating' } } : dying;
}

/**
 * Deletes an object, or marks it as being deleted while finalizers, a grace period or the contents of a namespace keep it.
 *
 * @throws StatusError when the deletion is refused.
 */
export function deleteObject(cluster: Cluster, resource: ServedResource, existing: StoredObject, options: DeleteOptions): Deletion {
  const { store } = cluster;
  checkPreconditions(resource, existing, options);
  const isNamespace = resource.bucketId === '/namespaces';
  if (isNamespace && keptNamespaces.has(existing.name)) throw forbidden(resource, existing.name, 'this namespace may not be deleted');
  const content = doomed(cluster, resource, existing.content, options);
  if (!isDue(content, isNamespace)) {
    if (content === existing.content) return { object: existing, removed: false };
    return { object: options.dryRun ? shownObjectOf(content) : store.commit(resource.bucketId, 'MODIFIED', content), removed: false };
  }
  if (resource.rules.gracefulDeletion === true) {
    // A graceful deletion is always written as MODIFIED first, even if nothing delays it.
    if (options.dryRun) return { object: shownObjectOf(content), removed: true };
    store.commit(resource.bucketId, 'MODIFIED', content);
    return { object: store.commit(resource.bucketId, 'DELETED', content), removed: true };
  }
  return { object: options.dryRun ? existing : store.commit(resource.bucketId, 'DELETED', existing.content), removed: true };
}
