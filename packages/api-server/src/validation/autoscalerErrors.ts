import { asJsonObject, asString, isJsonArray, isJsonObject, valueAt, type Json, type JsonObject } from '../json.js';
import { parseQuantity } from '../schema/builtIn/quantity.js';
import { forbiddenField, invalidValue, required, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { choiceErrors, countErrors, isFilled, itemsOf, nameErrors } from './fieldChecks.js';
import { resourceNameErrors } from './resourceErrors.js';

type Findings = Generator<FieldError, void, undefined>;

/** Validation errors of a string that is used in paths. */
function* segmentErrors(value: Json | undefined, path: string, detail = ''): Findings {
  const name = asString(value);
  if (name === '') yield required(path, detail);
  else yield* nameErrors('path', name, path);
}

/** Validation errors of a reference by version, kind and name. */
function* referenceErrors({ apiVersion, kind, name }: JsonObject, path: string): Findings {
  yield* segmentErrors(kind, `${path}.kind`);
  yield* segmentErrors(name, `${path}.name`);
  const version = asString(apiVersion);
  if (version.split('/').length > 2)
    yield invalidValue(`${path}.apiVersion`, JSON.stringify(version), `unexpected GroupVersion string: ${version}`);
}

function isPositive(value: Json | undefined): boolean {
  return (parseQuantity(typeof value === 'number' ? String(value) : asString(value))?.nano ?? 0n) > 0n;
}

function* targetErrors(target: JsonObject, path: string): Findings {
  const { type, averageUtilization } = target;
  if (asString(type) === '') yield required(`${path}.type`, 'must specify a metric target type');
  else if (!['Utilization', 'Value', 'AverageValue'].includes(asString(type)))
    yield invalidValue(`${path}.type`, JSON.stringify(type), 'must be either Utilization, Value, or AverageValue');
  for (const name of ['value', 'averageValue'])
    if (target[name] !== undefined && !isPositive(target[name]))
      yield invalidValue(`${path}.${name}`, JSON.stringify(target[name]), 'must be positive');
  if (typeof averageUtilization === 'number' && averageUtilization < 1)
    yield invalidValue(`${path}.averageUtilization`, String(averageUtilization), 'must be greater than 0');
}

/** Validation errors of the target of a metric: missing or superfluous fields for its type. */
function* amountErrors(sort: string, { value, averageValue, averageUtilization }: JsonObject, path: string): Findings {
  const neither = value === undefined && averageValue === undefined;
  if (sort === 'object' && neither) yield required(`${path}.averageValue`, 'must set either a target value or averageValue');
  if (sort === 'external' && neither)
    yield required(`${path}.averageValue`, 'must set either a target value for metric or a per-pod target');
  if (sort === 'external' && value !== undefined && averageValue !== undefined)
    yield forbiddenField(`${path}.value`, 'may not set both a target value for metric and a per-pod target');
  if (sort === 'pods' && !isPositive(averageValue)) yield required(`${path}.averageValue`, 'must specify a positive target averageValue');
  if (sort !== 'resource' && sort !== 'containerResource') return;
  if (averageUtilization === undefined && averageValue === undefined)
    yield required(`${path}.averageUtilization`, 'must set either a target raw value or a target utilization');
  if (averageUtilization !== undefined && averageValue !== undefined)
    yield forbiddenField(`${path}.averageValue`, 'may not set both a target raw value and a target utilization');
}

function* sourceErrors(sort: string, source: JsonObject, path: string): Findings {
  if (sort === 'object') yield* referenceErrors(asJsonObject(source['describedObject']), `${path}.describedObject`);
  if (sort === 'object' || sort === 'external' || sort === 'pods')
    yield* segmentErrors(asJsonObject(source['metric'])['name'], `${path}.metric.name`, 'must specify a metric name');
  else if (asString(source['name']) === '') yield required(`${path}.name`, 'must specify a resource name');
  else if (sort === 'containerResource') yield* resourceNameErrors(asString(source['name']), `${path}.name`);
  if (sort === 'containerResource' && asString(source['container']) === '') yield required(`${path}.container`, 'must specify a container');
  const target = asJsonObject(source['target']);
  yield* targetErrors(target, `${path}.target`);
  yield* amountErrors(sort, target, `${path}.target`);
}

// In the order in which the API server validates them.
const sorts = ['object', 'external', 'pods', 'resource', 'containerResource'];
const metricTypes = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];

