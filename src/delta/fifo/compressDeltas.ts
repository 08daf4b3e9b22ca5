import type { Delta, Deltas, LeaveReason } from '../../api/events.js';
import { isOtherObject } from '../index/identity.js';

/**
 * Which of the deltas that wait for one key may be merged.
 *
 * - `duplicateDeletes`: two adjacent deletions become one, as in client-go; everything else is kept.
 * - `latest`: of each object only its last state is kept. At most two deltas remain: the deletion of the object that was there, and the last
 *   state of the one that is there now.
 */
export type DeltaCompression = 'duplicateDeletes' | 'latest';

export const deltaCompressions: readonly DeltaCompression[] = ['duplicateDeletes', 'latest'];

type Deletion<T> = Extract<Delta<T>, { readonly type: 'Deleted' }>;
type Upsert<T> = Exclude<Delta<T>, Deletion<T>>;

function areOfTwoObjects(older: Delta<unknown>, newer: Delta<unknown>): boolean {
  return isOtherObject(older.object, newer.object);
}

function deletionOf<T>({ key, object }: Upsert<T>, reason?: LeaveReason): Deletion<T> {
  return { type: 'Deleted', key, object, finalStateUnknown: true, ...(reason !== undefined && { reason }) };
}

/** Of two deletions the one that knows more: an observed one rather than one with a reason, and that rather than one found out by a list. */
function mergedDeletions<T>(older: Deletion<T>, newer: Deletion<T>): Deletion<T> {
  const isGuess = newer.finalStateUnknown && newer.reason === undefined;
  return older.finalStateUnknown && !(isGuess && older.reason !== undefined) ? newer : older;
}

/** What remains of two adjacent deltas, neither of which has been processed. */
function latestOf<T>(older: Delta<T>, newer: Delta<T>): readonly Delta<T>[] {
  if (older.type === 'Deleted') {
    if (newer.type !== 'Deleted') return [older, newer];
    // The consumer may have the object of the older deletion, and cannot have another one.
    return [areOfTwoObjects(older, newer) ? older : mergedDeletions(older, newer)];
  }
  if (areOfTwoObjects(older, newer)) return newer.type === 'Deleted' ? [deletionOf(older)] : [deletionOf(older), newer];
  if (newer.type === 'Deleted') return [newer.object === undefined ? deletionOf(older, newer.reason) : newer];
  return [older.type === 'Added' ? { ...newer, type: 'Added' } : newer];
}

/** Adds a delta behind the others, merging it with them by the rules of `compressDeltas`. @internal */
export function appendDelta<T>(deltas: Delta<T>[], delta: Delta<T>, mode: DeltaCompression): void {
  const older = deltas.pop();
  if (older === undefined) {
    deltas.push(delta);
  } else if (mode === 'latest') {
    const [first, second] = latestOf(older, delta);
    // An upsert may have become a deletion, and then there may be one before it.
    if (first !== undefined && first !== older && deltas.length > 0) appendDelta(deltas, first, mode);
    else if (first !== undefined) deltas.push(first);
    if (second !== undefined) deltas.push(second);
  } else if (older.type === 'Deleted' && delta.type === 'Deleted') {
    deltas.push(mergedDeletions(older, delta));
  } else {
    deltas.push(older, delta);
  }
}

/**
 * Leaves out of the deltas of one key what its consumer need not see.
 *
 * ```text
 * deltas              Updated(a1)  Deleted(a2)  Deleted(a1, unknown)  Added(b3)  Updated(b4)      a, b: two objects under one key
 * duplicateDeletes    Updated(a1)  Deleted(a2)                        Added(b3)  Updated(b4)
 * latest                           Deleted(a2)                                   Added(b4)
 * ```
 *
 * Neither mode changes what a store holds that the deltas are applied to, whatever it held before.
 *
 * `duplicateDeletes`: of two adjacent deletions the older one remains, unless its final state is unknown.
 *
 * `latest`: deltas are of the same object unless they have two different `metadata.uid`. Then, for adjacent deltas:
 * - two states of one object become the newer one. It stays `Added` when the older one was.
 * - a state and the deletion of that object become the deletion. So a consumer may get the deletion of an object that it never got.
 * - a deletion, and the first state of what came after it, both stay: a consumer sees one object go and another one come.
 * - the states of two objects without a deletion between them, which was missed, become a deletion with `finalStateUnknown` and the newer state.
 *   An object that came and went between two others leaves nothing.
 *
 * @see client-go: `dedupDeltas` in tools/cache/delta_fifo.go
 */
export function compressDeltas<T>(deltas: Deltas<T>, mode: DeltaCompression = 'duplicateDeletes'): Deltas<T> {
  const compressed: Delta<T>[] = [];
  for (const delta of deltas) appendDelta(compressed, delta, mode);
  return compressed;
}
