import type { UnstructuredObject } from '../../api/kubernetesObject.js';
import type { Resource } from '../../api/resource.js';
import type { TableColumn } from '../../api/tables/tableColumn.js';

/** The subject of a view. */
export interface WatchSubject {
  readonly resource: Resource<UnstructuredObject>;
  /** Whether it may include objects of several namespaces. */
  readonly allNamespaces: boolean;
  readonly columns: readonly TableColumn[];
  /** Whether names are prefixed with their kind, because objects of several kinds are shown. */
  readonly showKind: boolean;
  readonly colour: boolean;
}
