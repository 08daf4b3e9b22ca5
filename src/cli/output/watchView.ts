import type { InformerHealth } from '../../api/events/informerHealth.js';
import type { UnstructuredObject } from '../../api/kubernetesObject.js';
import type { Resource } from '../../api/resource.js';
import type { TableColumn } from '../../testing/server/tables/tableColumn.js';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';

/** What a view shows. */
export interface WatchSubject {
  readonly resource: Resource<UnstructuredObject>;
  /** Whether objects of several namespaces can come. */
  readonly allNamespaces: boolean;
  /** The columns of a table. */
  readonly columns: readonly TableColumn[];
  /** Whether names have their kind before them, as objects of several kinds can come. */
  readonly showKind: boolean;
  /** Whether what is written has colours. */
  readonly colour: boolean;
}

/** Shows what an informer tells. */
export interface WatchView {
  event(event: ResourceEvent<UnstructuredObject>): void;
  /** The state of the link has changed. */
  health(health: InformerHealth): void;
  /** Leaves the terminal as a finished program should. */
  close(): void;
}
