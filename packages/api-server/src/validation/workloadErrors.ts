import { asJsonObject, asString, jsonEqual, valueAt, without, type Json, type JsonObject } from '../json.js';
import { forbiddenField, invalidValue, notSupported, required, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { choiceErrors, countErrors, immutableErrors, isFilled, itemsOf, shareErrors, shareOf, wholeShareErrors } from './fieldChecks.js';
import { podAnnotationErrors } from './podAnnotationErrors.js';
import { podSpecErrors } from './podErrors.js';
import { labelErrors, labelSelectorErrors, selectorOf, shownLabels, shownSelector } from './selectorErrors.js';
import { claimSpecErrors } from './storageErrors.js';

type Findings = Generator<FieldError, void, undefined>;

function shown(value: Json | undefined): string {
  return JSON.stringify(value ?? null);
}

/** The selector is required, and must match the labels of the template. `kind` is used in the message about an invalid selector. */
function* selectorErrors({ selector, template }: JsonObject, kind: string): Findings {
  const labels = valueAt(template, 'metadata', 'labels');
  const { matchLabels, matchExpressions } = asJsonObject(selector);
  const isAbsent = selector === undefined || selector === null;
  const isEmpty = !isFilled(matchLabels) && !isFilled(matchExpressions);
  const parsed = selectorOf(selector);
  const mismatch = invalidValue('spec.template.metadata.labels', shownLabels(labels), '`selector` does not match template `labels`');
  const matches = !isAbsent && parsed?.matches(asJsonObject(labels) as Readonly<Record<string, string>>) === true;
  if (isAbsent) yield required('spec.selector');
  else yield* labelSelectorErrors(selector, 'spec.selector');
  if (kind === 'daemonset' && parsed !== undefined && !matches) yield mismatch;
  if (!isAbsent && isEmpty) yield invalidValue('spec.selector', shownSelector(selector), `empty selector is invalid for ${kind}`);
  if (kind === 'daemonset') return;
  if (parsed === undefined) {
    const detail = kind === 'statefulset' ? '' : 'invalid label selector';
    const error = invalidValue('spec.selector', shownSelector(selector), detail);
    yield detail === '' ? { ...error, message: error.message.slice(0, -2) } : error;
  } else if (!isEmpty || isAbsent) if (!matches) yield mismatch;
}

const kindNames: Readonly<Record<string, string>> = {
  deployment: 'ReplicaSet',
  daemonset: 'DaemonSet',
  statefulset: 'StatefulSet',
  controller: 'ReplicationController',
};

/** Validation errors of the pod template of a workload. */
function* templateErrors(template: Json | undefined, kind: string, claims: readonly string[] = []): Findings {
  const spec = asJsonObject(valueAt(template, 'spec'));
  yield* labelErrors(valueAt(template, 'metadata', 'labels'), 'spec.template.labels');
  yield* podAnnotationErrors(template, 'spec.template.annotations');
  yield* podSpecErrors(spec, 'spec.template.spec', claims);
  const policy = asString(spec['restartPolicy'] ?? 'Always');
  if (policy !== 'Always') yield notSupported('spec.template.spec.restartPolicy', JSON.stringify(policy), ['Always']);
  if (spec['activeDeadlineSeconds'] !== undefined)
    yield forbiddenField('spec.template.spec.activeDeadlineSeconds', `activeDeadlineSeconds in ${kindNames[kind] ?? ''} is not Supported`);
}

/** Validation errors of a workload whose pods always restart; `kind` is its name in messages. */
function* setErrors(after: StoredContent, kind: string): Findings {
  const spec = asJsonObject(after['spec']);
  yield* countErrors(spec['replicas'], 'spec.replicas');
  yield* countErrors(spec['minReadySeconds'], 'spec.minReadySeconds');
  yield* countErrors(valueAt(spec, 'ordinals', 'start'), 'spec.ordinals.start');
  yield* selectorErrors(spec, kind);
  const claims = [...itemsOf(spec['volumeClaimTemplates'], 'spec.volumeClaimTemplates')].map(([claim]) =>
    asString(valueAt(claim, 'metadata', 'name')),
  );
  yield* templateErrors(spec['template'], kind, claims);
}

/** Validation errors of the rollout fields of a deployment. */
function* rolloutErrors({ strategy, progressDeadlineSeconds, minReadySeconds, revisionHistoryLimit }: JsonObject): Findings {
  const { type, rollingUpdate } = asJsonObject(strategy);
  const { maxUnavailable, maxSurge } = asJsonObject(rollingUpdate);
  const path = 'spec.strategy.rollingUpdate';
  if (type === 'Recreate' && rollingUpdate !== undefined)
    yield forbiddenField(path, "may not be specified when strategy `type` is 'Recreate'");
  else if (type !== undefined && type !== 'Recreate' && type !== 'RollingUpdate')
    yield notSupported('spec.strategy.type', JSON.stringify(type), ['Recreate', 'RollingUpdate']);
  if (type === 'RollingUpdate') {
    yield* shareErrors(maxUnavailable, `${path}.maxUnavailable`);
    yield* shareErrors(maxSurge, `${path}.maxSurge`);
    if (shareOf(maxUnavailable) === 0 && shareOf(maxSurge) === 0)
      yield invalidValue(`${path}.maxUnavailable`, JSON.stringify(maxUnavailable ?? 0), 'may not be 0 when `maxSurge` is 0');
    yield* wholeShareErrors(maxUnavailable, `${path}.maxUnavailable`);
  }
  yield* countErrors(revisionHistoryLimit, 'spec.revisionHistoryLimit');
  yield* countErrors(progressDeadlineSeconds, 'spec.progressDeadlineSeconds');
  const ready = typeof minReadySeconds === 'number' ? minReadySeconds : 0;
  if (typeof progressDeadlineSeconds === 'number' && progressDeadlineSeconds <= ready)
    yield invalidValue('spec.progressDeadlineSeconds', String(progressDeadlineSeconds), 'must be greater than minReadySeconds');
}

/** Validation errors of a deployment. */
export function* deploymentErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  yield* setWithFixedSelectorErrors('deployment')(after, before);
  yield* rolloutErrors(asJsonObject(after['spec']));
}

