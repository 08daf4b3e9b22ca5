import type { UnstructuredObject } from '../../api/kubernetesObject.js';
import type { EventFormat } from './objectFormats.js';
import { paint } from './paint.js';
import { printable } from './printable.js';
import { textOf, type Line, type Span } from './span.js';
import { stateStyle } from './stateStyle.js';
import { textTable } from './textTable.js';
import { typeStyle } from './styles.js';
import type { WatchSubject } from './watchSubject.js';

/** The header of a table of a resource's objects. */
export function headerCells({ resource, allNamespaces, columns }: WatchSubject): Span[] {
  const names = columns.map((column) => column.name.toUpperCase());
  return (allNamespaces && resource.namespaced ? ['NAMESPACE', ...names] : names).map((text) => ({ text, style: 'bold' }));
}

/** The row of one object. */
export function rowCells(object: UnstructuredObject, { resource, allNamespaces, columns, showKind }: WatchSubject, now: number): Span[] {
  const kind = showKind ? `${resource.kind.toLowerCase()}/` : '';
  const cells = columns.map((column): Span => {
    const text = printable(`${column.format === 'name' ? kind : ''}${String(column.cell(object, now))}`);
    return { text, style: stateStyle(column.name, text) };
  });
  return allNamespaces && resource.namespaced ? [printable(object.metadata?.namespace ?? ''), ...cells] : cells;
}

const widestType = 'updated'.length;

/** A table that grows by a row with each event, for pipes: column widths are those of the first rows, and wider cells push the rest aside. */
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
      // As wide as the rows before it.
      if (widths.length > 0) return textOfRows(textTable([widths, row]).slice(1));
      pending.push(row);
      return '';
    }
    if (widths.length > 0) return '';
    const rows = pending;
    pending = [];
    widths = header.map((_, column) => ' '.repeat(Math.max(...rows.map((row) => textOf(row[column] ?? '').length))));
    return textOfRows(textTable(rows));
  };
}
