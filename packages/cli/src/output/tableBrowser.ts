import type { UnstructuredObject } from 'rx-informer';
import { differenceLine, differencesOf } from './differencesOf.js';
import { fitLine, type Line, textOf, textTable, wrapLine } from './line.js';
import { typeStyle } from './looks.js';
import { printable, printableYaml } from './printable.js';
import { headerCells, rowCells } from './tableFormat.js';
import type { WatchSubject } from './watchSubject.js';

/** The user's settings of a live table. */
export interface Browsing {
  /** The column to sort by, by its index in the header; undefined to sort by key. */
  readonly column?: number | undefined;
  readonly descending: boolean;
  /** Only rows that contain this text are shown. */
  readonly filter: string;
  /** Whether keys are typed into the filter. */
  readonly typing: boolean;
  /** The key of the object at the cursor; undefined until the cursor is moved. */
  readonly selected?: string | undefined;
  /** Whether the cursor follows the last change. */
  readonly follows: boolean;
  /** Whether the selected object is shown instead of the table, and its first visible line. */
  readonly open: boolean;
  readonly top: number;
  readonly help: boolean;
  /** Whether all columns are shown. */
  readonly wide: boolean;
}

/** The initial settings. */
export const notBrowsing: Browsing = {
  ...{ descending: false, filter: '', typing: false, follows: false },
  ...{ open: false, top: 0, help: false, wide: false },
};

/** The history of an object since the table was opened. */
export interface ObjectHistory {
  readonly previous: UnstructuredObject;
  readonly changedAt: number;
}

/** The data for drawing a live table. */
export interface BrowsedTable {
  readonly subject: WatchSubject;
  /** The objects by key, sorted by key. */
  readonly objects: ReadonlyMap<string, UnstructuredObject>;
  readonly histories: ReadonlyMap<string, ObjectHistory>;
  readonly now: number;
  /** The size of the terminal, without the line for the state. */
  readonly rows: number;
  readonly columns: number;
}

/** The keys and their descriptions, for the help. */
export const browsingHelp: readonly string[] = [
  '↑ ↓ j k          the row above, the row below',
  'PgUp PgDn g G    a page up, a page down, the first row, the last row',
  'Enter            open the object, with its last change',
  'Esc              back to the table',
  's S              sort by the next column, turn the order round',
  'n a r            sort by name, age, restarts',
  '/                show rows with a text: Enter keeps it, Esc drops it',
  'f                follow changes: names of changed objects turn yellow',
  'l                the logs of a pod, or of the pods that the object selects',
  'w                all columns, or the first ones',
  '? q              this help, quit',
];

const isCreationTime = (name: string): boolean => name.toUpperCase() === 'AGE';

/** The sort key of a row: ages by the time of creation, everything else as displayed, numbers as numbers. */
function sortKey(object: UnstructuredObject, cells: Line, name: string, column: number): string {
  // A younger object has a later creation time, but a smaller age.
  if (isCreationTime(name)) return String(8.64e15 - Date.parse(object.metadata?.creationTimestamp ?? ''));
  return textOf(cells[column] ?? '');
}

const collator = new Intl.Collator('en', { numeric: true });

interface Row {
  readonly key: string;
  readonly object: UnstructuredObject;
}

/**
 * The rows that match the filter, in their order. Cells are made only for rows that are compared, since a table of 10,000 rows is drawn
 * after each change.
 */
function rowsOf({ column, descending, filter }: Browsing, { subject, objects, now }: BrowsedTable): readonly Row[] {
  const wanted = filter.toLowerCase();
  const names = headerCells(subject).map(textOf);
  const rows = [...objects].map(([key, object]): Row => ({ key, object }));
  const matches = ({ object }: Row): boolean => rowCells(object, subject, now).map(textOf).join('\t').toLowerCase().includes(wanted);
  const shown = wanted === '' ? rows : rows.filter(matches);
  if (column === undefined) return descending ? shown.reverse() : shown;
  const sortable = shown.map((row) => ({ row, by: sortKey(row.object, rowCells(row.object, subject, now), names[column] ?? '', column) }));
  // Rows with equal cells stay in the order of their keys, also in descending order.
  sortable.sort((a, b) => (descending ? collator.compare(b.by, a.by) : collator.compare(a.by, b.by)));
  return sortable.map(({ row }) => row);
}

const columnNamed = (table: BrowsedTable, name: string): number | undefined => {
  const at = headerCells(table.subject).findIndex((cell) => textOf(cell).toUpperCase() === name);
  return at < 0 ? undefined : at;
};

/** The new position after a movement key, among rows or lines. */
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

/** Limits a position to existing rows. */
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
  // The last page is always full.
  const lastTop = Math.max(0, objectLines(browsing, table).length - table.rows);
  return { ...browsing, top: within(move(browsing.top, table.rows - 1), lastTop + 1) };
}

function movedInTable(browsing: Browsing, key: string, table: BrowsedTable): Browsing {
  const move = movements[key];
  if (move === undefined) return browsing;
  const rows = rowsOf(browsing, table);
  const at = rows.findIndex(({ key: each }) => each === browsing.selected);
  // The first movement key only shows the cursor.
  const to = at < 0 && !/[GF]$/.test(key) ? 0 : within(move(at, table.rows - 1), rows.length);
  return { ...browsing, selected: rows[to]?.key, follows: false };
}

/** The settings after a sort key. */
function ordered(browsing: Browsing, key: string, table: BrowsedTable): Browsing {
  const count = headerCells(table.subject).length;
  if (key === 'S') return { ...browsing, descending: !browsing.descending };
  if (key === 's') return { ...browsing, column: ((browsing.column ?? -1) + 1) % count };
  const name = { n: 'NAME', a: 'AGE', r: 'RESTARTS' }[key] ?? '';
  const column = columnNamed(table, name);
  // Restarts begin with the highest number, all other columns in ascending order.
  return column === undefined ? browsing : { ...browsing, column, descending: key === 'r' };
}

/** The settings after a sort key, with a visible cursor moved to the first row. */
function sorted(browsing: Browsing, key: string, table: BrowsedTable): Browsing {
  const after = ordered(browsing, key, table);
  return after.selected === undefined ? after : { ...after, selected: rowsOf(after, table)[0]?.key };
}

/** The key of the open object, or of the one at the cursor; of the first object if the cursor is not among the rows. */
export function currentKey({ selected, ...browsing }: Browsing, table: BrowsedTable): string | undefined {
  if (browsing.open) return selected;
  const rows = rowsOf(browsing, table);
  return (rows.find(({ key }) => key === selected) ?? rows[0])?.key;
}

/** The settings after a key; the same value if the key has no effect. */
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

/** The lines of the object at the cursor: its last change, and its content. */
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

/** The index of the first visible row, so that the cursor is visible. */
const firstShown = (at: number, count: number, room: number): number => Math.max(0, Math.min(at - Math.floor(room / 2), count - room));

/** How long a row is marked after a change. */
const freshMs = 1_200;

function shownCells({ key, object }: Row, table: BrowsedTable): Line {
  const cells = rowCells(object, table.subject, table.now);
  const isFresh = table.now - (table.histories.get(key)?.changedAt ?? -Infinity) < freshMs;
  const name = columnNamed(table, 'NAME');
  return isFresh ? cells.map((cell, at) => (at === name ? { text: textOf(cell), style: typeStyle.updated } : cell)) : cells;
}

/** The header, with an arrow at the column that the rows are sorted by: the name when sorted by key. */
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

/** The lines of the table, of the opened object, or of the help, cut to the available space. */
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
