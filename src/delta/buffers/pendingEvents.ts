import { isOtherObject } from '../../api/kubernetesObject.js';
import type { AddedEvent, DeletedEvent, LeaveReason, ObjectEvent, UpdatedEvent } from '../../api/events.js';

/** The merged events of one key: a deletion of the object that the consumer has, an addition or update, or the deletion followed by the addition. */
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

/** Merges an event into those of its key. @returns `false` when nothing is left to emit: the object was added and deleted. */
export function mergePending<T>(pending: PendingEvents<T>, event: AddedEvent<T> | UpdatedEvent<T> | DeletedEvent<T>): boolean {
  if (event.type !== 'deleted') {
    pending.upserted = mergeUpsert(pending.upserted, event);
    return true;
  }
  // The consumer has never received another object that was added meanwhile. One that had left and come back has now been deleted.
  const isOther = pending.deleted?.reason === undefined || isOtherObject(pending.deleted.object, event.object);
  if (pending.upserted?.type !== 'added' || !isOther) pending.deleted = event;
  pending.upserted = undefined;
  return pending.deleted !== undefined;
}

function isDeletion({ type }: ObjectEvent<unknown>): boolean {
  return type === 'deleted';
}

/** The events of a change with its deletions first. Otherwise the order stays. */
export function deletionsFirst<T>(events: readonly ObjectEvent<T>[]): readonly ObjectEvent<T>[] {
  if (!events.some(isDeletion)) return events;
  return events.filter(isDeletion).concat(events.filter((event) => !isDeletion(event)));
}

/** Collects the events of a change of several keys, deletions first. */
export class Transitions<T> {
  private readonly all: ObjectEvent<T>[] = [];
  private readonly flags: { readonly initial: boolean; readonly inferred: boolean; readonly finalStateUnknown?: boolean };

  /** @param flags - the flags of every event; `initial` applies to `added`. */
  constructor(flags: Transitions<T>['flags']) {
    this.flags = flags;
  }

  /** @param reason - why `before` has left, if it was not deleted. */
  add(key: string, before: T | undefined, object: T | undefined, reason?: LeaveReason): void {
    const { initial, inferred, finalStateUnknown = false } = this.flags;
    const isOther = before !== undefined && (object === undefined || isOtherObject(before, object));
    if (isOther)
      this.all.push({ type: 'deleted', key, object: before, finalStateUnknown, inferred, ...(reason !== undefined && { reason }) });
    if (object === undefined) return;
    if (before === undefined || isOther) this.all.push({ type: 'added', key, object, initial, inferred });
    else this.all.push({ type: 'updated', key, object, oldObject: before, resync: false, inferred });
  }

  events(): readonly ObjectEvent<T>[] {
    return deletionsFirst(this.all);
  }
}
