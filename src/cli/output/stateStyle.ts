import type { Style } from './span.js';

const words = {
  green: 'Running Ready Active Bound Available Approved Issued True Healthy Synced',
  yellow: 'Pending ContainerCreating PodInitializing Terminating Released Progressing Warning SchedulingDisabled Unknown',
  red: 'Failed Error CrashLoopBackOff ImagePullBackOff ErrImagePull OOMKilled Evicted NotReady Lost False Denied Degraded',
  dim: 'Completed Complete Succeeded',
} as const;

const styles = new Map<string, Style>(
  (['green', 'yellow', 'red', 'dim'] as const).flatMap((style) => words[style].split(' ').map((word): [string, Style] => [word, style])),
);

const stateColumns = new Set(['STATUS', 'PHASE', 'STATE', 'HEALTH', 'READY', 'AVAILABLE', 'TYPE', 'SYNCED']);

/** `2/2` is well, `1/2` is not. */
function styleOfCount(text: string): Style | undefined {
  const [, ready, wanted] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  return ready === undefined ? undefined : ready === wanted ? 'green' : 'yellow';
}

/** The style of a cell that says how an object is doing: green is well, yellow on its way, red wrong, dim over. Cells of other columns have none. */
export function stateStyle(columnName: string, cell: string): Style | undefined {
  if (!stateColumns.has(columnName.toUpperCase())) return undefined;
  const [first = ''] = cell.split(',').slice(-1);
  if (/^Init:/.test(first)) return /^Init:\d+\/\d+$/.test(first) ? 'yellow' : 'red';
  if (/^(ExitCode|Signal):/.test(first)) return 'red';
  return styles.get(first) ?? styleOfCount(first);
}
