import { columnsOf } from '@rx-informer/api-server/internal';
import { resources, type UnstructuredObject } from 'rx-informer';
import { healthLooks, linkLine, typeStyle } from '../output/looks.js';
import { headerCells, rowCells } from '../output/tableFormat.js';
import { fitLine, type Line, type Span, textOf, textTable } from '../output/line.js';
import type { WatchSubject } from '../output/watchSubject.js';
import { counted, type DemoRow, type DemoState, type EventType } from './demoStep.js';

/** The time that one column of a lane covers. */
const cellMs = 250;
const label = 9;
/** The width of the total after a lane. */
const total = 8;
const types: readonly EventType[] = ['added', 'updated', 'deleted', 'synced'];
/** From each of these numbers of events on, a column is one step higher. */
const heights = [1, 2, 3, 4, 6, 10, 16, 32];
const marble = (count: number): string => '●▂▃▄▅▆▇█'[heights.findLastIndex((least) => count >= least)] ?? '─';
/** A watch without an event for this long is shown as silent. */
const silentMs = 1_000;
const silence: Span = { text: '┄', style: 'yellow' };

const arrow = (text: string): Span => ({ text: `▶ ${text}`, style: 'dim' });

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
  return [{ text: type.padEnd(label), style: typeStyle[type] }, ...line, arrow(String(state.counts[type]))];
}

/** The lane of the link: its states, the pressed keys, and the periods in which an open watch was silent. */
function linkLane({ links: states, marbles, story }: DemoState, cells: number, newest: number): Line {
  const line = Array.from({ length: cells }, (_, index): Span => {
    const end = (newest - cells + 2 + index) * cellMs;
    const begin = end - cellMs;
    const [, key] = /^(\w): /.exec(story.findLast(({ at }) => at >= begin && at < end)?.text ?? '') ?? [];
    if (key !== undefined) return { text: key, style: 'magenta' };
    // States that lasted less than a column are shown as well.
    const within = states.filter(({ at }) => at >= begin && at < end);
    const { state, at: since } = within.find((one) => one.state === 'retrying') ??
      within.at(-1) ??
      states.findLast(({ at }) => at < begin) ?? { state: 'idle', at: 0 };
    const isSilent = end - since > silentMs && !marbles.some(({ at }) => at < end && end - at <= silentMs);
    if (state === 'watching' && isSilent) return silence;
    const { lane: text, style } = healthLooks[state];
    return { text, style };
  });
  return ['health$'.padEnd(label), ...line, arrow('')];
}

const legends = [
  '● one event  ▂▃▄▅▆▇█ 2 to 32  ▶ how many in all   ━ watching  ┄ silent  ◌ listing  ✗ retrying  k e f c your keys   a column is 0.25 s',
  '● 1  ▂▃▄▅▆▇█ 2 to 32 events  ━ watching  ┄ silent  ◌ listing  ✗ retrying',
  '● 1  ▂▄▆█ more  ━ live  ┄ silent  ✗ retrying',
];

const longestOf = (texts: readonly string[], columns: number): string => texts.find((text) => text.length <= columns) ?? texts.at(-1) ?? '';

/** The recent past: a lane of marbles for each type of event and one for the state of the link, with the present at the right end, and a legend. */
function demoLanes(state: DemoState, width: number, now: number): Line[] {
  const cells = Math.max(0, width - label - total);
  const newest = Math.floor(now / cellMs);
  const lanes = [...types.map((type) => lane(type, state, cells, newest)), linkLane(state, cells, newest)];
  return [...lanes, [{ text: longestOf(legends, width), style: 'dim' }]];
}

const resource = resources.core.v1.pods as WatchSubject['resource'];
const subject: WatchSubject = {
  resource,
  allNamespaces: false,
  columns: columnsOf(resource).filter(({ priority }) => priority === 0),
  showKind: false,
  colour: true,
};

/** How long a row is marked after a change. */
const freshMs = 1_200;

const markOf = ({ type, at, initial }: DemoRow, now: number): Span =>
  !initial && now - at < freshMs ? { text: '●', style: typeStyle[type] } : ' ';

function cellsOf({ pod, type }: DemoRow, wallNow: number): Line {
  const cells = rowCells(pod as UnstructuredObject, subject, wallNow);
  return type === 'deleted' ? cells.map((cell): Span => ({ text: textOf(cell), style: 'dim' })) : cells;
}

