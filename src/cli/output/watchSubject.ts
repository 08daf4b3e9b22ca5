import type { UnstructuredObject } from '../../api/kubernetesObject.js';
import type { Resource } from '../../api/resource.js';
import type { TableColumn } from '../../api/tables/tableColumn.js';

/** What a view shows. */
export interface WatchSubject {
  readonly resource: Resource<UnstructuredObject>;
  /** Whether objects of several namespaces can come. */
  readonly allNamespaces: boolean;
  readonly columns: readonly TableColumn[];
  /** Whether names have their kind before them, as objects of several kinds can come. */
  readonly showKind: boolean;
  readonly colour: boolean;
}
