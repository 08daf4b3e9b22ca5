import type { KubeClient, KubernetesObject } from 'rx-informer';

/** One leadership of one candidate. */
export interface Leadership {
  /** The candidate. */
  readonly identity: string;
  /** The fencing token: the lease's transitions. It is higher than that of every earlier leadership, unless the lease was deleted. */
  readonly token: number;
  /** Aborts when the leadership ends, before the lease is released. */
  readonly signal: AbortSignal;
  /** Whether the leadership is valid, by a monotonic clock: false after the renewal deadline, even if the process was suspended and no timer has run. */
  isValid(): boolean;
  /**
   * The client of the election, bound to this leadership: after its end, requests (also reads) reject with a LeaderElectionError (`ERR_LEADERSHIP_LOST`);
   * pending ones are aborted.
   */
  readonly client: KubeClient;
  /**
   * A copy of the object with this leadership's token in the annotation `rx-informer/fencing-token`. Write it with `client.replace`: because of its
   * `resourceVersion`, the server rejects the write when another client, such as a later leader, has written the object since it was read.
   *
   * @throws LeaderElectionError `ERR_FENCED` when the object has the token of a later leader; TypeError when it exists on the server and has no
   * `resourceVersion`.
   */
  fence<T extends KubernetesObject>(object: T): T;
}

/** The leader, as known to one candidate. */
export interface Leader {
  /** The identity of the holder of the lease; `''` when it is free. The holder may have died since. */
  readonly holder: string;
  /** Whether this candidate is the leader, and its leadership is valid. */
  readonly isSelf: boolean;
  /** How often the lease has changed holders. */
  readonly transitions: number;
  /** When the holder took the lease, by the holder's clock. */
  readonly since?: Date;
}
