import type { AddedEvent, DeletedEvent, UpdatedEvent } from '../../api/events/resourceEvent.js';

/**
 * What waits for one key: that a known object has gone, that one has come or changed, or the one and then the other.
 */
export interface PendingEvents<T> {
  deleted?: DeletedEvent<T> | undefined;
  upserted?: AddedEvent<T> | UpdatedEvent<T> | undefined;
}

function mergeUpsert<T>(
  before: AddedEvent<T> | UpdatedEvent<T> | undefined,
  event: AddedEvent<T> | UpdatedEvent<T>,
): AddedEvent<T> | UpdatedEvent<T> {
  if (before === undefined) return event;
  if (before.type === 'added') return { ...before, object: event.object };
  return { ...before, object: event.object, resync: before.resync && event.type === 'updated' && event.resync, inferred: event.inferred };
}

/**
 * Merges an event into what waits for its key: at most one transition, or a deletion and then an addition.
 *
 * @returns `false` when nothing is left to emit: the object came and went.
 */
export function mergePending<T>(pending: PendingEvents<T>, event: AddedEvent<T> | UpdatedEvent<T> | DeletedEvent<T>): boolean {
  if (event.type !== 'deleted') {
    pending.upserted = mergeUpsert(pending.upserted, event);
    return true;
  }
  // The consumer has never heard of what was added meanwhile.
  if (pending.upserted?.type !== 'added') pending.deleted = event;
  pending.upserted = undefined;
  return pending.deleted !== undefined;
}
