import type { UnstructuredObject } from 'rx-informer';
import type { EventFormat } from './objectFormats.js';
import { type Line, paint, type Span, type Style, textOf, textTable, widthOf } from './line.js';
import { printable } from './printable.js';
import { typeStyle } from './looks.js';
import type { WatchSubject } from './watchSubject.js';

const words = {
  green: 'Running Ready Active Bound Available Approved Issued True Healthy Synced',
  yellow: 'Pending ContainerCreating PodInitializing Terminating Released Progressing Warning SchedulingDisabled Unknown',
  red: 'Failed Error CrashLoopBackOff ImagePullBackOff ErrImagePull OOMKilled Evicted NotReady Lost False Denied Degraded',
  dim: 'Completed Complete Succeeded',
} as const;

const styles = new Map<string, Style>(
  (['green', 'yellow', 'red', 'dim'] as const).flatMap((style) => words[style].split(' ').map((word): [string, Style] => [word, style])),
);

const stateColumns = new Set(['STATUS', 'PHASE', 'STATE', 'HEALTH', 'READY', 'AVAILABLE', 'TYPE', 'SYNCED']);

/** The style of a count such as `2/2` (all) or `1/2` (some missing). */
function styleOfCount(text: string): Style | undefined {
  const [, ready, wanted] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  return ready === undefined ? undefined : ready === wanted ? 'green' : 'yellow';
}

/**
 * The style of a cell with a state: green for good, yellow for in progress, red for failed, dim for finished. Cells of other columns have
 * none.
 */
export function stateStyle(columnName: string, cell: string): Style | undefined {
  if (!stateColumns.has(columnName.toUpperCase())) return undefined;
  const [first = ''] = cell.split(',').slice(-1);
  if (/^Init:/.test(first)) return /^Init:\d+\/\d+$/.test(first) ? 'yellow' : 'red';
  if (/^(ExitCode|Signal):/.test(first)) return 'red';
  return styles.get(first) ?? styleOfCount(first);
}

/** The header of a table of a resource's objects. */
export function headerCells({ resource, allNamespaces, columns }: WatchSubject): Span[] {
  const names = columns.map((column) => column.name.toUpperCase());
  return (allNamespaces && resource.namespaced ? ['NAMESPACE', ...names] : names).map((text) => ({ text, style: 'bold' }));
}

/** The row of one object. */
export function rowCells(object: UnstructuredObject, { resource, allNamespaces, columns, showKind }: WatchSubject, now: number): Span[] {
  const kind = showKind ? `${resource.kind.toLowerCase()}/` : '';
  const cells = columns.map((column) => {
    const text = printable(`${column.format === 'name' ? kind : ''}${String(column.cell(object, now))}`);
    return { text, style: stateStyle(column.name, text) };
  });
  // A completed pod shows 0/1 ready, which is normal.
  const isOver = cells.some(({ style }) => style === 'dim');
  const shown: Span[] = isOver ? cells.map((cell) => (cell.style === 'yellow' ? { ...cell, style: 'dim' } : cell)) : cells;
  return allNamespaces && resource.namespaced ? [printable(object.metadata?.namespace ?? ''), ...shown] : shown;
}

const widestType = 'updated'.length;

/** A table that gets a row with each event, for pipes: the first rows set the column widths, and wider cells push the rest aside. */
export function growingTable(clock: () => number = Date.now): EventFormat {
  let header: Line | undefined;
  let pending: Line[] = [];
  let widths: readonly Span[] = [];
  return (event, subject) => {
    const textOfRows = (rows: readonly Line[]): string => rows.map((line) => `${paint(line, subject.colour).trimEnd()}\n`).join('');
    if (header === undefined) {
      header = [{ text: 'EVENT'.padEnd(widestType), style: 'bold' }, ...headerCells(subject)];
      pending = [header];
    }
    if (event.type !== 'synced') {
      const row: Line = [{ text: event.type, style: typeStyle[event.type] }, ...rowCells(event.object, subject, clock())];
      // As wide as the previous rows.
      if (widths.length > 0) return textOfRows(textTable([widths, row]).slice(1));
      pending.push(row);
      return '';
    }
    if (widths.length > 0) return '';
    const rows = pending;
    pending = [];
    widths = header.map((_, column) => ' '.repeat(Math.max(...rows.map((row) => widthOf(textOf(row[column] ?? ''))))));
    return textOfRows(textTable(rows));
  };
}
