/**
 * Counts the changes of one store.
 */
export interface StoreRevision {
  value: number;
}

const revisions = new WeakMap<object, StoreRevision>();

/**
 * The change counter of a store, `0` for one that has not been written to.
 *
 * One change of a store may become several events (a relist does), told one after the other when the store already holds their sum. Who
 * takes a snapshot of the store in between must not be told the rest as well. So events remember at which revision of the store they were
 * made, and a snapshot at which it was taken: what is not newer than the snapshot is in it.
 *
 * The stores of this package count each `add`, `update`, `delete`, `replace` and transaction as one change. Whoever writes to a store that
 * may be a user's own counts for it: when `value` is the same after the write as before, adds one.
 *
 * It stands beside the stores and not in them, so that a user's own store needs nothing beyond `Store`.
 */
export function revisionOf(store: object): StoreRevision {
  let revision = revisions.get(store);
  if (revision === undefined) {
    revision = { value: 0 };
    revisions.set(store, revision);
  }
  return revision;
}
