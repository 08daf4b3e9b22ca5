import { asJsonObject, asString } from '../json.js';
import { forbiddenField, invalidValue } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { choiceErrors, type Findings, itemsOf } from './fieldChecks.js';

const metricTypes = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];

/** Validation errors of an autoscaler. */
export function* autoscalerErrors(after: StoredContent): Findings {
  const { minReplicas = 1, maxReplicas = 0, scaleTargetRef, metrics } = asJsonObject(after['spec']);
  if (typeof maxReplicas === 'number' && typeof minReplicas === 'number' && maxReplicas < minReplicas)
    yield invalidValue('spec.maxReplicas', String(maxReplicas), 'must be greater than or equal to `minReplicas`');
  const reference = asJsonObject(scaleTargetRef);
  if (asString(reference['apiVersion']) === '')
    yield invalidValue('spec.scaleTargetRef.apiVersion', '""', 'apiVersion must specify API group');
  for (const [{ type }, at] of itemsOf(metrics, 'spec.metrics')) yield* choiceErrors(asString(type), metricTypes, `${at}.type`);
  if (minReplicas === 0 && ![...itemsOf(metrics, '')].some(([{ type }]) => type === 'Object' || type === 'External'))
    yield forbiddenField('spec.metrics', 'must specify at least one Object or External metric to support scaling to zero replicas');
}