/** The pods by name, in `height` lines. A mark before a row shows a recent event. */
function demoTable({ rows }: DemoState, width: number, height: number, now: number, wallNow: number): Line[] {
  if (height < 2) return [];
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  const room = height - 1;
  const shown = sorted.length > room ? sorted.slice(0, room - 1) : sorted;
  const [header = [], ...lines] = textTable([headerCells(subject), ...shown.map((row) => cellsOf(row, wallNow))], Math.max(0, width - 2));
  const table: Line[] = [
    ['  ', ...header],
    ...lines.map((line, at): Line => [...shown.slice(at, at + 1).map((row) => markOf(row, now)), ' ', ...line]),
  ];
  const hidden = sorted.length - shown.length;
  return hidden > 0 ? [...table, [{ text: `  … and ${String(hidden)} more`, style: 'dim' }]] : table;
}

const secondsSince = (at: number, now: number): string => `${(Math.max(0, now - at) / 1_000).toFixed(1)} s`;

/** The state of `health$`, and its duration. */
function healthLine({ health, server }: DemoState, now: number): Line {
  if (health === undefined || server === 'starting') return ['health$  ', { text: '○ the API server is being started', style: 'dim' }];
  const { state, since, lastEventAt } = health;
  const line: Line = ['health$  ', { text: `● ${state}`, style: healthLooks[state].style }, ` ${secondsSince(since, now)}`];
  if (state === 'retrying' || state === 'listing') return [...line, ` | ${linkLine(health, now)}`];
  if (state !== 'watching' || lastEventAt === undefined) return line;
  const ago = secondsSince(lastEventAt, now);
  return now - lastEventAt > silentMs ? [...line, ', ', { text: `silent for ${ago}`, style: 'yellow' }] : [...line, `, event ${ago} ago`];
}

function lostSpan({ check, maxLost }: DemoState): Span {
  if (check === undefined) return { text: '?', style: 'dim' };
  return { text: String(check.lost), style: maxLost === 0 ? 'green' : 'red' };
}

function countersLine({ counts, relists, requests, faults }: DemoState): Line {
  const events = counts.added + counts.updated + counts.deleted;
  return [`events   ${String(events)}, faults ${String(faults)}, relists ${String(relists)}, requests ${String(requests)}`];
}

/** The result of the last comparison with the server. */
function lostLine(state: DemoState, now: number): Line {
  const { check } = state;
  const when =
    check === undefined
      ? ': not compared with the server yet'
      : ` of ${counted(check.count, 'pod')}, compared ${secondsSince(check.at, now)} ago`;
  return ['lost     ', lostSpan(state), when];
}

/** The time and the size of a frame. */
export interface FrameSetting {
  readonly columns: number;
  readonly rows: number;
  readonly now: number;
  /** The wall clock, for the ages of pods: the server writes their creation times by it. */
  readonly wallNow: number;
  readonly hasKeys: boolean;
  /** Whether help is shown instead of the pods. */
  readonly help: boolean;
}

const titles = [
  'rx-informer: a live copy of the pods of another process. Break that server with the keys below: nothing gets lost.',
  'rx-informer: a live copy of a server. Break it by key: nothing gets lost.',
  'rx-informer: a live copy that survives faults',
];
const keys = [
  'k kill the server  e expire its history  f freeze the connection  c cut all  1-9 roll out 10-90 pods  ? help  q quit',
  'k kill server  e expire history  f freeze  c cut  1-9 roll out  ? help  q quit',
  'k kill e expire f freeze c cut 1-9 ? q',
];

/** The keys, their actions, and what to observe. */
const explained: readonly (readonly [string, string, string])[] = [
  [
    'k',
    'kills the server, which starts again after 1.5 s',
    'retrying, then one list has the missed changes: the new server has no history',
  ],
  ['e', 'makes the server drop its history', 'the watch ends with 410, and one list has the missed changes, as one step'],
  ['f', 'keeps the connection open, but silent', 'no error comes; after 4 s (75 s by default) a new watch takes its place'],
  ['c', 'cuts all connections', 'a new watch continues from the version of the last event, without a list'],
  ['1-9', 'rolls out 10 to 90 pods', 'each event goes through the cache first, then to the table and the lanes'],
  ['?', 'shows this, and hides it', ''],
  ['q', 'ends the demonstration with a summary', ''],
];

function helpLines(width: number): Line[] {
  const rows = explained.flatMap(([key, what, look]): Line[] => {
    const first: Line = [{ text: key.padEnd(5), style: 'cyan' }, what];
    return look === '' ? [first] : [first, ['     ', { text: look, style: 'dim' }]];
  });
  const about = ['The table is made of events alone. Each second it is compared with the server.', '"lost" counts the pods that differ.'];
  return [...rows, empty, ...about.map((text): Line => [text])].map((line) => fitLine(line, width));
}

