import type { InformerHealth } from '../../api/events/informerHealth.js';
import { healthStyle, typeStyle } from '../output/styles.js';
import type { Line, Span } from '../output/span.js';
import type { DemoState, EventType } from './demoStep.js';

/** How much time one column of a lane stands for. */
const cellMs = 250;
const label = 9;
const types: readonly EventType[] = ['added', 'updated', 'deleted', 'synced'];
const links: Readonly<Record<InformerHealth['state'], string>> = {
  idle: '·',
  restored: '◍',
  listing: '◌',
  watching: '━',
  retrying: '✗',
  stopped: '·',
};

/** One event is a marble, several at a time are counted. */
const marble = (count: number): string => (count === 1 ? '●' : count < 10 ? String(count) : '+');

function lane(type: EventType, state: DemoState, cells: number, newest: number): Line {
  const counts = new Map<number, number>();
  for (const { at, type: of } of state.marbles) {
    const cell = Math.floor(at / cellMs);
    if (of === type && cell > newest - cells) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  }
  const line = Array.from({ length: cells }, (_, index): Span => {
    const count = counts.get(newest - cells + 1 + index) ?? 0;
    return count === 0 ? { text: '─', style: 'dim' } : { text: marble(count), style: typeStyle[type] };
  });
  return [{ text: type.padEnd(label), style: typeStyle[type] }, ...line, { text: '▶', style: 'dim' }];
}

function linkLane({ links: states }: DemoState, cells: number, newest: number): Line {
  const line = Array.from({ length: cells }, (_, index): Span => {
    const end = (newest - cells + 2 + index) * cellMs;
    const begin = end - cellMs;
    // A state that lasted less than a column is seen, too.
    const within = states.filter(({ at }) => at >= begin && at < end);
    const { state } = within.find((one) => one.state === 'retrying') ??
      within.at(-1) ??
      states.findLast(({ at }) => at < begin) ?? { state: 'idle' };
    const [text, style] = [links[state], healthStyle[state]];
    return { text, style };
  });
  return ['health$'.padEnd(label), ...line, { text: '▶', style: 'dim' }];
}

/** What has happened lately: a lane of marbles for each type of event, and one for the state of the link, now at their right ends. */
export function demoLanes(state: DemoState, width: number, now: number): Line[] {
  const cells = Math.max(0, width - label - 1);
  const newest = Math.floor(now / cellMs);
  return [...types.map((type) => lane(type, state, cells, newest)), linkLane(state, cells, newest)];
}
