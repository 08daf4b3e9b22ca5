import type { UnstructuredObject } from '../../api/kubernetesObject.js';
import { differenceLine, differencesOf } from './differencesOf.js';
import { fitLine, type Line, textOf, textTable, wrapLine } from './line.js';
import { typeStyle } from './looks.js';
import { printable, printableYaml } from './printable.js';
import { headerCells, rowCells } from './tableFormat.js';
import type { WatchSubject } from './watchSubject.js';

/** What a reader has asked a live table for. */
export interface Browsing {
  /** The column that rows are sorted by, by its place in the header; absent: by key. */
  readonly column?: number | undefined;
  readonly descending: boolean;
  /** What a row has to contain to be shown. */
  readonly filter: string;
  /** Whether keys go into the filter. */
  readonly typing: boolean;
  /** The key of the object under the cursor; absent until the cursor is moved. */
  readonly selected?: string | undefined;
  /** Whether the cursor follows the last change. */
  readonly follows: boolean;
  /** Whether the selected object is shown in place of the table, and from which of its lines. */
  readonly open: boolean;
  readonly top: number;
  readonly help: boolean;
  /** Whether all columns are shown. */
  readonly wide: boolean;
}

/** How a live table begins. */
export const notBrowsing: Browsing = {
  ...{ descending: false, filter: '', typing: false, follows: false },
  ...{ open: false, top: 0, help: false, wide: false },
};

/** The history of an object since the table was opened. */
export interface ObjectHistory {
  readonly previous: UnstructuredObject;
  readonly changedAt: number;
}

/** What a live table is drawn from. */
export interface BrowsedTable {
  readonly subject: WatchSubject;
  /** The objects by key, in the order of keys. */
  readonly objects: ReadonlyMap<string, UnstructuredObject>;
  readonly histories: ReadonlyMap<string, ObjectHistory>;
  readonly now: number;
  /** How large the terminal is, without the line that says the state. */
  readonly rows: number;
  readonly columns: number;
}

/** The keys, as the help names them. */
export const browsingHelp: readonly string[] = [
  '↑ ↓ j k          the row above, the row below',
  'PgUp PgDn g G    a page up, a page down, the first row, the last row',
  'Enter            open the object, with what its last change was',
  'Esc              back to the table',
  's S              sort by the next column, turn the order round',
  'n a r            sort by name, age, restarts',
  '/                show rows with a text: Enter keeps it, Esc drops it',
  'f                follow what changes: names of changed objects turn yellow',
  'l                the logs of a pod, or of the pods that the object selects',
  'w                all columns, or the first ones',
  '? q              this help, quit',
];

const isCreationTime = (name: string): boolean => name.toUpperCase() === 'AGE';

/** The sort key of a row: ages by the time of creation, everything else as displayed, numbers as numbers. */
function sortKey(object: UnstructuredObject, cells: Line, name: string, column: number): string {
  // A younger object has the larger time, and the smaller age.
  if (isCreationTime(name)) return String(8.64e15 - Date.parse(object.metadata?.creationTimestamp ?? ''));
  return textOf(cells[column] ?? '');
}

const collator = new Intl.Collator('en', { numeric: true });

interface Row {
  readonly key: string;
  readonly object: UnstructuredObject;
}

/** The rows that the filter lets through, in their order. Cells are made only of rows that are compared: a table of 10,000 rows is drawn with each change. */
function rowsOf({ column, descending, filter }: Browsing, { subject, objects, now }: BrowsedTable): readonly Row[] {
  const wanted = filter.toLowerCase();
  const names = headerCells(subject).map(textOf);
  const rows = [...objects].map(([key, object]): Row => ({ key, object }));
  const matches = ({ object }: Row): boolean => rowCells(object, subject, now).map(textOf).join('\t').toLowerCase().includes(wanted);
  const shown = wanted === '' ? rows : rows.filter(matches);
  if (column === undefined) return descending ? shown.reverse() : shown;
  const sortable = shown.map((row) => ({ row, by: sortKey(row.object, rowCells(row.object, subject, now), names[column] ?? '', column) }));
  // Rows that are alike stay in the order of their keys, whichever way the others go.
  sortable.sort((a, b) => (descending ? collator.compare(b.by, a.by) : collator.compare(a.by, b.by)));
  return sortable.map(({ row }) => row);
}

