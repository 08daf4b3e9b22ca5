import { asJsonObject, asString, isJsonArray, isJsonObject, type Json, type JsonObject } from '../json.js';
import { parseQuantity } from '../schema/builtIn/quantity.js';
import { forbiddenField, invalidValue, required, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { choiceErrors, itemsOf } from './fieldChecks.js';

type Findings = Generator<FieldError, void, undefined>;

function isPositive(value: Json | undefined): boolean {
  return (parseQuantity(typeof value === 'number' ? String(value) : asString(value))?.nano ?? 0n) > 0n;
}

function* targetErrors(target: JsonObject, path: string): Findings {
  const { type, averageUtilization } = target;
  if (!['', 'Utilization', 'Value', 'AverageValue'].includes(asString(type)))
    yield invalidValue(`${path}.type`, JSON.stringify(type), 'must be either Utilization, Value, or AverageValue');
  if (typeof averageUtilization === 'number' && averageUtilization < 1)
    yield invalidValue(`${path}.averageUtilization`, String(averageUtilization), 'must be greater than 0');
}

/** Validation errors of the target of a metric: missing or superfluous fields for its type. */
function* amountErrors(sort: string, { value, averageValue, averageUtilization }: JsonObject, path: string): Findings {
  const neither = value === undefined && averageValue === undefined;
  if (sort === 'object' && neither) yield required(`${path}.averageValue`, 'must set either a target value or averageValue');
  if (sort === 'external' && neither)
    yield required(`${path}.averageValue`, 'must set either a target value for metric or a per-pod target');
  if (sort === 'pods' && !isPositive(averageValue)) yield required(`${path}.averageValue`, 'must specify a positive target averageValue');
  if (sort !== 'resource' && sort !== 'containerResource') return;
  if (averageUtilization === undefined && averageValue === undefined)
    yield required(`${path}.averageUtilization`, 'must set either a target raw value or a target utilization');
}

function* sourceErrors(sort: string, source: JsonObject, path: string): Findings {
  const target = asJsonObject(source['target']);
  yield* targetErrors(target, `${path}.target`);
  yield* amountErrors(sort, target, `${path}.target`);
}

// In the order in which the API server validates them.
const sorts = ['object', 'external', 'pods', 'resource', 'containerResource'];
const metricTypes = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];

function* metricErrors(metric: JsonObject, path: string): Findings {
  const type = asString(metric['type']);
  yield* choiceErrors(type, metricTypes, `${path}.type`);
  const present = sorts.filter((sort) => isJsonObject(metric[sort]));
  const [first] = present;
  if (first !== undefined) yield* sourceErrors(first, asJsonObject(metric[first]), `${path}.${first}`);
  const expected = sorts.find((sort) => sort === `${type.charAt(0).toLowerCase()}${type.slice(1)}`);
  if (expected !== undefined && !present.includes(expected))
    yield required(`${path}.${expected}`, 'must populate information for the given metric source');
}

/** Validation errors of an autoscaler. */
export function* autoscalerErrors(after: StoredContent): Findings {
  const { minReplicas = 1, maxReplicas = 0, scaleTargetRef, metrics } = asJsonObject(after['spec']);
  if (typeof maxReplicas === 'number' && typeof minReplicas === 'number' && maxReplicas < minReplicas)
    yield invalidValue('spec.maxReplicas', String(maxReplicas), 'must be greater than or equal to `minReplicas`');
  const reference = asJsonObject(scaleTargetRef);
  if (asString(reference['apiVersion']) === '')
    yield invalidValue('spec.scaleTargetRef.apiVersion', '""', 'apiVersion must specify API group');
  for (const [metric, at] of itemsOf(isJsonArray(metrics) ? metrics : undefined, 'spec.metrics')) yield* metricErrors(metric, at);
  if (minReplicas === 0 && ![...itemsOf(metrics, '')].some(([{ type }]) => type === 'Object' || type === 'External'))
    yield forbiddenField('spec.metrics', 'must specify at least one Object or External metric to support scaling to zero replicas');
}
