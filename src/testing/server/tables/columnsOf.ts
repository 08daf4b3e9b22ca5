import { resourceName } from '../../../api/resourceName.js';
import { coreColumns } from './coreColumns.js';
import { ageColumn, nameColumn, type TableColumn } from './tableColumn.js';
import { workloadColumns } from './workloadColumns.js';

const plain: readonly TableColumn[] = [nameColumn, ageColumn];

/**
 * The columns of a built-in kind's table; name and age for any other kind.
 */
export function columnsOf(resource: { readonly group: string; readonly plural: string }): readonly TableColumn[] {
  const columns = resource.group === '' ? coreColumns : workloadColumns;
  const name = resourceName(resource);
  return Object.hasOwn(columns, name) ? (columns[name] ?? plain) : plain;
}
