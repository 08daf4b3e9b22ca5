import { asJsonObject, asString, valueAt, type JsonObject } from '../json.js';
import { invalidValue, required, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { podSpecErrors } from './podErrors.js';

const shorthands = /^@(yearly|annually|monthly|weekly|daily|midnight|hourly|every .+)$/;
const fields = 5;
const field = /^(\*|\?|[\dA-Za-z]+(-[\dA-Za-z]+)?)(\/\d+)?(,(\*|[\dA-Za-z]+(-[\dA-Za-z]+)?)(\/\d+)?)*$/;

function scheduleProblem(schedule: string): string {
  if (shorthands.test(schedule)) return '';
  const parts = schedule.trim().split(/\s+/);
  if (parts.length !== fields) return `expected exactly ${String(fields)} fields, found ${String(parts.length)}: [${parts.join(' ')}]`;
  const bad = parts.find((part) => !field.test(part));
  return bad === undefined ? '' : `failed to parse int from ${bad}: strconv.Atoi: parsing ${JSON.stringify(bad)}: invalid syntax`;
}

/** What is wrong with a cron job. */
export function* cronJobErrors(after: StoredContent): Generator<FieldError, void, undefined> {
  const spec: JsonObject = asJsonObject(after['spec']);
  const schedule = asString(spec['schedule']);
  const problem = scheduleProblem(schedule);
  if (problem !== '') yield invalidValue('spec.schedule', JSON.stringify(schedule), problem);
  const podSpec = asJsonObject(valueAt(spec, 'jobTemplate', 'spec', 'template', 'spec'));
  yield* podSpecErrors(podSpec, 'spec.jobTemplate.spec.template.spec');
  if (asString(podSpec['restartPolicy'] ?? 'Always') === 'Always')
    yield required('spec.jobTemplate.spec.template.spec.restartPolicy', 'valid values: "OnFailure", "Never"');
}
