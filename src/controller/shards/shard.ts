/** The part of a group's objects that a member owns. */
export interface Shard {
  /** The numbers of the owned slots, of 128. Work on some of them may be ending. */
  readonly slots: ReadonlySet<number>;
  /** The identities of the living members, including this one. */
  readonly members: readonly string[];
  /** Whether this member may work: its lease is valid. */
  readonly isActive: boolean;
}
