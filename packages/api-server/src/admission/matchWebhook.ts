import type { LabelMap } from 'rx-informer/internal';
import type { Cluster } from '../cluster.js';
import { asJsonObject, valueAt, type JsonObject } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';
import type { AdmissionAttributes } from './admissionAttributes.js';
import type { WebhookMatch, WebhookRule } from './admissionWebhook.js';

function includes(list: readonly string[], value: string): boolean {
  return list.includes('*') || list.includes(value);
}

function namesResource(list: readonly string[], plural: string, subresource: string): boolean {
  if (list.includes('*/*')) return true;
  const [whole, every] = subresource === '' ? [plural, '*'] : [`${plural}/${subresource}`, `*/${subresource}`];
  return list.includes(whole) || list.includes(every) || (subresource !== '' && list.includes(`${plural}/*`));
}

function matchesRule(
  rule: WebhookRule,
  { group, version, plural, namespaced }: ServedResource,
  { operation, subresource, name }: AdmissionAttributes,
): boolean {
  // A Namespace is cluster-scoped, although its requests name a namespace.
  const inScope = rule.scope === '*' || rule.scope === (namespaced ? 'Namespaced' : 'Cluster');
  return (
    inScope &&
    (rule.names.length === 0 || rule.names.includes(name)) &&
    includes(rule.operations, operation) &&
    includes(rule.groups, group) &&
    includes(rule.versions, version) &&
    namesResource(rule.resources, plural, subresource)
  );
}

/** The version of the resource for a webhook: that of the request, or another in its rules. */
function matchedResource({ kinds }: Cluster, { rules, exact }: WebhookMatch, attributes: AdmissionAttributes): ServedResource | undefined {
  const { resource } = attributes;
  const matches = (one: ServedResource): boolean => rules.some((rule) => matchesRule(rule, one, attributes));
  if (matches(resource)) return resource;
  return exact ? undefined : kinds.all().find((other) => other.bucketId === resource.bucketId && matches(other));
}

function labelsOf(object: JsonObject | undefined): LabelMap | undefined {
  return object === undefined ? undefined : (asJsonObject(valueAt(object, 'metadata', 'labels')) as LabelMap);
}

/** The labels that a namespace selector is compared with; undefined for cluster-scoped objects. */
function namespaceLabels({ store }: Cluster, { resource, namespace, object, oldObject }: AdmissionAttributes): LabelMap | undefined {
  if (resource.bucketId === '/namespaces') return labelsOf(object ?? oldObject);
  return resource.namespaced ? (store.bucket('/namespaces').get(namespace)?.head.labels ?? {}) : undefined;
}

/** Configurations of webhooks and policies are exempt: otherwise nobody could delete a broken one. */
const exempt = /^admissionregistration\.k8s\.io\/(validating|mutating)(webhookconfigurations|admissionpolicies|admissionpolicybindings)$/;

/** Whether to call a webhook, by its rules and selectors; returns the resource in the version for the webhook. */
export function matchWebhook(cluster: Cluster, webhook: WebhookMatch, attributes: AdmissionAttributes): ServedResource | undefined {
  const { resource, object, oldObject } = attributes;
  if (exempt.test(resource.bucketId)) return undefined;
  const labels = namespaceLabels(cluster, attributes);
  if (labels !== undefined && !webhook.selectsNamespace(labels)) return undefined;
  const sides = [labelsOf(object), labelsOf(oldObject)].filter((side) => side !== undefined);
  if (!sides.some(webhook.selectsObject)) return undefined;
  return matchedResource(cluster, webhook, attributes);
}