function* daemonStrategyErrors(strategy: JsonObject): Findings {
  const { type, rollingUpdate } = strategy;
  const { maxUnavailable, maxSurge } = asJsonObject(rollingUpdate);
  if (type !== 'RollingUpdate' && type !== 'OnDelete') {
    const rolling = rollingUpdate === undefined ? null : { MaxUnavailable: maxUnavailable ?? 0, MaxSurge: maxSurge ?? 0 };
    yield notSupported('spec.updateStrategy', shown({ Type: type ?? '', RollingUpdate: rolling }), ['RollingUpdate', 'OnDelete']);
  }
  if (type !== 'RollingUpdate') return;
  const path = 'spec.updateStrategy.rollingUpdate';
  yield* shareErrors(maxUnavailable, `${path}.maxUnavailable`);
  yield* shareErrors(maxSurge, `${path}.maxSurge`);
  const [down, more] = [shareOf(maxUnavailable) !== 0, shareOf(maxSurge) !== 0];
  if (down && more) yield invalidValue(`${path}.maxSurge`, shown(maxSurge), 'may not be set when maxUnavailable is non-zero');
  if (!down && !more) yield required(`${path}.maxUnavailable`, 'cannot be 0 when maxSurge is 0');
  yield* wholeShareErrors(maxUnavailable, `${path}.maxUnavailable`);
  yield* wholeShareErrors(maxSurge, `${path}.maxSurge`);
}

/** Validation errors of a daemon set. */
export function* daemonSetErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  const spec = asJsonObject(after['spec']);
  const { selector, template, minReadySeconds, updateStrategy, revisionHistoryLimit } = spec;
  if (before !== undefined) yield* immutableErrors([valueAt(before, 'spec', 'selector'), selector], 'spec.selector', shownSelector);
  for (const error of selectorErrors(spec, 'daemonset'))
    if (error.field !== 'spec.selector' || error.reason !== 'FieldValueRequired') yield error;
  yield* templateErrors(template, 'daemonset');
  yield* countErrors(minReadySeconds, 'spec.minReadySeconds');
  yield* daemonStrategyErrors(asJsonObject(updateStrategy));
  yield* countErrors(revisionHistoryLimit, 'spec.revisionHistoryLimit');
}

