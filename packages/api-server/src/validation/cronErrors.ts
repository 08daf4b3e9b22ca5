import { asJsonObject, asString, valueAt, type JsonObject } from '../json.js';
import { invalidValue, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { ranges } from '../workload/cronSchedule.js';
import { jobSpecErrors } from './jobErrors.js';

const shorthands = /^@(yearly|annually|monthly|weekly|daily|midnight|hourly|every .+)$/;
const field = /^(\*|\?|[\dA-Za-z]+(-[\dA-Za-z]+)?)(\/\d+)?(,(\*|[\dA-Za-z]+(-[\dA-Za-z]+)?)(\/\d+)?)*$/;

function rangeProblem(parts: readonly string[]): string {
  for (const [at, [lowest, highest]] of ranges.entries())
    for (const part of parts[at]?.split(',') ?? []) {
      const [range = ''] = part.split('/');
      const [start, end = start] = range.split('-').map((number) => (/^\d+$/.test(number) ? Number(number) : undefined));
      if ((start ?? lowest) < lowest || (end ?? highest) > highest || (start ?? lowest) > (end ?? highest))
        return `range is not within ${String(lowest)} and ${String(highest)}: ${part}`;
    }
  return '';
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function scheduleProblem(schedule: string): string {
  if (shorthands.test(schedule)) return '';
  const parts = schedule.trim().split(/\s+/);
  if (parts.length !== ranges.length) return `expected exactly 5 fields, found ${String(parts.length)}: [${parts.join(' ')}]`;
  const bad = parts.find((part) => !field.test(part));
  if (bad === undefined) return rangeProblem(parts);
  return `failed to parse int from ${bad}`;
}

/** Validation errors of a cron job. */
export function* cronJobErrors(after: StoredContent): Generator<FieldError, void, undefined> {
  const spec: JsonObject = asJsonObject(after['spec']);
  const schedule = asString(spec['schedule']);
  const zoned = /(^|\s)(CRON_)?TZ=/.test(schedule);
  const problem = zoned ? 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead' : scheduleProblem(schedule);
  if (problem !== '') yield invalidValue('spec.schedule', JSON.stringify(schedule), problem);
  const { timeZone } = spec;
  if (typeof timeZone === 'string' && !isTimeZone(timeZone))
    yield invalidValue('spec.timeZone', JSON.stringify(timeZone), `unknown time zone ${timeZone}`);
  yield* jobSpecErrors(asJsonObject(valueAt(spec, 'jobTemplate', 'spec')), 'spec.jobTemplate.spec');
  const { name } = after.metadata;
  // The names of its jobs are longer by the time appended.
  if (name.length > 52) yield invalidValue('metadata.name', JSON.stringify(name), 'must be no more than 52 characters');
}
