import { type LabelMap, parseLabelSelector } from '../../api/selectors.js';
import { asJsonObject, asString, isJsonArray, valueAt, type Json, type JsonObject } from '../json.js';
import { valuesBetween, type OrderedMap } from '../store/orderedMap.js';
import type { StoredObject } from '../store/storedObject.js';

/** What a webhook wants to be asked about. */
export interface WebhookRule {
  readonly operations: readonly string[];
  readonly groups: readonly string[];
  readonly versions: readonly string[];
  readonly resources: readonly string[];
  readonly scope: string;
  /** The names of objects; every one when empty. */
  readonly names: readonly string[];
}

/** Which writes a webhook or a policy is about. */
export interface WebhookMatch {
  readonly rules: readonly WebhookRule[];
  /** Whether only the versions named count, and not others of the same objects. */
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
  /** The version of reviews; undefined when the webhook understands none that there is. */
  readonly reviewVersion: 'v1' | 'v1beta1' | undefined;
  /** Whether it is called again when others have changed the object after it. */
  readonly reinvoked: boolean;
  readonly conditions: readonly JsonObject[];
}

function textsAt(value: Json, name: string): readonly string[] {
  const list = valueAt(value, name);
  return isJsonArray(list) ? list.map(asString) : [];
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

/** Which writes the fields of a webhook or a policy name. */
export function constraintsOf({ rules, matchPolicy, namespaceSelector, objectSelector }: JsonObject): WebhookMatch {
  return {
    rules: isJsonArray(rules) ? rules.map(ruleOf) : [],
    exact: matchPolicy === 'Exact',
    selectsNamespace: selects(namespaceSelector),
    selectsObject: selects(objectSelector),
  };
}

function webhookOf(configuration: string, webhook: JsonObject): AdmissionWebhook {
  const { timeoutSeconds, matchConditions } = webhook;
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
    conditions: isJsonArray(matchConditions) ? matchConditions.map(asJsonObject) : [],
  };
}

/** The webhooks of all configurations, in the order of their names. */
export function webhooksIn(configurations: OrderedMap<StoredObject>): readonly AdmissionWebhook[] {
  return [...valuesBetween(configurations)].flatMap(({ name, content }) => {
    const { webhooks } = content;
    return isJsonArray(webhooks) ? webhooks.map((webhook) => webhookOf(name, asJsonObject(webhook))) : [];
  });
}
