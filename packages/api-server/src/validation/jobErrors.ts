import { asJsonObject, asString, isJsonArray, isJsonObject, jsonEqual, valueAt, without, type Json, type JsonObject } from '../json.js';
import { duplicate, invalidValue, notSupported, required, type FieldError } from '../status/statusErrors.js';
import { nameProblems } from '../write/nameProblem.js';
import type { StoredContent } from '../store/storedObject.js';
import { choiceErrors, countErrors, immutableErrors, itemsOf, prefixedPathErrors, qualifiedNameErrors } from './fieldChecks.js';
import { podAnnotationErrors } from './podAnnotationErrors.js';
import { podSpecErrors } from './podErrors.js';
import { labelErrors, labelSelectorErrors, selectorOf, shownLabels, shownSelector } from './selectorErrors.js';

type Findings = Generator<FieldError, void, undefined>;

/** An error without the value. */
function unshown(field: string, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${detail}` };
}

/** Validation errors of the labels of a job's pods, when the job's selector is generated. */
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
  if (selectorOf(selector)?.matches(expected) === false) {
    const own = `${prefix}controller-uid`;
    const completed = { ...selector, matchLabels: { ...asJsonObject(selector['matchLabels']), [own]: uid } };
    yield invalidValue('spec.selector', shownSelector(completed), '`selector` not auto-generated');
  }
}

function* exitCodeErrors(value: Json | undefined, path: string, containers: ReadonlySet<string>): Findings {
  if (!isJsonObject(value)) return;
  const { containerName, operator, values } = value;
  yield* choiceErrors(operator ?? '', ['In', 'NotIn'], `${path}.operator`);
  const name = asString(containerName);
  if (containerName !== undefined && !containers.has(name))
    yield invalidValue(
      `${path}.containerName`,
      JSON.stringify(name),
      'must be one of the container or initContainer names in the pod template',
    );
  const numbers = isJsonArray(values) ? values.map(Number) : [];
  const at = `${path}.values`;
  if (numbers.length === 0) yield invalidValue(at, '[]', 'must not be empty');
  const seen = new Set<number>();
  for (const [index, number] of numbers.entries()) {
    const place = `${at}[${String(index)}]`;
    if (operator === 'In' && number === 0) yield invalidValue(place, '0', 'must not be 0 for the In operator');
    if (seen.has(number)) yield duplicate(place, String(number));
    seen.add(number);
  }
  if (numbers.some((number, index) => index > 0 && number < (numbers[index - 1] ?? 0)))
    yield invalidValue(at, JSON.stringify(numbers), 'must be ordered');
}

/** Validation errors of a job's pod failure policy. */
function* podFailureErrors(spec: JsonObject, path: string): Findings {
  const podSpec = asJsonObject(valueAt(spec, 'template', 'spec'));
  const containers = ['initContainers', 'containers'].flatMap((list) =>
    [...itemsOf(podSpec[list], '')].map(([one]) => asString(one['name'])),
  );
  for (const [rule, place] of itemsOf(valueAt(spec, 'podFailurePolicy', 'rules'), `${path}.podFailurePolicy.rules`)) {
    const { action, onExitCodes, onPodConditions } = rule;
    if (action === 'FailIndex' && spec['backoffLimitPerIndex'] === undefined)
      yield invalidValue(`${place}.action`, '"FailIndex"', 'requires the backoffLimitPerIndex to be set');
    else yield* choiceErrors(action ?? '', ['Count', 'FailIndex', 'FailJob', 'Ignore'], `${place}.action`);
    yield* exitCodeErrors(onExitCodes, `${place}.onExitCodes`, new Set(containers));
    const conditions = [...itemsOf(onPodConditions, `${place}.onPodConditions`)];
    for (const [{ type, status }, at] of conditions) {
      yield* qualifiedNameErrors(asString(type), `${at}.type`);
      yield* choiceErrors(status ?? '', ['False', 'True', 'Unknown'], `${at}.status`);
    }
    if (onExitCodes !== undefined && conditions.length > 0)
      yield unshown(place, 'specifying both OnExitCodes and OnPodConditions is not supported');
    if (onExitCodes === undefined && conditions.length === 0)
      yield unshown(place, 'specifying one of OnExitCodes and OnPodConditions is required');
  }
}

/** The number of indexes in a text such as `0-2,5`, or its error. */
function indexesOf(text: string, completions: number): number | string {
  let [total, last] = [0, -1];
  for (const interval of text === '' ? [] : text.split(',')) {
    const ends = interval.split('-');
    if (ends.length > 2)
      return `the fragment ${JSON.stringify(interval)} violates the requirement that an index interval can have at most two parts separated by '-'`;
    const [first = last, end = first] = ends.map((one) => (/^[+-]?\d+$/.test(one) ? Number(one) : NaN));
    for (const [at, number] of [first, end].entries()) {
      if (Number.isNaN(number)) return `cannot convert string to integer for index: ${JSON.stringify(ends[at] ?? '')}`;
      if (number >= completions) return `too large index: ${JSON.stringify(ends[at] ?? '')}`;
      if (at === 0 ? number <= last : ends.length > 1 && number <= first)
        return `non-increasing order, previous: ${String(at === 0 ? last : first)}, current: ${String(number)}`;
    }
    total += end - first + 1;
    last = end;
  }
  return total;
}

function* successErrors({ successPolicy, completionMode, completions }: JsonObject, path: string): Findings {
  if (!isJsonObject(successPolicy)) return;
  const rules = [...itemsOf(successPolicy['rules'], `${path}.successPolicy.rules`)];
  if (completionMode !== 'Indexed') {
    const shown = rules.map(([rule]) => ({
      SucceededIndexes: rule['succeededIndexes'] ?? null,
      SucceededCount: rule['succeededCount'] ?? null,
    }));
    yield invalidValue(`${path}.successPolicy`, JSON.stringify({ Rules: shown }), 'requires indexed completion mode');
    return;
  }
  if (rules.length === 0)
    yield required(`${path}.successPolicy.rules`, 'at least one rules must be specified when the successPolicy is specified');
  const all = Number(completions ?? 0);
  for (const [{ succeededIndexes, succeededCount: count }, place] of rules) {
    if (succeededIndexes === undefined && count === undefined)
      yield required(place, 'at least one of succeededCount or succeededIndexes must be specified');
    const found = succeededIndexes === undefined ? undefined : indexesOf(asString(succeededIndexes), all);
    if (typeof found === 'string')
      yield invalidValue(`${place}.succeededIndexes`, JSON.stringify(succeededIndexes), `error parsing succeededIndexes: ${found}`);
    yield* countErrors(count, `${place}.succeededCount`);
    if (typeof count !== 'number') continue;
    const most = (limit: number, of: string): FieldError =>
      invalidValue(`${place}.succeededCount`, String(count), `must be less than or equal to ${String(limit)} (the number of ${of})`);
    const indexes = typeof found === 'number' ? found : 0;
    if (count > all) yield most(all, 'specified completions');
    if (succeededIndexes !== undefined && count > indexes) yield most(indexes, 'indexes in the specified succeededIndexes field');
  }
}

function* podTemplateErrors({ template, podFailurePolicy }: JsonObject, path: string): Findings {
  yield* labelErrors(valueAt(template, 'metadata', 'labels'), `${path}.labels`);
  yield* podAnnotationErrors(template, `${path}.annotations`);
  const podSpec = asJsonObject(valueAt(template, 'spec'));
  yield* podSpecErrors(podSpec, `${path}.spec`);
  const place = `${path}.spec.restartPolicy`;
  const policy = asString(podSpec['restartPolicy'] ?? 'Always');
  if (policy === 'Always') yield required(place, 'valid values: "OnFailure", "Never"');
  else if (policy !== 'OnFailure' && policy !== 'Never') yield notSupported(place, JSON.stringify(policy), ['OnFailure', 'Never']);
  else if (podFailurePolicy !== undefined && policy !== 'Never')
    yield invalidValue(place, JSON.stringify(policy), 'only "Never" is supported when podFailurePolicy is specified');
}

const counts =
  'parallelism completions activeDeadlineSeconds backoffLimit ttlSecondsAfterFinished backoffLimitPerIndex maxFailedIndexes'.split(' ');

/** The limits of `parallelism` and `maxFailedIndexes` of an indexed job; the lower one is for more than 100,000 completions with `backoffLimitPerIndex`. */
const [maxIndexes, maxOfMany] = [100_000, 10_000];

/** Validation errors of the fields for indexed jobs. */
function* indexErrors(spec: JsonObject, path: string): Findings {
  const { completionMode, completions, parallelism = 0, backoffLimitPerIndex, maxFailedIndexes } = spec;
  if (completionMode !== 'Indexed') {
    for (const name of completionMode === undefined || completionMode === 'NonIndexed' ? ['backoffLimitPerIndex', 'maxFailedIndexes'] : [])
      if (spec[name] !== undefined) yield invalidValue(`${path}.${name}`, String(Number(spec[name])), 'requires indexed completion mode');
    return;
  }
  const tooMany = (name: string, words: string): FieldError =>
    invalidValue(`${path}.${name}`, String(Number(spec[name])), `must be less than or equal to ${words}`);
  if (completions === undefined) yield required(`${path}.completions`, 'when completion mode is Indexed');
  if (Number(parallelism) > maxIndexes) yield tooMany('parallelism', `${String(maxIndexes)} when completion mode is Indexed`);
  const failing = Number(maxFailedIndexes ?? 0);
  if (completions !== undefined && failing > Number(completions)) yield tooMany('maxFailedIndexes', 'completions');
  if (failing > maxIndexes) yield tooMany('maxFailedIndexes', String(maxIndexes));
  if (backoffLimitPerIndex === undefined || Number(completions ?? 0) <= maxIndexes) return;
  const ofMany = `${String(maxOfMany)} when completions are above ${String(maxIndexes)} and used with backoff limit per index`;
  if (maxFailedIndexes === undefined)
    yield required(`${path}.maxFailedIndexes`, `must be specified when completions is above ${String(maxIndexes)}`);
  if (Number(parallelism) > maxOfMany) yield tooMany('parallelism', ofMany);
  if (failing > maxOfMany) yield tooMany('maxFailedIndexes', ofMany);
}

/** Validation errors of the spec of a job, or of a cron job's template. */
export function* jobSpecErrors(spec: JsonObject, path: string): Findings {
  for (const name of counts) yield* countErrors(spec[name], `${path}.${name}`);
  const { completionMode, podReplacementPolicy: replaced, managedBy } = spec;
  if (spec['maxFailedIndexes'] !== undefined && spec['backoffLimitPerIndex'] === undefined)
    yield required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified');
  yield* prefixedPathErrors(managedBy, `${path}.managedBy`);
  yield* choiceErrors(completionMode, ['Indexed', 'NonIndexed'], `${path}.completionMode`);
  yield* indexErrors(spec, path);
  yield* podFailureErrors(spec, path);
  yield* successErrors(spec, path);
  yield* choiceErrors(
    replaced,
    spec['podFailurePolicy'] === undefined ? ['Failed', 'TerminatingOrFailed'] : ['Failed'],
    `${path}.podReplacementPolicy`,
  );
  yield* podTemplateErrors(spec, `${path}.template`);
}

// Scheduling directives of the pods, mutable until the job starts.
const schedulingOfPods = ['nodeSelector', 'affinity', 'tolerations', 'schedulingGates'];

/** The part of a job's template that is immutable; before the job starts, scheduling directives are not part of it. */
function fixedTemplate(template: Json | undefined, isFree: boolean): JsonObject {
  if (!isFree) return asJsonObject(template);
  const { metadata, spec } = asJsonObject(template);
  return { metadata: without(asJsonObject(metadata), 'labels', 'annotations'), spec: without(asJsonObject(spec), ...schedulingOfPods) };
}

const fixedOfJobs = ['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy'];

function* jobUpdateErrors(spec: JsonObject, before: StoredContent): Findings {
  const was = asJsonObject(before['spec']);
  const shown = (value: Json | undefined): string => JSON.stringify(value ?? null);
  const inTandem = [was, spec].every(({ completions, parallelism }) => completions === parallelism);
  if (spec['completionMode'] !== 'Indexed') yield* immutableErrors([was['completions'], spec['completions']], 'spec.completions', shown);
  else if (was['completions'] !== spec['completions'] && !inTandem)
    yield invalidValue('spec.completions', shown(spec['completions']), 'can only be modified in tandem with spec.parallelism');
  yield* immutableErrors([was['selector'], spec['selector']], 'spec.selector', shownSelector);
  const isFree = was['suspend'] === true && valueAt(before, 'status', 'startTime') === undefined;
  if (!jsonEqual(fixedTemplate(was['template'], isFree), fixedTemplate(spec['template'], isFree)))
    yield* immutableErrors([was['template'], spec['template']], 'spec.template', shown);
  for (const name of fixedOfJobs) yield* immutableErrors([was[name], spec[name]], `spec.${name}`, shown);
}

/** Validation errors of a job. */
export function* jobErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  const spec = asJsonObject(after['spec']);
  const { selector, template } = spec;
  if (before === undefined) yield* jobLabelErrors(after, spec);
  const last = `${after.metadata.name}-${String(Number(spec['completions'] ?? 0) - 1)}`;
  const indexed = before === undefined && spec['completionMode'] === 'Indexed' && Number(spec['completions'] ?? 0) > 0;
  if (indexed && nameProblems(last, 'label').length > 0)
    yield invalidValue('metadata.name', JSON.stringify(after.metadata.name), `will not able to create pod with invalid DNS label: ${last}`);
  yield* jobSpecErrors(spec, 'spec');
  if (before === undefined) return;
  if (selector === undefined) yield required('spec.selector');
  else yield* labelSelectorErrors(selector, 'spec.selector');
  const labels = valueAt(template, 'metadata', 'labels');
  if (selector === undefined || selectorOf(selector)?.matches(asJsonObject(labels) as Readonly<Record<string, string>>) === false)
    yield invalidValue('spec.template.metadata.labels', shownLabels(labels), '`selector` does not match template `labels`');
  yield* jobUpdateErrors(spec, before);
  yield* jobStatusErrors(after, before);
}

const finished = new Set(['Complete', 'Failed']);

/** Validation errors of a changed status of a job. */
function* jobStatusErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  if (before === undefined) return;
  const status = asJsonObject(after['status']);
  const conditions = (content: StoredContent): readonly string[] =>
    [...itemsOf(valueAt(content, 'status', 'conditions'), '')]
      .filter(([one]) => one['status'] === 'True')
      .map(([one]) => asString(one['type']));
  const [now, was] = [conditions(after), conditions(before)];
  const added = now.filter((type) => !was.includes(type));
  if (now.includes('Complete') && !was.includes('Complete') && status['completionTime'] === undefined)
    yield required('status.completionTime', 'completionTime is required for Complete jobs');
  if (now.includes('Failed') && now.includes('Complete'))
    yield invalidValue('status.conditions', '', 'cannot set Complete=True and Failed=true conditions');
  const shown = (problem: string): FieldError => ({
    reason: 'FieldValueInvalid',
    field: 'status.conditions',
    message: `Invalid value: ${problem}`,
  });
  if (added.includes('Complete') && !now.includes('SuccessCriteriaMet'))
    yield shown('cannot set Complete=True condition without the SuccessCriteriaMet=true condition');
  if (added.includes('Failed') && !now.includes('FailureTarget'))
    yield shown('cannot set Failed=True condition without the FailureTarget=true condition');
  const active = Number(status['active'] ?? 0);
  if (added.some((type) => finished.has(type)) && active > 0)
    yield invalidValue('status.active', String(active), 'active>0 is invalid for finished job');
}
