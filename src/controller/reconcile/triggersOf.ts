import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import type { Trigger, TriggerCause, TriggerError } from './trigger.js';

type ObjectEvent<T> = Exclude<ResourceEvent<T>, { readonly type: 'synced' }>;

/** The cause that an event stands for. */
export function causeOf(event: ObjectEvent<unknown>): TriggerCause {
  if (event.type === 'added') return event.initial ? 'initial' : 'added';
  if (event.type === 'updated') return event.resync ? 'resync' : 'updated';
  return 'deleted';
}

/**
 * The triggers that one resource event stands for: one for each key of its object, and of what the object was before.
 */
export function triggersOf<T>(event: ResourceEvent<T>, keysOf: (object: T) => Iterable<string>): readonly (Trigger | TriggerError)[] {
  if (event.type === 'synced') return [];
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
