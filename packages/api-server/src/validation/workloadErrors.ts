import { asJsonObject, asString, isEqualJson, valueAt, without, type Json, type JsonObject } from '../json.js';
import { forbiddenField, invalidValue, notSupported, required, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { immutableErrors, isFilled, itemsOf, shareErrors, shareOf } from './fieldChecks.js';
import { podSpecErrors } from './podErrors.js';
import { labelErrors, labelSelectorErrors, selectorOf } from './selectorErrors.js';
import { claimSpecErrors } from './storageErrors.js';

type Findings = Generator<FieldError, void, undefined>;

function mismatch(labels: Json | undefined): FieldError {
  return invalidValue('spec.template.metadata.labels', JSON.stringify(labels ?? null), '`selector` does not match template `labels`');
}

/** The selector is required, and must match the labels of the template. */
function* selectorErrors({ selector, template }: JsonObject, isDaemonSet = false): Findings {
  const labels = valueAt(template, 'metadata', 'labels');
  const { matchLabels, matchExpressions } = asJsonObject(selector);
  const isAbsent = selector === undefined || selector === null;
  const isEmpty = !isFilled(matchLabels) && !isFilled(matchExpressions);
  const parsed = selectorOf(selector);
  const matches = !isAbsent && parsed?.matches(asJsonObject(labels) as Readonly<Record<string, string>>) === true;
  if (!isAbsent) yield* labelSelectorErrors(selector, 'spec.selector');
  if (parsed === undefined && !isDaemonSet) yield invalidValue('spec.selector', JSON.stringify(selector), 'invalid label selector');
  else if (parsed !== undefined && !matches && (isDaemonSet || !isEmpty || isAbsent)) yield mismatch(labels);
}

/** Validation errors of the pod template of a workload, whose pods always restart. */
function* templateErrors(template: Json | undefined, claims: readonly string[] = []): Findings {
  const spec = asJsonObject(valueAt(template, 'spec'));
  yield* labelErrors(valueAt(template, 'metadata', 'labels'), 'spec.template.labels');
  yield* podSpecErrors(spec, 'spec.template.spec', claims);
  const policy = asString(spec['restartPolicy'] ?? 'Always');
  if (policy !== 'Always') yield notSupported('spec.template.spec.restartPolicy', JSON.stringify(policy), ['Always']);
  if (spec['activeDeadlineSeconds'] !== undefined)
    yield forbiddenField('spec.template.spec.activeDeadlineSeconds', 'is not supported for pods that always restart');
}

/** Validation errors of a replica set; most of them are shared with deployments and stateful sets. */
export function* setErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  const spec = asJsonObject(after['spec']);
  yield* selectorErrors(spec);
  const claims = itemsOf(spec['volumeClaimTemplates'], '').map(([claim]) => asString(valueAt(claim, 'metadata', 'name')));
  yield* templateErrors(spec['template'], claims);
  if (before !== undefined) yield* immutableErrors([valueAt(before, 'spec', 'selector'), spec['selector']], 'spec.selector');
}

/** Validation errors of the rollout fields of a deployment. */
function* rolloutErrors({ strategy, progressDeadlineSeconds, minReadySeconds }: JsonObject): Findings {
  const { type, rollingUpdate } = asJsonObject(strategy);
  const { maxUnavailable, maxSurge } = asJsonObject(rollingUpdate);
  const path = 'spec.strategy.rollingUpdate';
  if (type === 'Recreate' && rollingUpdate !== undefined)
    yield forbiddenField(path, "may not be specified when strategy `type` is 'Recreate'");
  if (type === 'RollingUpdate') {
    yield* shareErrors(maxUnavailable, `${path}.maxUnavailable`);
    yield* shareErrors(maxSurge, `${path}.maxSurge`, Infinity);
    if (shareOf(maxUnavailable) === 0 && shareOf(maxSurge) === 0)
      yield invalidValue(`${path}.maxUnavailable`, JSON.stringify(maxUnavailable ?? 0), 'may not be 0 when `maxSurge` is 0');
  }
  const ready = typeof minReadySeconds === 'number' ? minReadySeconds : 0;
  if (typeof progressDeadlineSeconds === 'number' && progressDeadlineSeconds <= ready)
    yield invalidValue('spec.progressDeadlineSeconds', String(progressDeadlineSeconds), 'must be greater than minReadySeconds');
}

