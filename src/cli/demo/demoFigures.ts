import { healthStyle } from '../output/healthStyle.js';
import { linkLine } from '../output/linkLine.js';
import type { Line, Span } from '../output/span.js';
import { counted } from './counted.js';
import type { DemoState } from './demoState.js';

/** For example `3.4 s`. */
const secondsSince = (at: number, now: number): string => `${(Math.max(0, now - at) / 1_000).toFixed(1)} s`;

/** What `health$` says, and for how long. */
function healthLine({ health, server }: DemoState, now: number): Line {
  if (health === undefined || server === 'starting') return ['health$  ', { text: '○ the API server is being started', style: 'dim' }];
  const { state, since, lastEventAt } = health;
  const silence = state === 'watching' && lastEventAt !== undefined ? `, event ${secondsSince(lastEventAt, now)} ago` : '';
  const detail = state === 'retrying' || state === 'listing' ? ` | ${linkLine(health, now)}` : silence;
  return ['health$  ', { text: `● ${state}`, style: healthStyle[state] }, ` for ${secondsSince(since, now)}${detail}`];
}

function lostSpan({ check, mostLost }: DemoState): Span {
  if (check === undefined) return { text: '?', style: 'dim' };
  return { text: String(check.lost), style: mostLost === 0 ? 'green' : 'red' };
}

function countersLine({ counts, relists, requests, faults }: DemoState): Line {
  const events = counts.added + counts.updated + counts.deleted;
  return [`events   ${String(events)}, relists ${String(relists)}, requests ${String(requests)}, faults ${String(faults)}`];
}

/** What the last comparison with the server has found. */
function lostLine(state: DemoState, now: number): Line {
  const { check } = state;
  const when =
    check === undefined
      ? ': not compared with the server yet'
      : ` of ${counted(check.count, 'pod')}, compared ${secondsSince(check.at, now)} ago`;
  return ['lost     ', lostSpan(state), when];
}

/**
 * The figures: what `health$` says and for how long, the counters, and what the last comparison with the server has found.
 */
export function demoFigures(state: DemoState, now: number): Readonly<Record<'health' | 'counters' | 'lost', Line>> {
  return { health: healthLine(state, now), counters: countersLine(state), lost: lostLine(state, now) };
}
