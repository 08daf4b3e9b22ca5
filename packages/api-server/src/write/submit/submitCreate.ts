import { checkEscalation } from '../../auth/escalation.js';
import { admissionOf } from '../../admission/admission.js';
import type { Cluster } from '../../cluster.js';
import type { Exchange } from '../../http/exchange.js';
import { asJsonObject, without, type JsonObject } from '../../json.js';
import { hasStatusSubresource, type ServedResource } from '../../kinds/servedResource.js';
import type { StoredContent, StoredObject } from '../../store/storedObject.js';
import { checkDraft, draftObject, storeNew, type CreateOptions } from '../createObject.js';
import { documentOf } from '../documentOf.js';
import { countInQuotas, quotaRefusal } from '../../admission/quotas.js';
import { podSecurityOf } from '../../admission/podSecurity.js';
import { overheadRefusal } from '../../kinds/admitPod.js';
import { limitRangeErrors } from '../../kinds/limitRanges.js';
import { forbidden } from '../../status/statusErrors.js';
import { warn } from '../warnings.js';
import { formatWarnings } from '../writeWarnings.js';
import { inStoredWords, ownWords, reread } from './ownWords.js';
import { reviewOptions } from './reviewOptions.js';

const closed = 'create not allowed while custom resource definition is terminating';

/** The place of the object to create. */
export interface CreateTarget {
  readonly resource: ServedResource;
  readonly namespace: string;
}

/** The object before the server adds its fields, as sent to mutating webhooks. */
function unborn(resource: ServedResource, content: StoredContent, name: string): JsonObject {
  const { metadata, ...rest } = documentOf(resource, { content });
  const meta = without(
    asJsonObject(metadata),
    'uid',
    'resourceVersion',
    'generation',
    'creationTimestamp',
    ...(name === '' ? ['name'] : []),
  );
  const { kind, apiVersion, ...fields } = rest;
  const hasStatus = resource.custom === undefined && hasStatusSubresource(resource) && fields['status'] !== undefined;
  return { kind, apiVersion, metadata: meta, ...fields, ...(hasStatus && { status: {} }) };
}

/**
 * Checks a new object against the limit ranges and the Pod Security labels of its namespace, and warns of what is accepted but old.
 *
 * @throws StatusError 403
 */
function checkPlace(cluster: Cluster, { response }: Exchange, resource: ServedResource, content: StoredContent): void {
  const { name, namespace } = content.metadata;
  warn(response, formatWarnings(resource.bucketId, content));
  if (namespace === undefined) return;
  const limits = [...new Set(limitRangeErrors(cluster.store, resource.bucketId, content))];
  if (limits.length > 0) throw forbidden(resource, name, limits.length === 1 ? (limits[0] ?? '') : `[${limits.join(', ')}]`);
  const { refusal, warning } = podSecurityOf(cluster, resource.bucketId, content);
  if (refusal !== undefined) throw forbidden(resource, name, refusal);
  if (warning !== undefined) warn(response, [warning]);
  const overhead = resource.bucketId === '/pods' ? overheadRefusal(content, cluster.store) : undefined;
  if (overhead !== undefined) throw forbidden(resource, name, overhead);
}

/**
 * Creates an object, after admission.
 *
 * @throws StatusError when the object is refused.
 */
export async function submitCreate(
  cluster: Cluster,
  exchange: Exchange,
  { resource, namespace }: CreateTarget,
  object: JsonObject,
  options: CreateOptions,
): Promise<StoredObject> {
  const admission = admissionOf(cluster, exchange);
  const own = ownWords(resource);
  const draft = draftObject(cluster, own, namespace, object, options);
  if (resource.terminating === true) throw forbidden(resource, draft.submitted.name, closed);
  const target = { resource, namespace, name: '' };
  const store = (content: StoredContent): StoredObject => {
    const refusal = quotaRefusal(cluster, resource, content);
    if (refusal !== undefined) throw forbidden(resource, content.metadata.name, refusal);
    const stored = storeNew(cluster, resource, content, options);
    if (!options.dryRun) countInQuotas(cluster, resource, content);
    return stored;
  };
  if (admission === undefined && resource.custom?.webhook === undefined) {
    checkEscalation(cluster, exchange, target, draft.content);
    checkDraft(own, draft, options);
    checkPlace(cluster, exchange, resource, draft.content);
    return store(draft.content);
  }
  const { name } = draft.submitted;
  const attributes = {
    operation: 'CREATE' as const,
    resource,
    subresource: '',
    namespace: resource.bucketId === '/namespaces' ? name : namespace,
    name,
    object: unborn(own, draft.content, name),
    oldObject: undefined,
    ...reviewOptions('CreateOptions', exchange, options.dryRun),
  };
  const mutated = await admission?.mutate(attributes);
  // Uses the managers from before the webhooks: fields that webhooks add have no owner.
  const final =
    mutated === undefined || mutated === attributes.object
      ? draft
      : draftObject(cluster, own, namespace, reread(cluster, own, mutated), { ...options, applied: true });
  checkEscalation(cluster, exchange, target, final.content);
  checkDraft(own, final, options);
  checkPlace(cluster, exchange, resource, final.content);
  await admission?.validate({ ...attributes, name: final.content.metadata.name, object: documentOf(own, final) });
  return store(await inStoredWords(cluster, resource, final.content));
}
