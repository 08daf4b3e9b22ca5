import { columnsOf, conversionOf, type TableColumn } from '@rx-informer/api-server/internal';
import type { Resource, UnstructuredObject } from 'rx-informer';

/** The subject of a view. */
export interface WatchSubject {
  readonly resource: Resource<UnstructuredObject>;
  /** Whether it may include objects of several namespaces. */
  readonly allNamespaces: boolean;
  /** The name of its only object, if it was named. */
  readonly name?: string | undefined;
  readonly columns: readonly TableColumn[];
  /** Whether names are prefixed with their kind, because objects of several kinds are shown. */
  readonly showKind: boolean;
  readonly colour: boolean;
}

/** The columns of a built-in kind; of any other kind, its name and age. Cells read the stored version, which is not that of the objects everywhere. */
export function usualColumns(resource: WatchSubject['resource']): readonly TableColumn[] {
  const conversion = conversionOf(resource.group, resource.version, resource.plural);
  const columns = columnsOf(resource);
  if (conversion === undefined) return columns;
  return columns.map((each) => ({
    ...each,
    cell: (object, now) => each.cell(conversion.toStored(object as never), now),
  }));
}
