/** What a member of a group owns, as it sees it. */
export interface Shard {
  /** Of the 128 equal arcs of the ring of hashes, those whose objects are this member's. Work on some of them may be about to end. */
  readonly slots: ReadonlySet<number>;
  /** The identities of the members that live, this one included. */
  readonly members: readonly string[];
  /** Whether this member may work: its lease is valid. */
  readonly isActive: boolean;
}
