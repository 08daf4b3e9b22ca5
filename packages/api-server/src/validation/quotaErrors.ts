import { asJsonObject, asString, isJsonArray, isJsonObject, valueAt, type Json, type JsonObject } from '../json.js';
import { parseQuantity } from '../schema/builtIn/quantity.js';
import { duplicate, forbiddenField, invalidValue, required, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { immutableErrors, isFilled, itemsOf } from './fieldChecks.js';
import { isOfQuotas, resourceNameErrors, standardNameErrors } from './resourceErrors.js';

type Findings = Generator<FieldError, void, undefined>;

function nano(value: Json | undefined): bigint | undefined {
  return value === undefined ? undefined : parseQuantity(asString(value))?.nano;
}

/** Pairs of fields of a limit: the first must not exceed the second; the error is about the third. */
const ordered = [
  ['min', 'max', 'min'],
  ['min', 'defaultRequest', 'defaultRequest'],
  ['defaultRequest', 'max', 'defaultRequest'],
  ['defaultRequest', 'default', 'defaultRequest'],
  ['min', 'default', 'default'],
  ['default', 'max', 'default'],
] as const;

const limitTypes = ['Pod', 'Container', 'PersistentVolumeClaim'];

function* limitNameErrors(item: JsonObject, place: string): Findings {
  const type = asString(item['type']);
  if (type !== '' && !type.includes('/') && !limitTypes.includes(type))
    yield invalidValue(`${place}.type`, JSON.stringify(type), 'must be a standard limit type or fully qualified');
  for (const list of ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'])
    for (const name of Object.keys(asJsonObject(item[list])).sort())
      if (type === 'Pod' && list.startsWith('default')) continue;
      else if (type === 'Pod' || type === 'Container') yield* resourceNameErrors(name, `${place}.${list}[${name}]`);
      else yield* standardNameErrors(name, `${place}.${list}[${name}]`);
  for (const list of type === 'Pod' ? ['default', 'defaultRequest'] : [])
    if (Object.keys(asJsonObject(item[list])).length > 0)
      yield forbiddenField(`${place}.${list}`, "may not be specified when `type` is 'Pod'");
  if (type === 'PersistentVolumeClaim' && ['min', 'max'].every((list) => asJsonObject(item[list])['storage'] === undefined))
    yield required(`${place}.limits`, 'either minimum or maximum storage value is required, but neither was provided');
}

/** Validation errors of `maxLimitRequestRatio`. */
function* ratioErrors({ min, max, maxLimitRequestRatio }: JsonObject, name: string, place: string): Findings {
  const text = asString(asJsonObject(maxLimitRequestRatio)[name]);
  const [ratio, least, most] = [nano(text), nano(asJsonObject(min)[name]), nano(asJsonObject(max)[name])];
  if (text === '' || ratio === undefined) return;
  const field = `${place}.maxLimitRequestRatio[${name}]`;
  const limit = least === undefined || most === undefined ? Infinity : Number(most) / Number(least);
  if (ratio < 1_000_000_000n || Number(ratio) / 1e9 > limit)
    yield invalidValue(field, JSON.stringify(text), `must be between 1 and max/min = ${String(limit)}`);
}

/** Validation errors of a limit range, including the order of its bounds. */
export function* limitRangeErrorsOf(after: StoredContent): Findings {
  const types = new Set<string>();
  for (const [item, place] of itemsOf(valueAt(after, 'spec', 'limits'), 'spec.limits')) {
    const type = asString(item['type']);
    if (types.has(type)) yield duplicate(`${place}.type`, JSON.stringify(type));
    types.add(type);
    yield* limitNameErrors(item, place);
    const bounds = type === 'Pod' ? ['min', 'max'] : ['min', 'max', 'default', 'defaultRequest'];
    const parts = [...bounds, 'maxLimitRequestRatio'].map((name) => asJsonObject(item[name]));
    const names = [...new Set(parts.flatMap((part) => Object.keys(part)))].sort();
    for (const name of names) {
      for (const [low, high, field] of ordered) {
        const [a, b] = [low, high].map((list) => (bounds.includes(list) ? nano(asJsonObject(item[list])[name]) : undefined));
        if (a !== undefined && b !== undefined && a > b)
          yield invalidValue(`${place}.${field}[${name}]`, JSON.stringify(asJsonObject(item[field])[name]), `${low} exceeds ${high}`);
      }
      yield* ratioErrors(item, name, place);
    }
  }
}

const isCompute = (resource: string): boolean => /^((requests\.|limits\.)?(cpu|memory)|pods)$/.test(resource);
const computeScopes = ['Terminating', 'NotTerminating', 'NotBestEffort', 'PriorityClass', 'CrossNamespacePodAffinity'];

/** Whether each scope applies to a resource. */
const scopes: Readonly<Record<string, (resource: string) => boolean>> = {
  BestEffort: (resource) => resource === 'pods',
  ...Object.fromEntries(computeScopes.map((scope) => [scope, isCompute])),
  VolumeAttributesClass: (resource) => /^(persistentvolumeclaims|requests\.storage)$/.test(resource),
};

function fits(scope: string, hard: readonly string[]): boolean {
  return hard.every((name) => !isOfQuotas(name) || scopes[scope]?.(name) === true);
}

/** Scopes for which only the operator Exists is valid. */
const onlyThere = new Set(['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating', 'CrossNamespacePodAffinity']);

/** Resources with integer quantities. */
const counted =
  /^(pods|resourcequotas|services(\.nodeports|\.loadbalancers)?|replicationcontrollers|secrets|configmaps|persistentvolumeclaims)$/;

function* scopeRequirementErrors({ scopeName, operator, values }: JsonObject, path: string): Findings {
  const [scope, own] = [asString(scopeName), asString(operator)];
  if (scopes[scope] === undefined) yield invalidValue(`${path}.scopeName`, JSON.stringify(scope), 'unsupported scope');
  const place = `${path}.operator`;
  if (onlyThere.has(scope) && own !== 'Exists') yield invalidValue(place, JSON.stringify(own), `must be 'Exists' for the scope ${scope}`);
  if (own === 'In' || own === 'NotIn') {
    if (!isFilled(values)) yield required(`${path}.values`, `must be at least one value for the operator ${own}`);
  } else if (own !== 'Exists' && own !== 'DoesNotExist') yield invalidValue(place, JSON.stringify(own), 'not a valid selector operator');
  else if (isFilled(values)) yield invalidValue(`${path}.values`, JSON.stringify(values), `must be no value for the operator ${own}`);
}

function* amountErrors(amounts: Json | undefined, path: string): Findings {
  const all = asJsonObject(amounts);
  for (const name of Object.keys(all).sort()) {
    const place = `${path}[${name}]`;
    const shown = JSON.stringify(all[name]);
    yield* standardNameErrors(name, place);
    if ((nano(all[name]) ?? 0n) < 0n) yield invalidValue(place, shown, 'must be greater than or equal to 0');
    if (counted.test(name) && (nano(all[name]) ?? 0n) % 1_000_000_000n !== 0n) yield invalidValue(place, shown, 'must be an integer');
  }
}

/** Validation errors of a quota. */
export function* quotaErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  const { hard, scopes: listed, scopeSelector } = asJsonObject(after['spec']);
  const names = Object.keys(asJsonObject(hard)).sort();
  yield* amountErrors(hard, 'spec.hard');
  const own = isJsonArray(listed) ? listed : [];
  for (const scope of own.map(asString)) {
    if (scopes[scope] === undefined) yield invalidValue('spec.scopes', JSON.stringify(own), 'unsupported scope');
    else if (!fits(scope, names)) yield invalidValue('spec.scopes', JSON.stringify(own), 'unsupported scope applied to resource');
  }
  for (const scope of ['BestEffort', 'Terminating'])
    if (own.includes(scope) && own.includes(`Not${scope}`)) yield invalidValue('spec.scopes', JSON.stringify(own), 'conflicting scopes');
  if (isJsonObject(scopeSelector))
    for (const [one] of itemsOf(scopeSelector['matchExpressions'], ''))
      yield* scopeRequirementErrors(one, 'spec.scopeSelector.matchExpressions');
  if (before !== undefined) yield* immutableErrors([valueAt(before, 'spec', 'scopes') ?? [], own], 'spec.scopes');
  for (const list of ['hard', 'used']) yield* amountErrors(valueAt(after, 'status', list), `status.${list}`);
}