const columnNamed = (table: BrowsedTable, name: string): number | undefined => {
  const at = headerCells(table.subject).findIndex((cell) => textOf(cell).toUpperCase() === name);
  return at < 0 ? undefined : at;
};

/** Where a key leads among rows or lines. */
export const movements: Readonly<Record<string, (at: number, page: number) => number>> = {
  '\u001b[A': (at) => at - 1,
  k: (at) => at - 1,
  '\u001b[B': (at) => at + 1,
  j: (at) => at + 1,
  '\u001b[5~': (at, page) => at - page,
  '\u001b[6~': (at, page) => at + page,
  '\u001b[H': () => 0,
  g: () => 0,
  '\u001b[F': () => Infinity,
  G: () => Infinity,
};

/** A place that there is. */
export const within = (at: number, count: number): number => Math.max(0, Math.min(at, count - 1));

function typed(browsing: Browsing, key: string): Browsing {
  if (key === '\r' || key === '\n') return { ...browsing, typing: false };
  if (key === '\u001b') return { ...browsing, typing: false, filter: '' };
  if (key === '\u007f' || key === '\b') return { ...browsing, filter: browsing.filter.slice(0, -1) };
  return key.length === 1 && key >= ' ' ? { ...browsing, filter: browsing.filter + key } : browsing;
}

function movedInObject(browsing: Browsing, key: string, table: BrowsedTable): Browsing {
  if (key === '\r' || key === '\n' || key === '\u001b') return { ...browsing, open: false, top: 0 };
  const move = movements[key];
  if (move === undefined) return browsing;
  // The last page is a full one.
  const lastTop = Math.max(0, objectLines(browsing, table).length - table.rows);
  return { ...browsing, top: within(move(browsing.top, table.rows - 1), lastTop + 1) };
}

function movedInTable(browsing: Browsing, key: string, table: BrowsedTable): Browsing {
  const move = movements[key];
  if (move === undefined) return browsing;
  const rows = rowsOf(browsing, table);
  const at = rows.findIndex(({ key: each }) => each === browsing.selected);
  // The first key shows the cursor.
  const to = at < 0 && !/[GF]$/.test(key) ? 0 : within(move(at, table.rows - 1), rows.length);
  return { ...browsing, selected: rows[to]?.key, follows: false };
}

/** The order that a key asks for. */
function ordered(browsing: Browsing, key: string, table: BrowsedTable): Browsing {
  const count = headerCells(table.subject).length;
  if (key === 'S') return { ...browsing, descending: !browsing.descending };
  if (key === 's') return { ...browsing, column: ((browsing.column ?? -1) + 1) % count };
  const name = { n: 'NAME', a: 'AGE', r: 'RESTARTS' }[key] ?? '';
  const column = columnNamed(table, name);
  // The pods that fail most come first; everything else begins at its smallest.
  return column === undefined ? browsing : { ...browsing, column, descending: key === 'r' };
}

/** The same in the order that a key asks for, with the cursor, if there is one, on the first row: that is what the order is about. */
function sorted(browsing: Browsing, key: string, table: BrowsedTable): Browsing {
  const after = ordered(browsing, key, table);
  return after.selected === undefined ? after : { ...after, selected: rowsOf(after, table)[0]?.key };
}

/** The key of the open object, or of the one under the cursor; of the first one where the cursor is not among the rows. */
export function currentKey({ selected, ...browsing }: Browsing, table: BrowsedTable): string | undefined {
  if (browsing.open) return selected;
  const rows = rowsOf(browsing, table);
  return (rows.find(({ key }) => key === selected) ?? rows[0])?.key;
}

/** What a key changes; the same value where it means nothing. */
export function browsed(browsing: Browsing, key: string, table: BrowsedTable): Browsing {
  if (browsing.typing) {
    const after = typed(browsing, key);
    return after.selected === undefined ? after : { ...after, selected: currentKey(after, table) ?? after.selected };
  }
  if (key === '?') return { ...browsing, help: !browsing.help };
  if (browsing.help) return { ...browsing, help: false };
  if (browsing.open) return movedInObject(browsing, key, table);
  if (key === '/') return { ...browsing, typing: true };
  if (key === '\u001b') return { ...browsing, filter: '', selected: undefined, follows: false };
  if (key === 'f') return { ...browsing, follows: !browsing.follows };
  if (key === 'w') return { ...browsing, wide: !browsing.wide };
  if (key === '\r' || key === '\n') {
    const selected = currentKey(browsing, table);
    return selected === undefined ? browsing : { ...browsing, selected, open: true, top: 0 };
  }
  return /^[sSnar]$/.test(key) ? sorted(browsing, key, table) : movedInTable(browsing, key, table);
}

