import { resourceName } from '../resource.js';
import { clusterColumns } from './clusterColumns.js';
import { coreColumns } from './coreColumns.js';
import { otherColumns } from './otherColumns.js';
import { ageColumn, nameColumn, type TableColumn } from './tableColumn.js';
import { workloadColumns } from './workloadColumns.js';

const plain: readonly TableColumn[] = [nameColumn, ageColumn];

const columnsByName = new Map(Object.entries({ ...coreColumns, ...workloadColumns, ...otherColumns, ...clusterColumns }));

/**
 * The columns of a built-in kind's table; name and age for any other kind.
 */
export function columnsOf(resource: { readonly group: string; readonly plural: string }): readonly TableColumn[] {
  return columnsByName.get(resourceName(resource)) ?? plain;
}
