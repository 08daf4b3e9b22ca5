import type { ResourceEvent } from '../../api/events.js';

/** Turns an event into that of a consumer who is told only of objects that pass; undefined where it is told nothing. */
export type CrossingFilter<T> = (event: ResourceEvent<T>) => ResourceEvent<T> | undefined;

/**
 * Makes a filter for the events of one consumer, who is to be told of the objects that pass and of no others: one that begins to pass is added,
 * one that ceases to pass is deleted. Boundaries pass.
 *
 * | was told | now passes | becomes |
 * |---|---|---|
 * | yes | yes | `updated` |
 * | no | yes | `added` |
 * | yes | no, or deleted | `deleted`; of an update, with the last object that passed |
 * | no | no, or deleted | nothing |
 *
 * It remembers which keys it has told, and asks `passes` about each object once. So a delete always follows an addition, even if the last
 * state of the object does not pass, and whether an object passes may depend on more than the object.
 *
 * @see client-go: `FilteringResourceEventHandler`
 */
export function createCrossingFilter<T>(passes: (object: T) => boolean): CrossingFilter<T> {
  const told = new Set<string>();
  return (event) => {
    if (event.type === 'synced') return event;
    const { key, object, inferred } = event;
    if (event.type === 'deleted') return told.delete(key) ? event : undefined;
    const before = told.has(key);
    if (passes(object)) {
      told.add(key);
      if (before || event.type === 'added') return event;
      return { type: 'added', key, object, initial: false, inferred };
    }
    told.delete(key);
    if (!before) return undefined;
    return { type: 'deleted', key, object: event.type === 'updated' ? event.oldObject : object, finalStateUnknown: false, inferred };
  };
}
