import type { DemoState } from './demoStep.js';

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
 * The demonstration where there is no terminal: the same story as lines that stand below each other, what has happened since the last call and
 * then the figures of now.
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
