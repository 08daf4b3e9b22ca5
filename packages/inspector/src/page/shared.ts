import type { Difference } from '../differences.js';
import type { Facts, InformerFacts, ViewFacts } from '../facts.js';
import type { Answer, Rows } from '../look.js';
import type { LoggedRequest } from '../requestLog.js';
import type { SceneThing } from '../scene.js';
import { type Child, type Drawn, h } from './draw.js';

/** A thing with facts of certain kinds. */
export interface Thing<F extends Facts = Facts> extends SceneThing {
  readonly facts: F;
}

/** The state of the page. */
export interface State {
  panel: string;
  of: number | undefined;
  search: string;
  from: number;
  count: number;
  key: string | undefined;
  at: number | undefined;
  paused: boolean;
}

export interface Page {
  readonly state: State;
  readonly answer: Answer;
  readonly set: (change: Partial<State>) => void;
}

export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)}\u00a0ms`;
  if (ms < 120_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)}\u00a0s`;
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)}\u00a0min` : `${Math.round(ms / 3_600_000)}\u00a0h`;
}

export function bytes(count: number): string {
  if (count < 1_000) return `${count}\u00a0B`;
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)}\u00a0kB` : `${(count / 1_000_000).toFixed(1)}\u00a0MB`;
}

export const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

export const clock = (at: number): string => new Date(at).toLocaleTimeString(undefined, { hour12: false });

/** A block of a class. */
export const div = (name: string, ...children: readonly Child[]): Drawn => h('div', { class: name }, ...children);

/** A part of a panel, with its heading. */
export const section = (heading: string, ...children: readonly Child[]): Drawn => h('section', {}, h('h2', {}, heading), ...children);

/** A text on a line of its own. */
export const line = (name: string, ...children: readonly Child[]): Drawn => h('p', { class: name }, ...children);

export function badge(text: string, tone = ''): Drawn {
  return h('span', { class: `badge ${tone}` }, text);
}

/** A text that stays on one line. */
export const whole = (...children: readonly Child[]): Drawn => h('span', { class: 'whole' }, ...children);

export const stateTone = (state: string): string =>
  state === 'watching' ? 'good' : state === 'retrying' || state === 'stopped' ? 'bad' : 'mild';

/** A table; each row is an array of cells. A row of one cell continues the previous row and spans all columns. */
export function table(heads: readonly string[], rows: readonly (readonly Child[])[], empty: string): Drawn {
  if (rows.length === 0) return line('empty', empty);
  const row = (cells: readonly Drawn[]): Drawn => h('tr', {}, cells);
  const cellsOf = (cells: readonly Child[]): Drawn[] =>
    cells.map((cell) => h('td', cells.length === 1 ? { colspan: heads.length } : {}, cell));
  const head = row(heads.map((text) => h('th', {}, text)));
  const body = rows.map((cells) => row(cellsOf(cells)));
  return div('scroll', h('table', {}, h('thead', {}, head), h('tbody', {}, body)));
}

const rowHeight = 30;

/** A virtual list: only visible rows exist in the DOM. */
export function rows<T>({ state, set }: Page, { total, from, rows: some }: Rows<T>, drawRow: (row: T) => Child): Drawn {
  const seen = (event: Event): void => {
    const { scrollTop, clientHeight } = event.currentTarget as HTMLElement;
    const first = Math.max(0, Math.floor(scrollTop / rowHeight) - 5);
    const count = Math.ceil(clientHeight / rowHeight) + 10;
    if (first !== state.from || count !== state.count) set({ from: first, count });
  };
  return h(
    'div',
    { class: 'rows', onscroll: seen, tabindex: '0' },
    h(
      'div',
      { class: 'all', style: { height: `${total * rowHeight}px` } },
      some.map((row, at) => h('div', { class: 'row', style: { top: `${(from + at) * rowHeight}px` } }, drawRow(row))),
    ),
  );
}

const short = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
};

export function differences(all: readonly Difference[]): Drawn {
  return h(
    'ul',
    { class: 'differences' },
    all.map(({ path, before, after }) =>
      h('li', {}, h('code', {}, path.join('.') || 'the object'), ' ', h('del', {}, short(before)), ' → ', h('ins', {}, short(after))),
    ),
  );
}

export const nameOf = (answer: Answer, id: number): string => answer.things.find((thing) => thing.id === id)?.facts.name ?? `number ${id}`;

/** The things of one kind. */
export function thingsOf<K extends Facts['kind']>({ things }: Answer, kind: K): readonly Thing<Extract<Facts, { readonly kind: K }>>[] {
  return things.filter((thing): thing is Thing<Extract<Facts, { readonly kind: K }>> => thing.facts.kind === kind);
}

/** Informers, then views. */
export const collections = ({ answer }: Page): readonly Thing<InformerFacts | ViewFacts>[] => [
  ...thingsOf(answer, 'informer'),
  ...thingsOf(answer, 'view'),
];

/** A link to the objects of a collection. */
export function open(page: Page, id: number, text: string): Drawn {
  const onclick = (): void => page.set({ panel: 'objects', of: id, key: undefined, from: 0, search: '' });
  return h('button', { class: 'link', title: text, onclick }, text);
}

/** The outcome of a request. */
export function resultOf({ status, failure, endedAt }: LoggedRequest): string {
  if (failure !== undefined) return 'failed';
  return String(status ?? (endedAt === undefined ? '…' : 'no answer'));
}

/** Why a request failed, and then the request: a row may show the beginning alone. */
export function failureOf(name: string, failure: string): string {
  const start = `${name} failed: `;
  if (failure.startsWith(start)) return `${failure.slice(start.length)} (${name})`;
  return failure.includes(name) ? failure : `${failure} (${name})`;
}

/** How long a request took, and when its answer began if that differs. */
export function took({ startedAt, headAt, endedAt, bytes: size }: LoggedRequest, now: number): string {
  const all = (endedAt ?? now) - startedAt;
  const head = headAt === undefined ? all : headAt - startedAt;
  const isStream = all - head > 100;
  return `${endedAt === undefined ? 'open for ' : ''}${duration(all)}${isStream ? `, answer after ${duration(head)}` : ''}, ${bytes(size)}`;
}
