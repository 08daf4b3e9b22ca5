import type { UnstructuredObject } from '../../api/kubernetesObject.js';
import { resources } from '../../api/resources.js';
import { columnsOf } from '../../testing/server/tables/columnsOf.js';
import { textOf, type Line, type Span } from '../output/span.js';
import { headerCells, rowCells } from '../output/tableFormat.js';
import { textTable } from '../output/textTable.js';
import { typeStyle } from '../output/styles.js';
import type { WatchSubject } from '../output/watchSubject.js';
import type { DemoRow, DemoState } from './demoStep.js';

const resource = resources.core.v1.pods as WatchSubject['resource'];
const subject: WatchSubject = {
  resource,
  allNamespaces: false,
  columns: columnsOf(resource).filter(({ priority }) => priority === 0),
  showKind: false,
  colour: true,
};

/** How long a row shows that something has happened to it. */
const freshMs = 1_200;

const markOf = ({ type, at, initial }: DemoRow, now: number): Span =>
  !initial && now - at < freshMs ? { text: '●', style: typeStyle[type] } : ' ';

function cellsOf({ pod, type }: DemoRow, wallNow: number): Line {
  const cells = rowCells(pod as UnstructuredObject, subject, wallNow);
  return type === 'deleted' ? cells.map((cell): Span => ({ text: textOf(cell), style: 'dim' })) : cells;
}

/**
 * The pods by name, in so many lines: a row shows by its mark that something has just happened to it.
 *
 * @param wallNow - the time by which the server says when a pod was created.
 */
export function demoTable({ rows }: DemoState, width: number, height: number, now: number, wallNow: number): Line[] {
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