/** Validation errors of a deployment. */
export function* deploymentErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  yield* setErrors(after, before);
  yield* rolloutErrors(asJsonObject(after['spec']));
}

const updates = ['RollingUpdate', 'OnDelete'];

/** Validation errors of a daemon set. */
export function* daemonSetErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  const spec = asJsonObject(after['spec']);
  if (before !== undefined) yield* immutableErrors([valueAt(before, 'spec', 'selector'), spec['selector']], 'spec.selector');
  yield* selectorErrors(spec, true);
  yield* templateErrors(spec['template']);
  const { type, rollingUpdate } = asJsonObject(spec['updateStrategy']);
  if (!updates.includes(asString(type))) yield notSupported('spec.updateStrategy', JSON.stringify(type ?? null), updates);
  if (type !== 'RollingUpdate') return;
  const path = 'spec.updateStrategy.rollingUpdate';
  const { maxUnavailable, maxSurge } = asJsonObject(rollingUpdate);
  yield* shareErrors(maxUnavailable, `${path}.maxUnavailable`);
  yield* shareErrors(maxSurge, `${path}.maxSurge`);
  const [down, more] = [shareOf(maxUnavailable) !== 0, shareOf(maxSurge) !== 0];
  if (down && more) yield invalidValue(`${path}.maxSurge`, JSON.stringify(maxSurge), 'may not be set when maxUnavailable is non-zero');
  if (!down && !more) yield required(`${path}.maxUnavailable`, 'cannot be 0 when maxSurge is 0');
}

const changeable =
  'replicas ordinals template updateStrategy revisionHistoryLimit persistentVolumeClaimRetentionPolicy minReadySeconds'.split(' ');

/** Validation errors of a stateful set. */
export function* statefulSetErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  const { podManagementPolicy: policy = 'Parallel', updateStrategy, volumeClaimTemplates } = asJsonObject(after['spec']);
  if (policy !== 'OrderedReady' && policy !== 'Parallel')
    yield invalidValue('spec.podManagementPolicy', JSON.stringify(policy), "must be 'OrderedReady' or 'Parallel'");
  const type = valueAt(updateStrategy, 'type') ?? '';
  if (type !== '' && !updates.includes(asString(type)))
    yield invalidValue('spec.updateStrategy', JSON.stringify(type), "must be 'RollingUpdate' or 'OnDelete'");
  yield* setErrors(after, undefined);
  if (before === undefined) {
    for (const [claim, at] of itemsOf(volumeClaimTemplates, 'spec.volumeClaimTemplates'))
      yield* claimSpecErrors(asJsonObject(claim['spec']), `${at}.spec`);
    return;
  }
  const fixed = (content: StoredContent): JsonObject => without(asJsonObject(content['spec']), ...changeable);
  if (!isEqualJson(fixed(before), fixed(after)))
    yield forbiddenField('spec', `updates to statefulset spec for fields other than ${changeable.join(', ')} are forbidden`);
}

/** Validation errors of a replication controller. */
export function* replicationControllerErrors(after: StoredContent): Findings {
  const { selector, template } = asJsonObject(after['spec']);
  if (!isFilled(selector)) yield required('spec.selector');
  if (template === undefined) return;
  const labels = valueAt(template, 'metadata', 'labels');
  if (isFilled(selector) && Object.entries(asJsonObject(selector)).some(([name, value]) => asJsonObject(labels)[name] !== value))
    yield mismatch(labels);
  yield* templateErrors(template);
}
