import { counted, type DemoState } from './demoStep.js';

/** What came of it all. */
export function demoSummary({ counts, relists, requests, faults, checks, mostLost, startedAt }: DemoState, now: number): string[] {
  const { added, updated, deleted } = counts;
  const seconds = ((now - startedAt) / 1_000).toFixed(0);
  const lost =
    checks === 0 ? 'never compared with the server' : `${String(mostLost)} lost in ${counted(checks, 'comparison')} with the server`;
  return [
    `In ${seconds} s: ${counted(added + updated + deleted, 'event')} (${String(added)} added, ${String(updated)} updated, ${String(deleted)} deleted),`,
    `${counted(faults, 'fault')}, ${counted(relists, 'relist')}, ${counted(requests, 'request')}, ${lost}.`,
    'The informer is a cache of the pods that every event goes through first; it reconnects, resumes or lists again by itself.',
  ];
}
