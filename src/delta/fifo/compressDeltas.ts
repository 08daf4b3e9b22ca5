import type { Delta, Deltas, LeaveReason } from '../../api/events.js';
import { isOtherObject } from '../../api/kubernetesObject.js';

/**
 * Which queued deltas of one key are merged.
 *
 * - `duplicateDeletes`: two adjacent deletions become one, as in client-go; everything else is kept.
 * - `latest`: only the last state of each object is kept. At most two deltas remain: the deletion of the previous object of that name, and the last
 *   state of the current one.
 */
export type DeltaCompression = 'duplicateDeletes' | 'latest';

export const deltaCompressions: readonly DeltaCompression[] = ['duplicateDeletes', 'latest'];

type Deletion<T> = Extract<Delta<T>, { readonly type: 'Deleted' }>;
type Upsert<T> = Exclude<Delta<T>, Deletion<T>>;

function deletionOf<T>({ key, object }: Upsert<T>, reason?: LeaveReason): Deletion<T> {
  return { type: 'Deleted', key, object, finalStateUnknown: true, ...(reason !== undefined && { reason }) };
}

/** Merges two deletions: prefers the one with a known final state, then one with a reason, then one inferred from a list. */
function mergedDeletions<T>(older: Deletion<T>, newer: Deletion<T>): Deletion<T> {
  const isGuess = newer.finalStateUnknown && newer.reason === undefined;
  return older.finalStateUnknown && !(isGuess && older.reason !== undefined) ? newer : older;
}

/** Merges two adjacent deltas that have not been processed. */
function latestOf<T>(older: Delta<T>, newer: Delta<T>): readonly Delta<T>[] {
  if (older.type === 'Deleted') {
    if (newer.type !== 'Deleted') return [older, newer];
    // The consumer can only have the object of the older deletion.
    return [isOtherObject(older.object, newer.object) ? older : mergedDeletions(older, newer)];
  }
  if (isOtherObject(older.object, newer.object)) return newer.type === 'Deleted' ? [deletionOf(older)] : [deletionOf(older), newer];
  if (newer.type === 'Deleted') return [newer.object === undefined ? deletionOf(older, newer.reason) : newer];
  return [older.type === 'Added' ? { ...newer, type: 'Added' } : newer];
}

/** Appends a delta, merging it with the last ones by the rules of `compressDeltas`. @internal */
export function appendDelta<T>(deltas: Delta<T>[], delta: Delta<T>, mode: DeltaCompression): void {
  const older = deltas.pop();
  if (older === undefined) {
    deltas.push(delta);
  } else if (mode === 'latest') {
    const [first, second] = latestOf(older, delta);
    // If the merge produced a deletion, it may now follow another deletion: merge again.
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
 * Merges deltas of one key that its consumer need not process separately.
 *
 * ```text
 * deltas              Updated(a1)  Deleted(a2)  Deleted(a1, unknown)  Added(b3)  Updated(b4)      a, b: two objects under one key
 * duplicateDeletes    Updated(a1)  Deleted(a2)                        Added(b3)  Updated(b4)
 * latest                           Deleted(a2)                                   Added(b4)
 * ```
 *
 * Applied to any store, the deltas have the same result in either mode.
 *
 * `duplicateDeletes`: of two adjacent deletions the older one remains, unless its final state is unknown.
 *
 * `latest`: deltas are of the same object unless they have two different `metadata.uid`. Then, for adjacent deltas:
 * - two states of one object become the newer one. It is `Added` if the older one was.
 * - a state and the deletion of the same object become the deletion. So a consumer may get the deletion of an object that it never got.
 * - a deletion and the first state of the next object under that key both stay: the consumer sees one object deleted and another one added.
 * - states of two objects without a deletion between them (it was missed) become a deletion with `finalStateUnknown` and the newer state. Nothing remains of an
 *   object that was added and deleted between two others.
 *
 * @example
 * ```ts
 * import { compressDeltas } from 'rx-informer/pipeline';
 * import { pod } from 'rx-informer/testing';
 *
 * const [key, object] = ['default/web', pod('web')];
 * const deltas = compressDeltas([{ type: 'Added', key, object }, { type: 'Updated', key, object }], 'latest');
 * console.log(deltas.map(({ type }) => type)); // [ 'Added' ]
 * ```
 *
 * @see client-go: `dedupDeltas` in tools/cache/delta_fifo.go
 */
export function compressDeltas<T>(deltas: Deltas<T>, mode: DeltaCompression = 'duplicateDeletes'): Deltas<T> {
  const compressed: Delta<T>[] = [];
  for (const delta of deltas) appendDelta(compressed, delta, mode);
  return compressed;
}
