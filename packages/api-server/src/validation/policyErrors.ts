import { asJsonObject, asString, valueAt, type Json } from '../json.js';
import { forbiddenField, invalidValue, notSupported, required, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { choiceErrors, countErrors, immutableErrors, isFilled, itemsOf, nameErrors, shareErrors, wholeShareErrors } from './fieldChecks.js';
import { labelSelectorErrors } from './selectorErrors.js';

type Findings = Generator<FieldError, void, undefined>;

/** Validation errors of the rules of a role. */
export function* roleErrors(after: StoredContent): Findings {
  const isNamespaced = after.metadata.namespace !== undefined;
  for (const [rule, at] of itemsOf(after['rules'], 'rules')) {
    const { nonResourceURLs } = rule;
    if (isFilled(nonResourceURLs)) {
      const shown = JSON.stringify(nonResourceURLs);
      const mixed = ['apiGroups', 'resources', 'resourceNames'].some((name) => isFilled(rule[name]));
      if (isNamespaced) yield invalidValue(`${at}.nonResourceURLs`, shown, 'namespaced rules cannot apply to non-resource URLs');
      if (mixed) yield invalidValue(`${at}.nonResourceURLs`, shown, 'rules cannot apply to both regular resources and non-resource URLs');
      continue;
    }
    if (!isFilled(rule['apiGroups'])) yield required(`${at}.apiGroups`, 'resource rules must supply at least one api group');
    if (!isFilled(rule['resources'])) yield required(`${at}.resources`, 'resource rules must supply at least one resource');
  }
}

/** Validation errors of an aggregated role. */
export function* aggregationErrors(after: StoredContent): Findings {
  const path = 'aggregationRule.clusterRoleSelectors';
  for (const [selector, at] of itemsOf(valueAt(after, 'aggregationRule', 'clusterRoleSelectors'), path)) {
    const problems = [...labelSelectorErrors(selector, at)];
    yield* problems;
    if (problems.length > 0) yield invalidValue(at, 'null', 'invalid label selector.');
  }
}

/** Validation errors of a role binding; `kinds` are the kinds that it can refer to. */
export function roleBindingErrors(kinds: readonly string[]) {
  return function* (after: StoredContent, before: StoredContent | undefined): Findings {
    const { kind, name } = asJsonObject(after['roleRef']);
    if (!kinds.includes(asString(kind))) yield notSupported('roleRef.kind', JSON.stringify(asString(kind)), kinds);
    yield* nameErrors('path', asString(name), 'roleRef.name');
    if (before === undefined) return;
    const shown = (value: Json | undefined): string => {
      const { apiGroup = 'rbac.authorization.k8s.io', kind = '', name = '' } = asJsonObject(value);
      return JSON.stringify({ APIGroup: apiGroup, Kind: kind, Name: name });
    };
    for (const error of immutableErrors([before['roleRef'], after['roleRef']], 'roleRef', shown))
      yield { ...error, message: error.message.replace('field is immutable', 'cannot change roleRef') };
  };
}

const evictionPolicies = ['AlwaysAllow', 'IfHealthyBudget'];

/** Validation errors of a disruption budget. */
export function* disruptionBudgetErrors(after: StoredContent): Findings {
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy } = asJsonObject(after['spec']);
  if (minAvailable !== undefined && maxUnavailable !== undefined)
    yield invalidValue('spec', JSON.stringify({ minAvailable, maxUnavailable }), 'minAvailable and maxUnavailable cannot be both set');
  for (const [name, value] of Object.entries({ minAvailable, maxUnavailable })) {
    yield* shareErrors(value, `spec.${name}`);
    yield* wholeShareErrors(value, `spec.${name}`);
  }
  yield* labelSelectorErrors(selector, 'spec.selector');
  yield* choiceErrors(unhealthyPodEvictionPolicy, evictionPolicies, 'spec.unhealthyPodEvictionPolicy');
  for (const name of ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'])
    yield* countErrors(valueAt(after, 'status', name), `status.${name}`);
}

/** Validation errors of a lease. */
export function* leaseErrors(after: StoredContent): Findings {
  const spec = asJsonObject(after['spec']);
  const seconds = spec['leaseDurationSeconds'];
  if (typeof seconds === 'number' && seconds <= 0)
    yield invalidValue('spec.leaseDurationSeconds', String(seconds), 'must be greater than 0');
  const transitions = spec['leaseTransitions'];
  if (typeof transitions === 'number' && transitions < 0)
    yield invalidValue('spec.leaseTransitions', String(transitions), 'must be greater than or equal to 0');
}

/** Validation errors of an event: it must be in the namespace of its object. */
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

/** Validation errors of an event in events.k8s.io/v1, in the words of core/v1: only its series can change. */
export function* newEventErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  if (before !== undefined) {
    for (const name of fixedOfEvents) yield* immutableErrors([before[name], after[name]], name, (value) => JSON.stringify(value ?? null));
    return;
  }
  const { type } = after;
  if (type !== 'Normal' && type !== 'Warning')
    yield invalidValue('type', JSON.stringify(asString(type)), `has invalid value: ${asString(type)}`);
}

const maxPriority = 1_000_000_000;

/** Validation errors of a PriorityClass. */
export function* priorityClassErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  const { name } = after.metadata;
  const { value } = after;
  if (before === undefined && name.startsWith('system-')) {
    const reserved = "priority class names with 'system-' prefix are reserved for system use only.";
    if (name !== 'system-node-critical' && name !== 'system-cluster-critical')
      yield forbiddenField('metadata.name', `${reserved} error: ${name} is not a known system priority class`);
  } else if (before === undefined && typeof value === 'number' && value > maxPriority)
    yield forbiddenField('value', `maximum allowed value of a user defined priority is ${String(maxPriority)}`);
  if (before !== undefined && before['value'] !== value) yield forbiddenField('value', 'may not be changed in an update.');
  if (before !== undefined && before['preemptionPolicy'] !== after['preemptionPolicy'])
    yield invalidValue('preemptionPolicy', JSON.stringify(after['preemptionPolicy'] ?? null), 'field is immutable');
}
