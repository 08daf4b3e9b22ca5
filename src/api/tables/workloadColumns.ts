import { entriesAt, fieldAt, listAt, numberAt, textAt } from './fieldAt.js';
import { humanDuration } from './humanDuration.js';
import { ageColumn, ageOf, column, nameColumn, wideColumn, type TableColumn } from './tableColumn.js';

const none = '<none>';

/** A label selector at a path, as one text. */
export function selectorText(object: unknown, ...path: readonly string[]): string {
  const labels = entriesAt(object, ...path, 'matchLabels').map(([key, value]) => `${key}=${String(value)}`);
  const expressions = listAt(object, ...path, 'matchExpressions').map(
    (expression) =>
      `${textAt(expression, 'key')} ${textAt(expression, 'operator').toLowerCase()} (${listAt(expression, 'values').join(',')})`,
  );
  return [...labels, ...expressions].join(',') || none;
}

const containersAt = (object: unknown): readonly unknown[] => listAt(object, 'spec', 'template', 'spec', 'containers');
/** The names of the containers in a template. */
export const containersColumn: TableColumn = wideColumn('Containers', (object) =>
  containersAt(object)
    .map((container) => textAt(container, 'name'))
    .join(','),
);
/** Their images. */
export const imagesColumn: TableColumn = wideColumn('Images', (object) =>
  containersAt(object)
    .map((container) => textAt(container, 'image'))
    .join(','),
);
const selectorColumn = wideColumn('Selector', (object) => selectorText(object, 'spec', 'selector'));
const replicas = (object: unknown): number =>
  fieldAt(object, 'spec', 'replicas') === undefined ? 1 : numberAt(object, 'spec', 'replicas');
const statusCount =
  (name: string) =>
  (object: unknown): number =>
    numberAt(object, 'status', name);
const readyOfWanted = (object: unknown): string => `${String(numberAt(object, 'status', 'readyReplicas'))}/${String(replicas(object))}`;

function jobContainers(job: unknown, field: string): string {
  const containers = listAt(job, 'spec', 'jobTemplate', 'spec', 'template', 'spec', 'containers');
  return containers.map((container) => textAt(container, field)).join(',');
}

function suspended(job: unknown): string {
  const value = fieldAt(job, 'spec', 'suspend');
  return value === undefined ? '<unset>' : value === true ? 'True' : 'False';
}

function completions(job: unknown): string {
  const succeeded = numberAt(job, 'status', 'succeeded');
  if (fieldAt(job, 'spec', 'completions') !== undefined) return `${String(succeeded)}/${String(numberAt(job, 'spec', 'completions'))}`;
  const parallelism = numberAt(job, 'spec', 'parallelism');
  return parallelism > 1 ? `${String(succeeded)}/1 of ${String(parallelism)}` : `${String(succeeded)}/1`;
}

function jobDuration(job: unknown, now: number): string {
  const start = Date.parse(textAt(job, 'status', 'startTime'));
  const end = Date.parse(textAt(job, 'status', 'completionTime'));
  return Number.isNaN(start) ? '' : humanDuration((Number.isNaN(end) ? now : end) - start);
}

function jobStatus(job: unknown): string {
  const holds = (type: string): boolean =>
    listAt(job, 'status', 'conditions').some((condition) => textAt(condition, 'type') === type && textAt(condition, 'status') === 'True');
  const found = ['Complete', 'Failed', 'Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(holds);
  if (found === undefined) return fieldAt(job, 'metadata', 'deletionTimestamp') === undefined ? 'Running' : 'Terminating';
  return found;
}

/**
 * The columns of the kinds that run pods, by `plural.group`.
 */
export const workloadColumns: Readonly<Record<string, readonly TableColumn[]>> = {
  'deployments.apps': [
    nameColumn,
    column('Ready', readyOfWanted, 'How many of the wanted pods are ready.'),
    column('Up-to-date', statusCount('updatedReplicas'), 'How many pods have the wanted template.'),
    column('Available', statusCount('availableReplicas'), 'How many pods have been ready long enough.'),
    ageColumn,
    containersColumn,
    imagesColumn,
    selectorColumn,
  ],
  'replicasets.apps': [
    nameColumn,
    column('Desired', replicas, '', 'integer'),
    column('Current', statusCount('replicas'), '', 'integer'),
    column('Ready', statusCount('readyReplicas'), '', 'integer'),
    ageColumn,
    containersColumn,
    imagesColumn,
    selectorColumn,
  ],
  'statefulsets.apps': [nameColumn, column('Ready', readyOfWanted), ageColumn, containersColumn, imagesColumn],
  'daemonsets.apps': [
    nameColumn,
    column('Desired', statusCount('desiredNumberScheduled'), '', 'integer'),
    column('Current', statusCount('currentNumberScheduled'), '', 'integer'),
    column('Ready', statusCount('numberReady'), '', 'integer'),
    column('Up-to-date', statusCount('updatedNumberScheduled'), '', 'integer'),
    column('Available', statusCount('numberAvailable'), '', 'integer'),
    column(
      'Node Selector',
      (set) =>
        entriesAt(set, 'spec', 'template', 'spec', 'nodeSelector')
          .map(([key, value]) => `${key}=${String(value)}`)
          .join(',') || none,
    ),
    ageColumn,
    containersColumn,
    imagesColumn,
    selectorColumn,
  ],
  'jobs.batch': [
    nameColumn,
    column('Status', jobStatus),
    column('Completions', completions),
    column('Duration', jobDuration),
    ageColumn,
    containersColumn,
    imagesColumn,
    selectorColumn,
  ],
  'cronjobs.batch': [
    nameColumn,
    column('Schedule', (job) => textAt(job, 'spec', 'schedule')),
    column('Timezone', (job) => textAt(job, 'spec', 'timeZone') || none),
    column('Suspend', suspended, '', 'boolean'),
    column('Active', (job) => listAt(job, 'status', 'active').length, '', 'integer'),
    column('Last Schedule', (job, now) =>
      textAt(job, 'status', 'lastScheduleTime') === '' ? none : ageOf(textAt(job, 'status', 'lastScheduleTime'), now),
    ),
    ageColumn,
    wideColumn('Containers', (job) => jobContainers(job, 'name')),
    wideColumn('Images', (job) => jobContainers(job, 'image')),
    wideColumn('Selector', (job) => selectorText(job, 'spec', 'jobTemplate', 'spec', 'selector')),
  ],
};
