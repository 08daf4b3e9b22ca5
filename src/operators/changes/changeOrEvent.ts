import type { ResourceChange, ObjectEvent } from '../../api/events/resourceChange.js';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';

/** What an operator takes that looks at one object at a time: whole changes (`change$`), or single events (`resource$`). */
export type ChangeOrEvent<T> = ResourceChange<T> | ResourceEvent<T>;

/** The objects of a change or an event. */
export type ObjectOf<V> = V extends ResourceChange<infer T> ? T : V extends { readonly object: infer T } ? T : never;

/** Whether a value is a change, and no event. */
export function isChange<T>(value: ChangeOrEvent<T>): value is ResourceChange<T> {
  return 'events' in value;
}

/** The events of a change, or the one event, as far as they concern an object. */
export function eventsOf<T>(value: ChangeOrEvent<T>): readonly ObjectEvent<T>[] {
  if (isChange(value)) return value.events;
  return value.type === 'synced' ? [] : [value];
}