/** The object under the cursor: its last change, and its content. */
function objectLines({ selected = '' }: Browsing, { objects, histories, now, columns }: BrowsedTable): readonly Line[] {
  const object = objects.get(selected);
  const history = histories.get(selected);
  const title: Line = [{ text: printable(selected), style: 'bold' }, object === undefined ? { text: ' is deleted', style: 'red' } : ''];
  const shown = object ?? history?.previous;
  const change: Line[] =
    history === undefined || object === undefined
      ? []
      : [
          [{ text: `changed ${String(Math.max(0, Math.round((now - history.changedAt) / 1_000)))} s ago:`, style: 'dim' }],
          ...differencesOf(history.previous, object).map((one): Line => ['  ', ...differenceLine(one)]),
          [''],
        ];
  const content = (shown === undefined ? [] : printableYaml(shown).trimEnd().split('\n')).map((line): Line => [line]);
  return [title, ...change, ...content].flatMap((line) => wrapLine(line, columns));
}

/** The first of the rows that are shown, so that the cursor is among them. */
const firstShown = (at: number, count: number, room: number): number => Math.max(0, Math.min(at - Math.floor(room / 2), count - room));

/** How long a row shows that its object has changed. */
const freshMs = 1_200;

function shownCells({ key, object }: Row, table: BrowsedTable): Line {
  const cells = rowCells(object, table.subject, table.now);
  const isFresh = table.now - (table.histories.get(key)?.changedAt ?? -Infinity) < freshMs;
  const name = columnNamed(table, 'NAME');
  return isFresh ? cells.map((cell, at) => (at === name ? { text: textOf(cell), style: typeStyle.updated } : cell)) : cells;
}

/** The header, with an arrow at the column that the rows are sorted by: the first one for keys. */
function orderedHeader({ column, descending }: Browsing, { subject }: BrowsedTable): Line {
  if (column === undefined && !descending) return headerCells(subject);
  const arrow = descending ? '↓' : '↑';
  return headerCells(subject).map((cell, at) => (at === (column ?? 0) ? `${textOf(cell)}${arrow}` : cell));
}

function tableLines(browsing: Browsing, table: BrowsedTable): readonly Line[] {
  const rows = rowsOf(browsing, table);
  const room = Math.max(1, table.rows - 1);
  const at = rows.findIndex(({ key }) => key === browsing.selected);
  const first = firstShown(at, rows.length, room);
  const shown = rows.slice(first, first + room);
  const mark = browsing.selected === undefined ? '' : '  ';
  const cells = [orderedHeader(browsing, table), ...shown.map((row) => shownCells(row, table))];
  const lines = textTable(cells, table.columns - mark.length);
  return lines.map((line, place): Line => {
    const isSelected = place > 0 && shown[place - 1]?.key === browsing.selected;
    return fitLine(isSelected ? [{ text: '▶ ', style: 'cyan' }, ...line] : [mark, ...line], table.columns);
  });
}

/** The lines of the table, of the object that is open, or of the help: at most as many as there is room for. */
export function browsingLines(browsing: Browsing, table: BrowsedTable): readonly Line[] {
  const lines = browsing.help
    ? browsingHelp.flatMap((text) => wrapLine([text], table.columns))
    : browsing.open
      ? objectLines(browsing, table).slice(browsing.top)
      : tableLines(browsing, table);
  return lines.slice(0, Math.max(1, table.rows)).map((line) => fitLine(line, table.columns));
}

/** The part of the state line about the view: the filter with the rows that it shows, and whether the cursor follows. */
export function browsingNote(browsing: Browsing, table: BrowsedTable): string {
  const { filter, typing, follows } = browsing;
  const matching = filter === '' ? table.objects.size : rowsOf(browsing, table).length;
  const notes = [
    typing || filter !== '' ? `/${printable(filter)}${typing ? '▏' : ''}: ${String(matching)} of ${String(table.objects.size)}` : '',
    follows ? 'following' : '',
  ].filter((note) => note !== '');
  return notes.map((note) => ` | ${note}`).join('');
}
