import { type LabelSelector, parseLabelSelector } from '../../api/selectors.js';
import { asJsonObject, asString, isJsonObject, jsonEqual, valueAt, without, type Json, type JsonObject } from '../json.js';
import { forbiddenField, invalidValue, notSupported, required, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { countErrors, immutableErrors, isFilled, itemsOf } from './fieldChecks.js';
import { podSpecErrors } from './podErrors.js';

type Findings = Generator<FieldError, void, undefined>;

function shown(value: Json | undefined): string {
  return JSON.stringify(value ?? null);
}

function shownLabels(labels: Json | undefined): string {
  const sorted = Object.entries(asJsonObject(labels)).sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.length === 0 ? 'null' : JSON.stringify(Object.fromEntries(sorted));
}

function selectorOf(value: Json): LabelSelector | undefined {
  try {
    return parseLabelSelector(asJsonObject(value));
  } catch {
    return undefined;
  }
}

/** The selector has to be there, and to select the pods of the template. */
function* selectorErrors({ selector, template }: JsonObject, kind: string): Findings {
  const labels = valueAt(template, 'metadata', 'labels');
  const { matchLabels, matchExpressions } = asJsonObject(selector);
  if (selector === undefined || selector === null) yield required('spec.selector');
  else if (!isFilled(matchLabels) && !isFilled(matchExpressions)) {
    yield invalidValue('spec.selector', shown(selector), `empty selector is invalid for ${kind}`);
    return;
  }
  const parsed = selectorOf(selector ?? null);
  if (parsed === undefined) yield invalidValue('spec.selector', shown(selector), 'invalid label selector');
  else if (selector === undefined || selector === null || !parsed.matches(asJsonObject(labels) as Readonly<Record<string, string>>))
    yield invalidValue('spec.template.metadata.labels', shownLabels(labels), '`selector` does not match template `labels`');
}

function* templateErrors(template: Json | undefined, claims: readonly string[] = []): Findings {
  const spec = asJsonObject(valueAt(template, 'spec'));
  yield* podSpecErrors(spec, 'spec.template.spec', claims);
  const policy = asString(spec['restartPolicy'] ?? 'Always');
  if (policy === 'OnFailure' || policy === 'Never')
    yield notSupported('spec.template.spec.restartPolicy', JSON.stringify(policy), ['Always']);
}

/** What is wrong with a set of pods that run for ever; `kind` is what messages call it. */
function* setErrors(after: StoredContent, kind: string): Findings {
  const spec = asJsonObject(after['spec']);
  yield* countErrors(spec['replicas'], 'spec.replicas');
  yield* selectorErrors(spec, kind);
  const claims = [...itemsOf(spec['volumeClaimTemplates'], 'spec.volumeClaimTemplates')].map(([claim]) =>
    asString(valueAt(claim, 'metadata', 'name')),
  );
  yield* templateErrors(spec['template'], claims);
}

const ofDeployments = ['updatedReplicas', 'readyReplicas', 'availableReplicas'];
/** The counts of a replica set. */
export const ofReplicaSets: readonly string[] = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'];
const ofStatefulSets = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'];

/** What is wrong with the counts in a status: there are no more of any sort than there are. */
function* statusErrors(value: Json | undefined, counted: readonly string[]): Findings {
  const status = asJsonObject(value);
  const count = (name: string): number => (typeof status[name] === 'number' ? status[name] : 0);
  for (const name of ['replicas', ...counted]) yield* countErrors(count(name), `status.${name}`);
  for (const name of counted)
    if (count(name) > count('replicas'))
      yield invalidValue(`status.${name}`, String(count(name)), 'cannot be greater than status.replicas');
}

/** What is wrong with how a deployment is rolled out. */
function* rolloutErrors({ strategy, progressDeadlineSeconds, minReadySeconds }: JsonObject): Findings {
  const { type, rollingUpdate } = asJsonObject(strategy);
  const { maxUnavailable, maxSurge } = asJsonObject(rollingUpdate);
  const none = (value: Json | undefined): boolean => value === 0 || value === '0%' || value === '0';
  if (type === 'Recreate' && rollingUpdate !== undefined)
    yield forbiddenField('spec.strategy.rollingUpdate', "may not be specified when strategy `type` is 'Recreate'");
  else if (type !== undefined && type !== 'Recreate' && type !== 'RollingUpdate')
    yield notSupported('spec.strategy.type', JSON.stringify(type), ['Recreate', 'RollingUpdate']);
  if (type === 'RollingUpdate' && none(maxUnavailable) && none(maxSurge))
    yield invalidValue('spec.strategy.rollingUpdate.maxUnavailable', JSON.stringify(maxUnavailable), 'may not be 0 when `maxSurge` is 0');
  yield* countErrors(minReadySeconds, 'spec.minReadySeconds');
  const ready = typeof minReadySeconds === 'number' ? minReadySeconds : 0;
  if (typeof progressDeadlineSeconds === 'number' && progressDeadlineSeconds <= ready)
    yield invalidValue('spec.progressDeadlineSeconds', String(progressDeadlineSeconds), 'must be greater than minReadySeconds');
}

/** What is wrong with a deployment. */
export function* deploymentErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  yield* setWithFixedSelectorErrors('deployment')(after, before);
  yield* rolloutErrors(asJsonObject(after['spec']));
  if (before !== undefined) yield* statusErrors(after['status'], ofDeployments);
}

