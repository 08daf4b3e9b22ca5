import { asJsonObject, asString, isJsonObject, jsonEqual, valueAt, without, type Json, type JsonObject } from '../json.js';
import { invalidValue, notSupported, required } from '../status/statusErrors.js';
import { nameProblems } from '../write/nameProblem.js';
import type { StoredContent } from '../store/storedObject.js';
import { choiceErrors, type Findings, immutableErrors, itemsOf } from './fieldChecks.js';
import { podSpecErrors } from './podErrors.js';
import { labelErrors, labelSelectorErrors, selectorOf } from './selectorErrors.js';
import { listAt } from 'rx-informer/internal';

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

/** Validation errors of a job's pod failure policy. */
function* podFailureErrors(spec: JsonObject, path: string): Findings {
  for (const [{ action, onExitCodes }, place] of itemsOf(valueAt(spec, 'podFailurePolicy', 'rules'), `${path}.podFailurePolicy.rules`)) {
    yield* choiceErrors(action ?? '', ['Count', 'FailIndex', 'FailJob', 'Ignore'], `${place}.action`);
    const numbers = listAt(onExitCodes, 'values').map(Number);
    if (numbers.some((number, index) => index > 0 && number < (numbers[index - 1] ?? 0)))
      yield invalidValue(`${place}.onExitCodes.values`, JSON.stringify(numbers), 'must be ordered');
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

function* podTemplateErrors({ template }: JsonObject, path: string): Findings {
  yield* labelErrors(valueAt(template, 'metadata', 'labels'), `${path}.labels`);
  const podSpec = asJsonObject(valueAt(template, 'spec'));
  yield* podSpecErrors(podSpec, `${path}.spec`);
  const place = `${path}.spec.restartPolicy`;
  const policy = asString(podSpec['restartPolicy'] ?? 'Always');
  if (policy === 'Always') yield required(place, 'valid values: "OnFailure", "Never"');
  else if (policy !== 'OnFailure' && policy !== 'Never') yield notSupported(place, JSON.stringify(policy), ['OnFailure', 'Never']);
}

/** Validation errors of the spec of a job, or of a cron job's template. */
export function* jobSpecErrors(spec: JsonObject, path: string): Findings {
  if (spec['completionMode'] === 'Indexed' && spec['completions'] === undefined)
    yield required(`${path}.completions`, 'when completion mode is Indexed');
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
  if (spec['completionMode'] !== 'Indexed') yield* immutableErrors([was['completions'], spec['completions']], 'spec.completions');
  const isFree = was['suspend'] === true && valueAt(before, 'status', 'startTime') === undefined;
  if (!jsonEqual(fixedTemplate(was['template'], isFree), fixedTemplate(spec['template'], isFree)))
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
  yield* labelSelectorErrors(selector, 'spec.selector');
  const labels = valueAt(template, 'metadata', 'labels');
  if (selectorOf(selector)?.matches(asJsonObject(labels) as Readonly<Record<string, string>>) === false)
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
  if (added.includes('Complete') && !now.includes('SuccessCriteriaMet'))
    yield invalidValue('status.conditions', '"Complete"', 'must come with SuccessCriteriaMet');
  const active = Number(status['active'] ?? 0);
  if (added.some((type) => finished.has(type)) && active > 0)
    yield invalidValue('status.active', String(active), 'active>0 is invalid for finished job');
}