function* metricErrors(metric: JsonObject, path: string): Findings {
  const type = asString(metric['type']);
  if (type === '') yield required(`${path}.type`, 'must specify a metric source type');
  yield* choiceErrors(type, metricTypes, `${path}.type`);
  const present = sorts.filter((sort) => isJsonObject(metric[sort]));
  const [first] = present;
  if (first !== undefined) yield* sourceErrors(first, asJsonObject(metric[first]), `${path}.${first}`);
  const expected = sorts.find((sort) => sort === `${type.charAt(0).toLowerCase()}${type.slice(1)}`);
  if (expected !== undefined && !present.includes(expected))
    yield required(`${path}.${expected}`, 'must populate information for the given metric source');
  if (present.length !== 1)
    for (const other of present.filter((sort) => sort !== expected))
      yield forbiddenField(`${path}.${other}`, 'must populate the given metric source only');
}

function* scalingErrors(value: Json | undefined, path: string): Findings {
  if (!isJsonObject(value)) return;
  const { stabilizationWindowSeconds: window, selectPolicy, policies } = value;
  if (typeof window === 'number' && window < 0)
    yield invalidValue(`${path}.stabilizationWindowSeconds`, String(window), 'must be greater than or equal to zero');
  if (typeof window === 'number' && window > 3600)
    yield invalidValue(`${path}.stabilizationWindowSeconds`, String(window), 'must be less than or equal to 3600');
  yield* choiceErrors(selectPolicy, ['Disabled', 'Max', 'Min'], `${path}.selectPolicy`);
  if (!isFilled(policies)) yield required(`${path}.policies`, 'must specify at least one Policy');
  for (const [policy, at] of itemsOf(policies, `${path}.policies`)) {
    yield* choiceErrors(policy['type'] ?? '', ['Percent', 'Pods'], `${at}.type`);
    for (const name of ['value', 'periodSeconds'] as const) {
      const number = Number(policy[name] ?? 0);
      if (number <= 0) yield invalidValue(`${at}.${name}`, String(number), 'must be greater than zero');
    }
    const period = Number(policy['periodSeconds'] ?? 0);
    if (period > 1800) yield invalidValue(`${at}.periodSeconds`, String(period), 'must be less than or equal to 1800');
  }
  if ((parseQuantity(asString(value['tolerance'] ?? '0'))?.nano ?? 0n) < 0n)
    yield invalidValue(`${path}.tolerance`, JSON.stringify(value['tolerance']), 'must be greater than or equal to 0');
}

/** Validation errors of an autoscaler. */
export function* autoscalerErrors(after: StoredContent): Findings {
  const { minReplicas = 1, maxReplicas = 0, scaleTargetRef, metrics, behavior } = asJsonObject(after['spec']);
  if (typeof minReplicas === 'number' && minReplicas < 1)
    yield invalidValue('spec.minReplicas', String(minReplicas), 'must be greater than or equal to 1');
  if (maxReplicas === 0) yield required('spec.maxReplicas', 'must be set and greater than 0');
  else if (typeof maxReplicas === 'number' && maxReplicas < 0)
    yield invalidValue('spec.maxReplicas', String(maxReplicas), 'must be greater than or equal to 1');
  if (typeof maxReplicas === 'number' && typeof minReplicas === 'number' && maxReplicas < minReplicas)
    yield invalidValue('spec.maxReplicas', String(maxReplicas), 'must be greater than or equal to `minReplicas`');
  const reference = asJsonObject(scaleTargetRef);
  yield* referenceErrors(reference, 'spec.scaleTargetRef');
  if (asString(reference['apiVersion']) === '')
    yield invalidValue('spec.scaleTargetRef.apiVersion', '""', 'apiVersion must specify API group');
  for (const [metric, at] of itemsOf(isJsonArray(metrics) ? metrics : undefined, 'spec.metrics')) yield* metricErrors(metric, at);
  if (minReplicas === 0 && ![...itemsOf(metrics, '')].some(([{ type }]) => type === 'Object' || type === 'External'))
    yield forbiddenField('spec.metrics', 'must specify at least one Object or External metric to support scaling to zero replicas');
  const { scaleUp, scaleDown } = asJsonObject(behavior);
  yield* scalingErrors(scaleUp, 'spec.behavior.scaleUp');
  yield* scalingErrors(scaleDown, 'spec.behavior.scaleDown');
  for (const name of ['currentReplicas', 'desiredReplicas']) yield* countErrors(valueAt(after, 'status', name), `status.${name}`);
}
