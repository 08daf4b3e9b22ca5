import type { ObjectEvent, ResourceChange, ResourceEvent } from '../../api/events.js';

/**
 * Why a key needs work: an object was in the first list (`initial`), was added, updated, emitted again unchanged
 * (`resync`) or deleted; a source emitted the key itself (`key`); or the loop retries after a failure (`retry`) or was asked to call again
 * (`requeue`).
 */
export type TriggerCause = 'initial' | 'added' | 'updated' | 'resync' | 'deleted' | 'key' | 'retry' | 'requeue';

/** A key that needs work, with its cause. */
export interface Trigger {
  readonly type: 'trigger';
  readonly key: string;
  readonly cause: TriggerCause;
  /** The key of the object that the event was about: of another kind, for `ownerKeys` and `mappedKeys`. */
  readonly objectKey: string;
}

/** An object whose keys could not be computed. */
export interface TriggerError {
  readonly type: 'triggerError';
  readonly objectKey: string;
  readonly error: unknown;
}

/**
 * What a source may emit: keys, resource events or changes of the reconciled kind, or the output of `ownerKeys` and `mappedKeys` for other kinds.
 */
export type SourceValue = string | ResourceEvent<unknown> | ResourceChange<unknown> | Trigger | TriggerError;

/**
 * Why a key is processed. Triggers of the same source and cause since the last call are counted together, so that an event storm needs little memory.
 */
export interface TriggerReason {
  /** The source's name in `sources`, or its number there; `reconcile` for retries and requeues. */
  readonly source: string;
  readonly cause: TriggerCause;
  /** The object of the latest of these triggers. */
  readonly objectKey: string;
  readonly count: number;
}

function causeOf(event: ObjectEvent<unknown>): TriggerCause {
  if (event.type === 'added') return event.initial ? 'initial' : 'added';
  if (event.type === 'updated') return event.resync ? 'resync' : 'updated';
  return 'deleted';
}

/** Whether an object has moved to another shard, or the permission to see it was revoked: it was not deleted, so nothing is to be done. */
function hasLeft(event: ObjectEvent<unknown>): boolean {
  return event.type === 'deleted' && event.reason !== undefined;
}

/** The triggers of a resource event: one for each key of its object, and of its old object. */
export function triggersOf<T>(event: ResourceEvent<T>, keysOf: (object: T) => Iterable<string>): readonly (Trigger | TriggerError)[] {
  if (event.type === 'synced' || hasLeft(event)) return [];
  const objectKey = event.key;
  try {
    const keys = new Set(keysOf(event.object));
    if (event.type === 'updated' && event.oldObject !== event.object) for (const key of keysOf(event.oldObject)) keys.add(key);
    const cause = causeOf(event);
    return [...keys].map((key) => ({ type: 'trigger', key, cause, objectKey }));
  } catch (error) {
    return [{ type: 'triggerError', objectKey, error }];
  }
}

/** The triggers of a source's value. @throws TypeError when the value is of no allowed type. */
export function triggersOfValue(value: SourceValue): readonly (Trigger | TriggerError)[] {
  if (typeof value === 'object' && 'events' in value) return value.events.flatMap(triggersOfValue);
  if (typeof value === 'string') return [{ type: 'trigger', key: value, cause: 'key', objectKey: value }];
  switch (value.type) {
    case 'trigger':
    case 'triggerError':
      return [value];
    case 'added':
    case 'updated':
    case 'deleted':
      return hasLeft(value) ? [] : [{ type: 'trigger', key: value.key, cause: causeOf(value), objectKey: value.key }];
    case 'synced':
      return [];
    default:
      throw new TypeError('Expected a source to emit a key, a resource event or a trigger, got something else');
  }
}
