import type { TableColumn } from '@rx-informer/api-server/internal';
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
