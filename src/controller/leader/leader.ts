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
