import { numberAt, textAt, type JsonObject } from '../json.js';
import { parseJsonPath } from './jsonPath.js';
import { ageColumn, ageOf, nameColumn, type TableColumn } from './tableColumn.js';

const types: ReadonlySet<string> = new Set(['string', 'integer', 'number', 'boolean', 'date']);

function cellOf(type: TableColumn['type'], found: readonly unknown[], now: number): string | number | boolean | null {
  const value = found[0];
  if (value === undefined || value === null) return type === 'string' ? '' : null;
  if (type === 'date') return ageOf(textAt(value), now);
  if (type === 'integer') return typeof value === 'number' ? Math.trunc(value) : null;
  if (type === 'number') return typeof value === 'number' ? value : null;
  if (type === 'boolean') return typeof value === 'boolean' ? value : null;
  return found.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))).join(',');
}

function printerColumn(definition: JsonObject): TableColumn {
  const path = textAt(definition, 'jsonPath');
  const type = textAt(definition, 'type');
  const select = parseJsonPath(path);
  const columnType = types.has(type) ? (type as TableColumn['type']) : 'string';
  return {
    name: textAt(definition, 'name'),
    type: columnType,
    format: textAt(definition, 'format'),
    description: textAt(definition, 'description') || `The value at ${path}.`,
    priority: numberAt(definition, 'priority'),
    cell: (object, now) => cellOf(columnType, select(object), now),
  };
}

/** The columns of a custom resource's table: its name, then the columns of its definition; without any, its age. */
export function printerColumns(definitions: readonly JsonObject[]): readonly TableColumn[] {
  return definitions.length === 0 ? [nameColumn, { ...ageColumn, type: 'date' }] : [nameColumn, ...definitions.map(printerColumn)];
}
