import { counted, type DemoState } from './demoStep.js';

const time = 8;
const columns = ['health$ ', 'pods', 'added', 'updated', 'deleted', 'synced', 'relists', 'requests', 'lost'];

const timeOf = (at: number, startedAt: number): string => `${((at - startedAt) / 1_000).toFixed(1)} s`.padStart(time);

function heading(): string[] {
  return [
    'rx-informer: a live copy of the pods of an API server in another process. That server is broken on purpose; nothing gets lost.',
    `${'time'.padStart(time)}  ${columns.join('  ')}`,
  ];
}

function figures({ health, rows, counts, relists, requests, check, startedAt }: DemoState, now: number): string {
  const pods = [...rows.values()].filter(({ type }) => type !== 'deleted').length;
  const numbers = [pods, counts.added, counts.updated, counts.deleted, counts.synced, relists, requests, check?.lost ?? '?'];
  const cells = [
    (health?.state ?? 'starting').padEnd(8),
    ...numbers.map((number, at) => String(number).padStart(columns[at + 1]?.length ?? 0)),
  ];
  return `${timeOf(now, startedAt)}  ${cells.join('  ')}`;
}

/**
 * The demonstration without a terminal: prints lines with the events since the last call, and
 * then the current figures.
 */
export function createDemoStory(): (state: DemoState, now: number) => string[] {
  let told = 0;
  let begun = false;
  return (state, now) => {
    const news = state.story.filter((_, index) => index >= told).map(({ at, text }) => `${timeOf(at, state.startedAt)}  * ${text}`);
    told = state.story.length;
    const first = begun ? [] : heading();
    begun = true;
    return [...first, ...news, figures(state, now)];
  };
}

/** The summary at the end. */
export function demoSummary({ counts, relists, requests, faults, checks, mostLost, startedAt }: DemoState, now: number): string[] {
  const { added, updated, deleted } = counts;
  const seconds = ((now - startedAt) / 1_000).toFixed(0);
  const lost =
    checks === 0 ? 'never compared with the server' : `${String(mostLost)} lost in ${counted(checks, 'comparison')} with the server`;
  return [
    `In ${seconds} s: ${counted(added + updated + deleted, 'event')} (${String(added)} added, ${String(updated)} updated, ${String(deleted)} deleted),`,
    `${counted(faults, 'fault')}, ${counted(relists, 'relist')}, ${counted(requests, 'request')}, ${lost}.`,
    // Lines have at most 80 columns.
    'Each event changed the cache of pods before it was shown. The informer',
    'reconnects, resumes or lists again by itself.',
  ];
}