/** Validation errors of a replica set; most of them are shared with deployments. */
export function setWithFixedSelectorErrors(kind: string) {
  return function* (after: StoredContent, before: StoredContent | undefined): Findings {
    yield* setErrors(after, kind);
    const selector = valueAt(after, 'spec', 'selector');
    if (before !== undefined) yield* immutableErrors([valueAt(before, 'spec', 'selector'), selector], 'spec.selector', shownSelector);
  };
}

const changeable = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];

/** Validation errors of the ordering, update and retention fields of a stateful set. */
function* orderErrors({ podManagementPolicy, updateStrategy, persistentVolumeClaimRetentionPolicy: kept }: JsonObject): Findings {
  const policy = asString(podManagementPolicy);
  if (policy !== '' && policy !== 'OrderedReady' && policy !== 'Parallel')
    yield invalidValue('spec.podManagementPolicy', shown(policy), "must be 'OrderedReady' or 'Parallel'");
  const { type, rollingUpdate } = asJsonObject(updateStrategy);
  const { partition } = asJsonObject(rollingUpdate);
  const rolling = rollingUpdate === undefined ? null : { Partition: partition ?? 0, MaxUnavailable: null };
  if (type === 'OnDelete' && rollingUpdate !== undefined)
    yield invalidValue('spec.updateStrategy.rollingUpdate', shown(rolling), "only allowed for updateStrategy 'RollingUpdate'");
  else if (type === 'RollingUpdate') yield* countErrors(partition, 'spec.updateStrategy.rollingUpdate.partition');
  else if (asString(type) !== '' && type !== 'OnDelete')
    yield invalidValue('spec.updateStrategy', shown({ Type: type ?? '', RollingUpdate: rolling }), "must be 'RollingUpdate' or 'OnDelete'");
  for (const field of ['whenDeleted', 'whenScaled'])
    yield* choiceErrors(asJsonObject(kept)[field], ['Retain', 'Delete'], `spec.persistentVolumeClaimRetentionPolicy.${field}`);
}

/** Validation errors of a stateful set. */
export function* statefulSetErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  yield* orderErrors(asJsonObject(after['spec']));
  yield* setErrors(after, 'statefulset');
  if (before === undefined)
    for (const [claim, at] of itemsOf(valueAt(after, 'spec', 'volumeClaimTemplates'), 'spec.volumeClaimTemplates'))
      yield* claimSpecErrors(asJsonObject(claim['spec']), `${at}.spec`);
  if (before === undefined) return;
  const fixed = (content: StoredContent): JsonObject => without(asJsonObject(content['spec']), ...changeable);
  if (jsonEqual(fixed(before), fixed(after))) return;
  const names = changeable.map((name) => `'${name}'`);
  const list = `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
  yield forbiddenField('spec', `updates to statefulset spec for fields other than ${list} are forbidden`);
}

/** Validation errors of a replication controller. */
export function* replicationControllerErrors(after: StoredContent): Findings {
  const spec = asJsonObject(after['spec']);
  const { selector, template } = spec;
  yield* countErrors(spec['minReadySeconds'], 'spec.minReadySeconds');
  if (!isFilled(selector)) yield required('spec.selector');
  yield* countErrors(spec['replicas'], 'spec.replicas');
  if (template === undefined) {
    yield required('spec.template');
    return;
  }
  const labels = valueAt(template, 'metadata', 'labels');
  if (isFilled(selector) && Object.entries(asJsonObject(selector)).some(([name, value]) => asJsonObject(labels)[name] !== value))
    yield invalidValue('spec.template.metadata.labels', shownLabels(labels), '`selector` does not match template `labels`');
  yield* templateErrors(template, 'controller');
}
