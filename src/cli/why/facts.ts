import type { CoreV1Event } from '../../api/kubernetes/coreV1.js';
import type { UnstructuredObject } from '../../api/kubernetesObject.js';

/** One link of the chain of owners: the owner, or what is known of one that cannot be read. */
export interface Owner {
  /** For example `replicaset/web-5d4f`. */
  readonly name: string;
  readonly object: UnstructuredObject | undefined;
  /** Why there is no object. */
  readonly problem?: string;
}

/** All that explains the state of an object. */
export interface Facts {
  readonly name: string;
  readonly object: UnstructuredObject;
  /** From the owner to the owner's owner. */
  readonly owners: readonly Owner[];
  /** Of the object and its owners, the latest last; times in milliseconds, NaN where an event has none. */
  readonly events: readonly { readonly of: string; readonly at: number; readonly event: CoreV1Event }[];
  /** Why events are missing. */
  readonly eventsProblem?: string;
}
