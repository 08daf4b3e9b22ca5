import type { ContainerRun } from './containerRuns.js';

/** A line of a log. */
export interface LogLine {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly text: string;
}

/** The period between two lines of a simulated program. */
export const linePeriodMs = 2_000;

/** A pseudo-random number for a line: the same at every call. */
function mixed(seed: string, index: number): number {
  let hash = 2_166_136_261 ^ index;
  for (let at = 0; at < seed.length; at += 1) hash = Math.imul(hash ^ seed.charCodeAt(at), 16_777_619);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** A line like that of a web server. */
function workLine(seed: string, index: number): string {
  const value = mixed(seed, index);
  const path = ['/', '/api/orders', '/api/items', '/login', '/healthz'][value % 5] ?? '/';
  return `GET ${path} 200 ${String(1 + (value % 97))}ms`;
}

/** The maximum number of lines of a log: a container that has run for a year is answered at once. */
const maxLines = 10_000;

/**
 * The lines of a container in one run. No program runs, so the lines are computed from its status, always with the same result: one at the
 * start, one every two seconds, and one at the end.
 *
 * @param seed - identifies the container.
 * @param until - the current time.
 */
export function linesOfRun(seed: string, { startedAt, finishedAt, exitCode, restarts }: ContainerRun, until: number): readonly LogLine[] {
  const end = Math.min(finishedAt ?? until, until);
  const count = Math.max(0, Math.floor((end - startedAt - 1) / linePeriodMs));
  const first = Math.max(1, count - maxLines);
  const lines: LogLine[] = first === 1 ? [{ at: startedAt, text: `started${restarts > 0 ? `, restart ${String(restarts)}` : ''}` }] : [];
  for (let index = first; index <= count; index += 1)
    lines.push({ at: startedAt + index * linePeriodMs, text: workLine(`${seed}/${String(restarts)}`, index) });
  if (finishedAt !== undefined)
    lines.push({ at: finishedAt, text: exitCode === 0 ? 'done' : `fatal: ended with exit code ${String(exitCode)}` });
  return lines;
}
