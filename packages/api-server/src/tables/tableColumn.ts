import type { UnstructuredObject } from 'rx-informer';
import { textAt } from 'rx-informer/internal';
import { humanDuration } from './humanDuration.js';

/**
 * One column of a kind's table: its definition, and the function that makes its cells.
 */
export interface TableColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /** `name` for the column that identifies the object. */
  readonly format: string;
  readonly description: string;
  /** Columns above 0 are shown only on request (`-o wide`). */
  readonly priority: number;
  cell(object: UnstructuredObject, now: number): string | number | boolean | null;
}

/**
 * A column that is always shown.
 */
export function column(name: string, cell: TableColumn['cell'], description = '', type: TableColumn['type'] = 'string'): TableColumn {
  return { name, type, format: '', description, priority: 0, cell };
}

/**
 * How long ago a time of the API was; `<unknown>` where there is none.
 */
export function ageOf(timestamp: string, now: number): string {
  const then = Date.parse(timestamp);
  return Number.isNaN(then) ? '<unknown>' : humanDuration(now - then);
}

/**
 * The column with the object's name.
 */
export const nameColumn: TableColumn = {
  ...column('Name', (object) => object.metadata?.name ?? '', 'The name of the object, unique within its namespace.'),
  format: 'name',
};

/**
 * The column with the time since the object's creation.
 */
export const ageColumn: TableColumn = column(
  'Age',
  (object, now) => ageOf(textAt(object, 'metadata', 'creationTimestamp'), now),
  'The time since the object was created.',
);

/** When the object was created; kinds without columns of their own show it. */
export const createdAtColumn: TableColumn = {
  ...column('Created At', (object) => textAt(object, 'metadata', 'creationTimestamp')),
  type: 'date',
};
