import type { ListMeta, UnstructuredObject } from '../../../api/kubernetesObject.js';
import type { TableColumn } from './tableColumn.js';

/**
 * How much of each object goes into the rows.
 */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

/**
 * A list or an object as the rows that kubectl prints.
 */
export interface Table {
  readonly kind: 'Table';
  readonly apiVersion: string;
  readonly metadata: ListMeta;
  readonly columnDefinitions: readonly Omit<TableColumn, 'cell'>[] | null;
  readonly rows: readonly { readonly cells: readonly unknown[]; readonly object: object | null }[];
}

/**
 * What a Table is made of.
 */
export interface TableInput {
  readonly columns: readonly TableColumn[];
  readonly objects: readonly UnstructuredObject[];
  readonly metadata: ListMeta;
  readonly includeObject: IncludeObject;
  readonly version: 'v1' | 'v1beta1';
  /** The events of a watch after the first leave the definitions out. */
  readonly withDefinitions: boolean;
  readonly now: number;
}

function included(object: UnstructuredObject, { includeObject, version }: TableInput): object | null {
  if (includeObject === 'None') return null;
  if (includeObject === 'Object') return object;
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: object.metadata };
}

/**
 * Turns objects into a Table.
 */
export function tableOf(input: TableInput): Table {
  const definitions = input.columns.map(({ name, type, format, description, priority }) => ({ name, type, format, description, priority }));
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${input.version}`,
    metadata: input.metadata,
    columnDefinitions: input.withDefinitions ? definitions : null,
    rows: input.objects.map((object) => ({
      cells: input.columns.map((column) => column.cell(object, input.now)),
      object: included(object, input),
    })),
  };
}
