import type { UnstructuredObject } from '../../api/kubernetesObject.js';
import type { EventFormat } from './objectFormats.js';
import { printable } from './printable.js';
import { textTable } from './textTable.js';
import type { WatchSubject } from './watchView.js';

/**
 * The header of a table of a resource's objects.
 */
export function headerCells({ resource, allNamespaces, columns }: WatchSubject): string[] {
  const names = columns.map((column) => column.name.toUpperCase());
  return allNamespaces && resource.namespaced ? ['NAMESPACE', ...names] : names;
}

/**
 * The row of one object.
 */
export function rowCells(object: UnstructuredObject, { resource, allNamespaces, columns, showKind }: WatchSubject, now: number): string[] {
  const kind = showKind ? `${resource.kind.toLowerCase()}/` : '';
  const cells = columns.map((column) => printable(`${column.format === 'name' ? kind : ''}${String(column.cell(object, now))}`));
  return allNamespaces && resource.namespaced ? [printable(object.metadata?.namespace ?? ''), ...cells] : cells;
}

const widestType = 'updated'.length;

/**
 * A table that grows by a row with each event, for pipes: column widths are those of the first rows, and wider cells push the rest aside.
 */
export function growingTable(clock: () => number): EventFormat {
  let header: string[] | undefined;
  let pending: string[][] = [];
  let widths: number[] = [];
  const lineOf = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('   ')
      .trimEnd();
  return (event, subject) => {
    let text = '';
    if (header === undefined) {
      header = ['EVENT'.padEnd(widestType), ...headerCells(subject)];
      pending = [header];
    }
    if (event.type !== 'synced') {
      const row = [event.type, ...rowCells(event.object, subject, clock())];
      if (widths.length > 0) return `${lineOf(row)}\n`;
      pending.push(row);
      return '';
    }
    if (widths.length === 0) {
      text = textTable(pending)
        .map((line) => `${line.trimEnd()}\n`)
        .join('');
      widths = header.map((_, column) => Math.max(...pending.map((row) => row[column]?.length ?? 0)));
      pending = [];
    }
    return text;
  };
}
