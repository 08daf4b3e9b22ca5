import type { LabelMap } from 'rx-informer/internal';
import { parseLabelSelector } from 'rx-informer/pipeline';
import { asJsonObject, asString, listAt, objectsAt, textsAt, valueAt, type Json, type JsonObject } from '../json.js';
import { valuesBetween, type OrderedMap } from '../store/orderedMap.js';
import type { StoredObject } from '../store/storedObject.js';

/** The requests that a webhook is called for. */
export interface WebhookRule {
  readonly operations: readonly string[];
  readonly groups: readonly string[];
  readonly versions: readonly string[];
  readonly resources: readonly string[];
  readonly scope: string;
  /** The names of objects; empty for all. */
  readonly names: readonly string[];
}

/** The writes that a webhook or a policy applies to. */
export interface WebhookMatch {
  readonly rules: readonly WebhookRule[];
  /** Whether only the named versions match (`matchPolicy: Exact`), and not other versions of the same objects. */
  readonly exact: boolean;
  readonly selectsNamespace: (labels: LabelMap) => boolean;
  readonly selectsObject: (labels: LabelMap) => boolean;
}

/** One webhook of a configuration. */
export interface AdmissionWebhook extends WebhookMatch {
  readonly name: string;
  /** The name of its configuration, for the order in which webhooks are called. */
  readonly configuration: string;
  readonly clientConfig: JsonObject;
  /** Whether a write continues when the call fails (`failurePolicy: Ignore`). */
  readonly ignoresFailure: boolean;
  readonly timeoutSeconds: number;
  /** The version of reviews; undefined when the webhook supports no version of this server. */
  readonly reviewVersion: 'v1' | 'v1beta1' | undefined;
  /** Whether it is called again when a later webhook has changed the object (`reinvocationPolicy: IfNeeded`). */
  readonly reinvoked: boolean;
  readonly conditions: readonly JsonObject[];
}

function ruleOf(rule: Json): WebhookRule {
  return {
    operations: textsAt(rule, 'operations'),
    groups: textsAt(rule, 'apiGroups'),
    versions: textsAt(rule, 'apiVersions'),
    resources: textsAt(rule, 'resources'),
    scope: asString(valueAt(rule, 'scope')) || '*',
    names: textsAt(rule, 'resourceNames'),
  };
}

function selects(selector: Json | undefined): (labels: LabelMap) => boolean {
  const parsed = parseLabelSelector(asJsonObject(selector));
  return (labels) => parsed.matches(labels);
}

/** Parses the match constraints of a webhook or a policy. */
export function constraintsOf({ rules, matchPolicy, namespaceSelector, objectSelector }: JsonObject): WebhookMatch {
  return {
    rules: listAt(rules).map(ruleOf),
    exact: matchPolicy === 'Exact',
    selectsNamespace: selects(namespaceSelector),
    selectsObject: selects(objectSelector),
  };
}

function webhookOf(configuration: string, webhook: JsonObject): AdmissionWebhook {
  const { timeoutSeconds } = webhook;
  const [version] = textsAt(webhook, 'admissionReviewVersions').filter((known) => known === 'v1' || known === 'v1beta1');
  return {
    name: asString(webhook['name']),
    configuration,
    clientConfig: asJsonObject(webhook['clientConfig']),
    ...constraintsOf(webhook),
    ignoresFailure: webhook['failurePolicy'] === 'Ignore',
    timeoutSeconds: typeof timeoutSeconds === 'number' ? timeoutSeconds : 10,
    reviewVersion: version,
    reinvoked: webhook['reinvocationPolicy'] === 'IfNeeded',
    conditions: objectsAt(webhook, 'matchConditions'),
  };
}

/** The webhooks of all configurations, in the order of their names. */
export function webhooksIn(configurations: OrderedMap<StoredObject>): readonly AdmissionWebhook[] {
  return [...valuesBetween(configurations)].flatMap(({ name, content }) =>
    objectsAt(content, 'webhooks').map((webhook) => webhookOf(name, webhook)),
  );
}
