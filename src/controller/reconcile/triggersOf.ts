import type { ObjectEvent, ResourceEvent } from '../../api/events.js';
import type { SourceValue } from './reconcileConfig.js';
import type { Trigger, TriggerCause, TriggerError } from './trigger.js';

function causeOf(event: ObjectEvent<unknown>): TriggerCause {
  if (event.type === 'added') return event.initial ? 'initial' : 'added';
  if (event.type === 'updated') return event.resync ? 'resync' : 'updated';
  return 'deleted';
}

/** Whether an object has gone to another shard, or out of the program's rights: it has not been deleted, so there is nothing to do for its end. */
function hasLeft(event: ObjectEvent<unknown>): boolean {
  return event.type === 'deleted' && event.reason !== undefined;
}

/** The triggers that one resource event stands for: one for each key of its object, and of what the object was before. */
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

/** The triggers that whatever a source has emitted stands for. @throws TypeError when that is nothing that it may emit. */
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
