import type { ResourceChange } from '../../api/events/resourceChange.js';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';

/**
 * What an operator takes that looks at one object at a time: whole changes (`change$`), or single events (`resource$`).
 */
export type ChangeOrEvent<T> = ResourceChange<T> | ResourceEvent<T>;

/**
 * The objects of a change or an event.
 */
export type ObjectOf<V> = V extends ResourceChange<infer T> ? T : V extends { readonly object: infer T } ? T : never;
