import { isIP } from 'node:net';
import { asJsonObject, asString, isJsonArray, valueAt, type Json, type JsonObject } from '../json.js';
import { forbiddenField, invalidValue, notSupported, required, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { immutableErrors, isFilled, itemsOf, nameErrors } from './fieldChecks.js';

type Findings = Generator<FieldError, void, undefined>;

/** What is wrong with the rules of a role. */
export function* roleErrors(after: StoredContent): Findings {
  for (const [rule, at] of itemsOf(after['rules'], 'rules')) {
    if (isFilled(rule['nonResourceURLs'])) continue;
    if (!isFilled(rule['apiGroups'])) yield required(`${at}.apiGroups`, 'resource rules must supply at least one api group');
    if (!isFilled(rule['resources'])) yield required(`${at}.resources`, 'resource rules must supply at least one resource');
  }
}

/** What is wrong with a binding of a role; `kinds` are those that it can bind. */
export function roleBindingErrors(kinds: readonly string[]) {
  return function* (after: StoredContent, before: StoredContent | undefined): Findings {
    const { kind, name } = asJsonObject(after['roleRef']);
    if (!kinds.includes(asString(kind))) yield notSupported('roleRef.kind', JSON.stringify(asString(kind)), kinds);
    if (before === undefined || asString(name) === '') return;
    const shown = (value: Json | undefined): string => JSON.stringify(value);
    for (const error of immutableErrors([before['roleRef'], after['roleRef']], 'roleRef', shown))
      yield { ...error, message: error.message.replace('field is immutable', 'cannot change roleRef') };
  };
}

function goNumber(value: Json | undefined): Json {
  return value ?? null;
}

/** What is wrong with a disruption budget. */
export function* disruptionBudgetErrors(after: StoredContent): Findings {
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy } = asJsonObject(after['spec']);
  if (minAvailable === undefined || maxUnavailable === undefined) return;
  const shown = {
    MinAvailable: goNumber(minAvailable),
    Selector: goNumber(selector),
    MaxUnavailable: goNumber(maxUnavailable),
    UnhealthyPodEvictionPolicy: goNumber(unhealthyPodEvictionPolicy),
  };
  yield invalidValue('spec', JSON.stringify(shown), 'minAvailable and maxUnavailable cannot be both set');
}

/** What is wrong with an autoscaler. */
export function* autoscalerErrors(after: StoredContent): Findings {
  const spec = asJsonObject(after['spec']);
  const { minReplicas = 1, maxReplicas = 0, scaleTargetRef } = spec;
  const { apiVersion } = asJsonObject(scaleTargetRef);
  if (typeof maxReplicas === 'number' && maxReplicas < 1) yield required('spec.maxReplicas', 'must be set and greater than 0');
  if (typeof maxReplicas === 'number' && typeof minReplicas === 'number' && maxReplicas < minReplicas)
    yield invalidValue('spec.maxReplicas', String(maxReplicas), 'must be greater than or equal to `minReplicas`');
  if (asString(apiVersion) === '') yield invalidValue('spec.scaleTargetRef.apiVersion', '""', 'apiVersion must specify API group');
}

/** What is wrong with a lease. */
export function* leaseErrors(after: StoredContent): Findings {
  const spec = asJsonObject(after['spec']);
  const seconds = spec['leaseDurationSeconds'];
  if (typeof seconds === 'number' && seconds <= 0)
    yield invalidValue('spec.leaseDurationSeconds', String(seconds), 'must be greater than 0');
  const transitions = spec['leaseTransitions'];
  if (typeof transitions === 'number' && transitions < 0)
    yield invalidValue('spec.leaseTransitions', String(transitions), 'must be greater than or equal to 0');
}

/** What is wrong with an event: it stands in the namespace of what it is about. */
export function* eventErrors(after: StoredContent): Findings {
  const { namespace = '' } = after.metadata;
  const involved = asString(valueAt(after, 'involvedObject', 'namespace'));
  const expected = involved === '' ? 'default' : involved;
  if (namespace !== expected) yield invalidValue('involvedObject.namespace', JSON.stringify(involved), 'does not match event.namespace');
}

const fixedOfEvents = [
  'involvedObject',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  'type',
  'eventTime',
  'action',
  'related',
  'reportingComponent',
  'reportingInstance',
];

/** What is wrong with an event of the newer API, in the words of the older: nothing but its series can change. */
export function* newEventErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  if (before !== undefined) {
    for (const name of fixedOfEvents) yield* immutableErrors([before[name], after[name]], name, (value) => JSON.stringify(value ?? null));
    return;
  }
  yield* eventErrors(after);
  const { type } = after;
  if (type !== 'Normal' && type !== 'Warning')
    yield invalidValue('type', JSON.stringify(asString(type)), `has invalid value: ${asString(type)}`);
}

const wildcard = '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*';
const wildcardProblem =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' " +
  `and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '${wildcard}')`;

function* hostErrors(host: string, place: string): Findings {
  const shown = JSON.stringify(host);
  if (host === '') return;
  if (isIP(host) !== 0) yield invalidValue(place, shown, 'must be a DNS name, not an IP address');
  else if (!host.includes('*')) yield* nameErrors('subdomain', host, place);
  else if (!new RegExp(`^${wildcard}$`).test(host)) yield invalidValue(place, shown, wildcardProblem);
}

/** What is wrong with an ingress. */
export function* ingressErrors(after: StoredContent): Findings {
  const spec: JsonObject = asJsonObject(after['spec']);
  const { rules, defaultBackend } = spec;
  if (!isFilled(rules) && defaultBackend === undefined)
    yield invalidValue('spec', 'null', 'either `defaultBackend` or `rules` must be specified');
  for (const [rule, at] of itemsOf(rules, 'spec.rules')) {
    yield* hostErrors(asString(rule['host']), `${at}.host`);
    const paths = valueAt(rule, 'http', 'paths');
    for (const [path, place] of itemsOf(isJsonArray(paths) ? paths : undefined, `${at}.http.paths`)) {
      const type = asString(path['pathType']);
      if (!['Exact', 'ImplementationSpecific', 'Prefix'].includes(type))
        yield notSupported(`${place}.pathType`, JSON.stringify(type), ['Exact', 'ImplementationSpecific', 'Prefix']);
      const own = asString(path['path']);
      if (type !== 'ImplementationSpecific' && !own.startsWith('/'))
        yield invalidValue(`${place}.path`, JSON.stringify(own), 'must be an absolute path');
    }
  }
}

const mostPriority = 1_000_000_000;

/** What is wrong with a class of priorities. */
export function* priorityClassErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  const { name } = after.metadata;
  const { value } = after;
  if (before === undefined && name.startsWith('system-')) {
    const reserved = "priority class names with 'system-' prefix are reserved for system use only.";
    if (name !== 'system-node-critical' && name !== 'system-cluster-critical')
      yield forbiddenField('metadata.name', `${reserved} error: ${name} is not a known system priority class`);
  } else if (before === undefined && typeof value === 'number' && value > mostPriority)
    yield forbiddenField('value', `maximum allowed value of a user defined priority is ${String(mostPriority)}`);
  if (before !== undefined && before['value'] !== value) yield forbiddenField('value', 'may not be changed in an update.');
  if (before !== undefined && before['preemptionPolicy'] !== after['preemptionPolicy'])
    yield invalidValue('preemptionPolicy', JSON.stringify(after['preemptionPolicy'] ?? null), 'field is immutable');
}