function* daemonStrategyErrors(strategy: JsonObject): Findings {
  const { type, rollingUpdate } = strategy;
  if (type !== 'RollingUpdate' && type !== 'OnDelete') {
    const value = shown({ Type: type ?? '', RollingUpdate: rollingUpdate ?? null });
    yield notSupported('spec.updateStrategy', value, ['RollingUpdate', 'OnDelete']);
  }
  const { maxUnavailable, maxSurge } = asJsonObject(rollingUpdate);
  const none = (value: Json | undefined): boolean => value === 0 || value === '0%';
  if (type === 'RollingUpdate' && none(maxUnavailable) && none(maxSurge ?? 0))
    yield required('spec.updateStrategy.rollingUpdate.maxUnavailable', 'cannot be 0 when maxSurge is 0');
}

/** What is wrong with a daemon set. */
export function* daemonSetErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  const spec = asJsonObject(after['spec']);
  const { selector, template, minReadySeconds, updateStrategy, revisionHistoryLimit } = spec;
  if (before !== undefined) yield* immutableErrors([valueAt(before, 'spec', 'selector'), selector], 'spec.selector', shown);
  for (const error of selectorErrors(spec, 'daemonset')) if (error.reason !== 'FieldValueRequired') yield error;
  yield* templateErrors(template);
  if (valueAt(template, 'spec', 'activeDeadlineSeconds') !== undefined)
    yield forbiddenField('spec.template.spec.activeDeadlineSeconds', 'activeDeadlineSeconds in DaemonSet is not Supported');
  yield* countErrors(minReadySeconds, 'spec.minReadySeconds');
  yield* daemonStrategyErrors(asJsonObject(updateStrategy));
  yield* countErrors(revisionHistoryLimit, 'spec.revisionHistoryLimit');
}

/** What is wrong with a replica set, and with much of a deployment. */
export function setWithFixedSelectorErrors(kind: string, counted?: readonly string[]) {
  return function* (after: StoredContent, before: StoredContent | undefined): Findings {
    yield* setErrors(after, kind);
    if (counted !== undefined && before !== undefined) yield* statusErrors(after['status'], counted);
    const selector = valueAt(after, 'spec', 'selector');
    if (before !== undefined) yield* immutableErrors([valueAt(before, 'spec', 'selector'), selector], 'spec.selector', shown);
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

/** What is wrong with a stateful set. */
export function* statefulSetErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  yield* setErrors(after, 'statefulset');
  if (before === undefined) return;
  yield* statusErrors(after['status'], ofStatefulSets);
  const fixed = (content: StoredContent): JsonObject => without(asJsonObject(content['spec']), ...changeable);
  if (jsonEqual(fixed(before), fixed(after))) return;
  const names = changeable.map((name) => `'${name}'`);
  const list = `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
  yield forbiddenField('spec', `updates to statefulset spec for fields other than ${list} are forbidden`);
}

/** What is wrong with a replication controller. */
export function* replicationControllerErrors(after: StoredContent): Findings {
  const spec = asJsonObject(after['spec']);
  yield* countErrors(spec['replicas'], 'spec.replicas');
  if (!isFilled(spec['selector'])) yield required('spec.selector');
  if (spec['template'] === undefined) yield required('spec.template');
  else yield* templateErrors(spec['template']);
}

/** What is wrong with the labels that a job gives its pods, where it finds them by labels of its own. */
function* jobLabelErrors({ metadata: { name, uid } }: StoredContent, { manualSelector, selector, template }: JsonObject): Findings {
  if (manualSelector === true || !isJsonObject(selector)) return;
  const labels = asJsonObject(valueAt(template, 'metadata', 'labels'));
  const prefix = 'batch.kubernetes.io/';
  const expected = { 'controller-uid': uid, 'job-name': name, [`${prefix}controller-uid`]: uid, [`${prefix}job-name`]: name };
  for (const [label, value] of Object.entries(expected)) {
    const field = `spec.template.metadata.labels[${label}]`;
    if (labels[label] === undefined) yield required(field, `must be '${value}'`);
    else if (labels[label] !== value) yield invalidValue(field, shownLabels(labels), `must be '${value}'`);
  }
  if (selectorOf(selector)?.matches(expected) === false)
    yield invalidValue('spec.selector', shown(selector), '`selector` not auto-generated');
}

/** What is wrong with a job. */
export function* jobErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  const spec = asJsonObject(after['spec']);
  if (before === undefined) yield* jobLabelErrors(after, spec);
  for (const name of ['parallelism', 'completions', 'backoffLimit']) yield* countErrors(spec[name], `spec.${name}`);
  const podSpec = asJsonObject(valueAt(spec, 'template', 'spec'));
  yield* podSpecErrors(podSpec, 'spec.template.spec');
  if (asString(podSpec['restartPolicy'] ?? 'Always') === 'Always')
    yield required('spec.template.spec.restartPolicy', 'valid values: "OnFailure", "Never"');
  if (before === undefined) return;
  const parts: readonly (readonly [string, (value: Json | undefined) => string])[] = [
    ['selector', shown],
    ['completions', String],
    ['template', shown],
  ];
  for (const [name, shown] of parts) yield* immutableErrors([valueAt(before, 'spec', name), spec[name]], `spec.${name}`, shown);
}