/** From this width on, the table and the rest are side by side. */
const wide = 120;
const tableWidth = 74;

const empty: Line = [];

/** From this width on, the hints about what to observe are shown. */
const roomy = 100;
/** The width of a time with its space, and the height from which long messages are wrapped. */
const [whenWidth, manyLines] = [9, 8];

/** A text in lines of at most `width` characters. */
function wrapped(text: string, width: number): string[] {
  const end = text.lastIndexOf(' ', width);
  return text.length <= width || end <= 0 ? [text] : [text.slice(0, end), ...wrapped(text.slice(end + 1), width)];
}

/** The story, newest last: in full if there is room, with what to observe after each key. */
function storyLines({ story, startedAt }: DemoState, width: number, height: number): Line[] {
  const lines = story.flatMap(({ at, text, style }): Line[] => {
    const when = `${((at - startedAt) / 1_000).toFixed(1)} s`.padStart(7);
    const [first = '', ...rest] = height < manyLines ? [text] : wrapped(text, width - whenWidth);
    const line: Line = [{ text: when, style: 'dim' }, '  ', { text: first, style }];
    const more = rest.map((part): Line => [' '.repeat(whenWidth), { text: part, style }]);
    const [, , look = ''] = explained.find(([key]) => text.startsWith(`${key}: `)) ?? [];
    return [line, ...more, ...(width < roomy || look === '' ? [] : [[' '.repeat(12), { text: look, style: 'dim' }] as Line])];
  });
  return lines.slice(Math.max(0, lines.length - height)).map((line) => fitLine(line, width));
}

function beside(left: readonly Line[], right: readonly Line[], leftWidth: number): Line[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index): Line => {
    const line = left[index] ?? empty;
    const filler: Span = ' '.repeat(Math.max(0, leftWidth - textOf(line).length));
    return [...line, filler, ...(right[index] ?? empty)];
  });
}

function wideBody(state: DemoState, { columns, now, wallNow }: FrameSetting, height: number): Line[] {
  const leftWidth = tableWidth;
  const panelWidth = columns - leftWidth;
  const top = [healthLine(state, now), countersLine(state), lostLine(state, now), empty, ...demoLanes(state, panelWidth, now), empty];
  const panel = [...top, ...storyLines(state, panelWidth, Math.max(0, height - top.length))].map((line) => fitLine(line, panelWidth));
  return beside(demoTable(state, leftWidth - 1, height, now, wallNow), panel.slice(0, height), leftWidth);
}

/** The most important parts first, as far as there is room: figures, four lines of the table, lanes, the story, then more of the table. */
function narrowBody(state: DemoState, { columns, now, wallNow }: FrameSetting, height: number): Line[] {
  const figures = [healthLine(state, now), lostLine(state, now), countersLine(state)].slice(0, Math.max(1, height - 2));
  const least = 4;
  const allLanes = demoLanes(state, columns, now);
  const forLanes = height - figures.length - least;
  const lanes = allLanes.slice(0, forLanes >= 3 ? forLanes : 0);
  const forStory = Math.min(3, Math.max(0, forLanes - allLanes.length - 2));
  const story = forStory === 0 ? [] : storyLines(state, columns, forStory);
  const table = demoTable(state, columns, height - figures.length - lanes.length - forStory, now, wallNow);
  return [
    ...figures,
    ...lanes,
    ...table,
    ...Array<Line>(Math.max(0, height - figures.length - lanes.length - table.length - story.length)).fill(empty),
    ...story,
  ];
}

/** The lines of one frame, cut to the size of the terminal. */
export function demoFrame(state: DemoState, setting: FrameSetting): Line[] {
  const { columns, rows, hasKeys } = setting;
  const title: Line = [{ text: longestOf(titles, columns), style: 'bold' }];
  const bottom: Line = [{ text: hasKeys ? longestOf(keys, columns) : 'The faults come by themselves; Ctrl-C ends it.', style: 'cyan' }];
  const isRoomy = rows >= 16;
  const height = Math.max(0, rows - (isRoomy ? 4 : 2));
  const drawn = setting.help ? helpLines(columns) : (columns >= wide ? wideBody : narrowBody)(state, setting, height);
  const body = drawn.slice(0, height);
  const filled = [...body, ...Array<Line>(Math.max(0, height - body.length)).fill(empty)];
  const lines = isRoomy ? [title, empty, ...filled, empty, bottom] : [title, ...filled, bottom];
  return lines.slice(0, rows).map((line) => fitLine(line, columns));
}
