/** Who leads, as one candidate sees it. */
export interface Leader {
  /** The identity of the holder of the lease; `''` when it is free. The holder may have died since. */
  readonly holder: string;
  /** Whether it is this candidate, and its leadership lasts. */
  readonly isSelf: boolean;
  /** How often the lease has changed hands. */
  readonly transitions: number;
  /** When the holder took the lease, by the holder's clock. */
  readonly since?: Date;
}
