import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { KubeClient } from '../../client/kubeClient.js';

/** One leadership of one candidate, and what is bound to it. */
export interface Leadership {
  /** The candidate. */
  readonly identity: string;
  /** The fencing token: the lease's transitions. Every leadership has a higher one than those before it, as long as the lease is not deleted. */
  readonly token: number;
  /** Aborts when the leadership ends, before the lease is given back. */
  readonly signal: AbortSignal;
  /** Whether the leadership lasts, by a monotonic clock: false from the renewal deadline on, even when the process was frozen and no timer has run. */
  isValid(): boolean;
  /**
   * The client of the election, bound to this leadership: its requests reject with a LeaderElectionError (`ERR_LEADERSHIP_LOST`) once the leadership is over;
   * those under way are aborted at its end. Reads, too.
   */
  readonly client: KubeClient;
  /**
   * A copy of the object that carries this leadership's token in the annotation `rx-informer/fencing-token`. Write it with `client.replace`: its
   * `resourceVersion` makes the server refuse the write when another client, such as a later leader, has written since it was read.
   *
   * @throws LeaderElectionError `ERR_FENCED` when the object carries the token of a later leader; TypeError when it exists on the server and has no
   * `resourceVersion`.
   */
  fence<T extends KubernetesObject>(object: T): T;
}
