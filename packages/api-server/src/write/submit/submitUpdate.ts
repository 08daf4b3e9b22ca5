import { checkEscalation } from '../../auth/escalation.js';
import { quotaRefusal } from '../../admission/quotas.js';
import { admissionOf, type Admission } from '../../admission/admission.js';
import type { Cluster } from '../../cluster.js';
import type { Exchange } from '../../http/exchange.js';
import type { ResourceTarget } from '../../http/routePath.js';
import type { JsonObject } from '../../json.js';
import type { ServedResource } from '../../kinds/servedResource.js';
import { findObject, requireObject } from '../../read/getObject.js';
import { forbidden, modifiedConflict } from '../../status/statusErrors.js';
import type { StoredContent, StoredObject } from '../../store/storedObject.js';
import { documentOf } from '../documentOf.js';
import { checkUpdate, draftUpdate, storeUpdate, type UpdateOptions } from '../updateObject.js';
import { inOwnWords, inStoredWords, ownWords, reread } from './ownWords.js';
import { warn } from '../warnings.js';
import { formatWarnings } from '../writeWarnings.js';
import { reviewOptions } from './reviewOptions.js';

/** Converts between an object and its subresource, for webhooks of the subresource. */
export interface SubresourceLens {
  readonly show: (content: StoredContent) => JsonObject;
  readonly take: (existing: StoredContent, changed: JsonObject) => JsonObject;
}

/** Computes the requested object from the current one. */
export type Proposal = (existing: StoredObject) => JsonObject;

/** How often the update is retried when another write occurs during the webhook calls. */
const maxTries = 5;

interface Update {
  readonly target: ResourceTarget;
  readonly options: UpdateOptions;
  readonly lens: SubresourceLens;
}

function checkQuotas(cluster: Cluster, resource: ServedResource, content: StoredContent, before: StoredContent): void {
  const refusal = quotaRefusal(cluster, resource, content, before);
  if (refusal !== undefined) throw forbidden(resource, content.metadata.name, refusal);
}

/** Computes one update and runs admission, in the version of the request. */
async function admitted(
  cluster: Cluster,
  exchange: Exchange,
  admission: Admission | undefined,
  { target, options, lens }: Update,
  existing: StoredObject,
  object: JsonObject,
): Promise<StoredContent> {
  const { resource, subresource, namespace, name } = target;
  const draft = draftUpdate(cluster, target, existing, object, options);
  const attributes = {
    operation: 'UPDATE' as const,
    ...target,
    namespace: resource.bucketId === '/namespaces' ? name : namespace,
    object: lens.show(draft),
    oldObject: lens.show(existing.content),
    ...reviewOptions('UpdateOptions', exchange, options.dryRun),
  };
  const mutated = await admission?.mutate(attributes);
  const changed = mutated === undefined || mutated === attributes.object ? undefined : lens.take(draft, mutated);
  const content =
    changed === undefined ? draft : draftUpdate(cluster, target, existing, changed, { ...options, patch: true, applied: true });
  checkEscalation(cluster, exchange, target, content, existing.content);
  checkUpdate(target, existing, changed ?? object, content, options);
  if (subresource === '') warn(exchange.response, formatWarnings(resource.bucketId, content, existing.content));
  await admission?.validate({ ...attributes, object: lens.show(content) });
  checkQuotas(cluster, resource, content, existing.content);
  return content;
}

/**
 * Updates an object, after admission.
 *
 * @throws StatusError when the change is refused.
 */
export async function submitUpdate(
  cluster: Cluster,
  exchange: Exchange,
  target: ResourceTarget,
  propose: Proposal,
  options: UpdateOptions,
  lens?: SubresourceLens,
): Promise<StoredObject> {
  const { resource } = target;
  const admission = admissionOf(cluster, exchange);
  if (admission === undefined && resource.custom?.webhook === undefined) {
    const existing = requireObject(cluster, target);
    const object = propose(existing);
    const content = draftUpdate(cluster, target, existing, object, options);
    checkEscalation(cluster, exchange, target, content, existing.content);
    checkUpdate(target, existing, object, content, options);
    if (target.subresource === '') warn(exchange.response, formatWarnings(resource.bucketId, content, existing.content));
    checkQuotas(cluster, resource, content, existing.content);
    return storeUpdate(cluster, resource, existing, content, options.dryRun);
  }
  const own = { ...target, resource: ownWords(resource) };
  const whole: SubresourceLens = {
    show: (content) => documentOf(own.resource, { content }),
    take: (_, changed) => reread(cluster, own.resource, changed),
  };
  for (let attempt = 0; attempt < maxTries; attempt += 1) {
    const existing = requireObject(cluster, target);
    const shown = inOwnWords(resource, existing);
    const update = { target: own, options, lens: lens ?? whole };
    const content = await admitted(cluster, exchange, admission, update, shown, propose(existing));
    const stored = await inStoredWords(cluster, resource, content);
    if (findObject(cluster, target) === existing) return storeUpdate(cluster, resource, existing, stored, options.dryRun);
  }
  throw modifiedConflict(resource, target.name);
}
