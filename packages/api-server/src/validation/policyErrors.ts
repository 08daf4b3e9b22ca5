import { asJsonObject, asString, isEqualJson, valueAt } from '../json.js';
import { forbiddenField, invalidValue, notSupported, required, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { isFilled, itemsOf, nameErrors, shareErrors } from './fieldChecks.js';
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
    if (!isEqualJson(before['roleRef'], after['roleRef']))
      yield invalidValue('roleRef', JSON.stringify(after['roleRef']), 'cannot change roleRef');
  };
}

/** Validation errors of a disruption budget. */
export function* disruptionBudgetErrors(after: StoredContent): Findings {
  const { minAvailable, maxUnavailable, selector } = asJsonObject(after['spec']);
  if (minAvailable !== undefined && maxUnavailable !== undefined)
    yield invalidValue('spec', JSON.stringify({ minAvailable, maxUnavailable }), 'minAvailable and maxUnavailable cannot be both set');
  for (const [name, value] of Object.entries({ minAvailable, maxUnavailable })) {
    yield* shareErrors(value, `spec.${name}`);
  }
  yield* labelSelectorErrors(selector, 'spec.selector');
}

/** Validation errors of an event: it must be in the namespace of its object. */
export function* eventErrors(after: StoredContent): Findings {
  const { namespace = '' } = after.metadata;
  const involved = asString(valueAt(after, 'involvedObject', 'namespace'));
  const expected = involved === '' ? 'default' : involved;
  if (namespace !== expected) yield invalidValue('involvedObject.namespace', JSON.stringify(involved), 'does not match event.namespace');
}

/** Validation errors of an event in events.k8s.io/v1. */
export function* newEventErrors({ type }: StoredContent): Findings {
  if (type !== 'Normal' && type !== 'Warning') yield invalidValue('type', JSON.stringify(asString(type)), 'must be Normal or Warning');
}

const maxPriority = 1_000_000_000;

/** Validation errors of a PriorityClass. */
export function* priorityClassErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  const { name } = after.metadata;
  const { value } = after;
  if (before === undefined && name.startsWith('system-')) {
    if (name !== 'system-node-critical' && name !== 'system-cluster-critical')
      yield forbiddenField('metadata.name', "names with the prefix 'system-' are reserved");
  } else if (before === undefined && typeof value === 'number' && value > maxPriority)
    yield forbiddenField('value', `maximum allowed value of a user defined priority is ${String(maxPriority)}`);
}
