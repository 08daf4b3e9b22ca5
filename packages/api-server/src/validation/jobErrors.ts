import { asJsonObject, asString, isJsonArray, isJsonObject, isEqualJson, valueAt, without, type Json, type JsonObject } from '../json.js';
import { invalidValue, notSupported, required, type FieldError } from '../status/statusErrors.js';
import { nameProblems } from '../write/nameProblem.js';
import type { StoredContent } from '../store/storedObject.js';
import { choiceErrors, immutableErrors, isFilled, itemsOf } from './fieldChecks.js';
import { podSpecErrors } from './podErrors.js';
import { labelErrors, labelSelectorErrors, selectorOf } from './selectorErrors.js';

type Findings = Generator<FieldError, void, undefined>;

/** An error without the value. */
function unshown(field: string, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${detail}` };
}

/** Validation errors of the selector and labels of a new job, which are generated unless the job says otherwise. */
function* jobSelectorErrors({ metadata: { name, uid } }: StoredContent, { manualSelector, selector, template }: JsonObject): Findings {
  if (manualSelector === true || !isJsonObject(selector)) return;
  const prefix = 'batch.kubernetes.io/';
  const generated = { 'controller-uid': uid, 'job-name': name, [`${prefix}controller-uid`]: uid, [`${prefix}job-name`]: name };
  for (const [label, value] of Object.entries(generated)) {
    const [said, field] = [valueAt(template, 'metadata', 'labels', label), `spec.template.metadata.labels[${label}]`];
    if (said === undefined) yield required(field, `must be '${value}'`);
    else if (said !== value) yield invalidValue(field, JSON.stringify(said), `must be '${value}'`);
  }
  if (selectorOf(selector)?.matches(generated) === false)
    yield invalidValue('spec.selector', JSON.stringify(selector), '`selector` not auto-generated');
}

function* exitCodeErrors(value: Json | undefined, path: string, containers: ReadonlySet<string>): Findings {
  if (!isJsonObject(value)) return;
  const { containerName, operator, values } = value;
  if (typeof containerName === 'string' && !containers.has(containerName))
    yield invalidValue(`${path}.containerName`, JSON.stringify(containerName), 'must be the name of a container in the template');
  const numbers = isJsonArray(values) ? values.map(Number) : [];
  if (operator === 'In' && numbers.includes(0))
    yield invalidValue(`${path}.values[${String(numbers.indexOf(0))}]`, '0', 'must not be 0 for the In operator');
  if (numbers.some((number, index) => index > 0 && number < (numbers[index - 1] ?? 0)))
    yield invalidValue(`${path}.values`, JSON.stringify(numbers), 'must be ordered');
}

/** Validation errors of a job's pod failure policy. */
function* podFailureErrors(spec: JsonObject, path: string): Findings {
  const podSpec = asJsonObject(valueAt(spec, 'template', 'spec'));
  const lists = ['initContainers', 'containers'].flatMap((list) => itemsOf(podSpec[list], ''));
  const containers = new Set(lists.map(([{ name }]) => asString(name)));
  for (const [rule, place] of itemsOf(valueAt(spec, 'podFailurePolicy', 'rules'), `${path}.podFailurePolicy.rules`)) {
    const { action, onExitCodes, onPodConditions } = rule;
    if (action === 'FailIndex' && spec['backoffLimitPerIndex'] === undefined)
      yield invalidValue(`${place}.action`, '"FailIndex"', 'requires the backoffLimitPerIndex to be set');
    else yield* choiceErrors(action ?? '', ['Count', 'FailIndex', 'FailJob', 'Ignore'], `${place}.action`);
    yield* exitCodeErrors(onExitCodes, `${place}.onExitCodes`, containers);
    if ((onExitCodes !== undefined) === isFilled(onPodConditions)) yield unshown(place, 'must have either onExitCodes or onPodConditions');
  }
}

/** The number of indexes in a text such as `0-2,5`; undefined for a malformed one. */
function indexesOf(text: string, completions: number): number | undefined {
  let [total, last] = [0, -1];
  for (const interval of text === '' ? [] : text.split(',')) {
    const [first = NaN, end = first, ...more] = interval.split('-').map((one) => (/^\d+$/.test(one) ? Number(one) : NaN));
    if (!(first > last && end >= first && end < completions) || more.length > 0) return undefined;
    total += end - first + 1;
    last = end;
  }
  return total;
}

function* successErrors({ successPolicy, completionMode, completions }: JsonObject, path: string): Findings {
  if (!isJsonObject(successPolicy)) return;
  if (completionMode !== 'Indexed') {
    yield invalidValue(`${path}.successPolicy`, JSON.stringify(successPolicy), 'requires indexed completion mode');
    return;
  }
  const all = Number(completions ?? 0);
  for (const [{ succeededIndexes, succeededCount }, place] of itemsOf(successPolicy['rules'], `${path}.successPolicy.rules`)) {
    const indexes = succeededIndexes === undefined ? all : indexesOf(asString(succeededIndexes), all);
    if (indexes === undefined)
      yield invalidValue(`${place}.succeededIndexes`, JSON.stringify(succeededIndexes), 'must be increasing indexes such as 0-2,5');
    const most = Math.min(indexes ?? 0, all);
    if (Number(succeededCount ?? 0) > most)
      yield invalidValue(`${place}.succeededCount`, JSON.stringify(succeededCount), `must be less than or equal to ${String(most)}`);
  }
}

function* podTemplateErrors({ template, podFailurePolicy }: JsonObject, path: string): Findings {
  yield* labelErrors(valueAt(template, 'metadata', 'labels'), `${path}.labels`);
  const podSpec = asJsonObject(valueAt(template, 'spec'));
  yield* podSpecErrors(podSpec, `${path}.spec`);
  const place = `${path}.spec.restartPolicy`;
  const policy = asString(podSpec['restartPolicy'] ?? 'Always');
  if (policy === 'Always') yield required(place, 'valid values: "OnFailure", "Never"');
  else if (policy !== 'OnFailure' && policy !== 'Never') yield notSupported(place, JSON.stringify(policy), ['OnFailure', 'Never']);
  else if (podFailurePolicy !== undefined && policy !== 'Never')
    yield invalidValue(place, JSON.stringify(policy), 'only "Never" is supported when podFailurePolicy is specified');
}

/** Validation errors of the fields for indexed jobs. */
function* indexErrors(spec: JsonObject, path: string): Findings {
  if (spec['completionMode'] === 'Indexed') {
    if (spec['completions'] === undefined) yield required(`${path}.completions`, 'when completion mode is Indexed');
    return;
  }
  for (const name of ['backoffLimitPerIndex', 'maxFailedIndexes'])
    if (spec[name] !== undefined) yield invalidValue(`${path}.${name}`, JSON.stringify(spec[name]), 'requires indexed completion mode');
}

/** Validation errors of the spec of a job, or of a cron job's template. */
export function* jobSpecErrors(spec: JsonObject, path: string): Findings {
  yield* indexErrors(spec, path);
  yield* podFailureErrors(spec, path);
  yield* successErrors(spec, path);
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

function* jobUpdateErrors(spec: JsonObject, before: StoredContent): Findings {
  const was = asJsonObject(before['spec']);
  const inTandem = [was, spec].every(({ completions, parallelism }) => completions === parallelism);
  if (spec['completionMode'] !== 'Indexed') yield* immutableErrors([was['completions'], spec['completions']], 'spec.completions');
  else if (was['completions'] !== spec['completions'] && !inTandem)
    yield invalidValue('spec.completions', JSON.stringify(spec['completions'] ?? null), 'can only change in tandem with spec.parallelism');
  const isFree = was['suspend'] === true && valueAt(before, 'status', 'startTime') === undefined;
  if (!isEqualJson(fixedTemplate(was['template'], isFree), fixedTemplate(spec['template'], isFree)))
    yield* immutableErrors([was['template'], spec['template']], 'spec.template');
}

/** Validation errors of a job. */
export function* jobErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  const spec = asJsonObject(after['spec']);
  const { selector, template } = spec;
  if (before === undefined) yield* jobSelectorErrors(after, spec);
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
    yield invalidValue('spec.template.metadata.labels', JSON.stringify(labels ?? null), '`selector` does not match template `labels`');
  yield* jobUpdateErrors(spec, before);
  yield* jobStatusErrors(after, before);
}

const finished = new Set(['Complete', 'Failed']);

/** Validation errors of a changed status of a job. */
function* jobStatusErrors(after: StoredContent, before: StoredContent): Findings {
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
  if (added.includes('Complete') && !now.includes('SuccessCriteriaMet'))
    yield unshown('status.conditions', 'cannot set Complete=True condition without the SuccessCriteriaMet=true condition');
  if (added.includes('Failed') && !now.includes('FailureTarget'))
    yield unshown('status.conditions', 'cannot set Failed=True condition without the FailureTarget=true condition');
  const active = Number(status['active'] ?? 0);
  if (added.some((type) => finished.has(type)) && active > 0)
    yield invalidValue('status.active', String(active), 'active>0 is invalid for finished job');
}
