import type { ResourceEvent } from '../../api/events.js';

/** Maps an event for a consumer that receives only the objects that pass; undefined when it receives nothing. */
export type CrossingFilter<T> = (event: ResourceEvent<T>) => ResourceEvent<T> | undefined;

/**
 * Makes a filter for the events of one consumer. The consumer receives only the objects that pass: an object that begins to pass is `added`, one that ceases
 * to pass is `deleted`. `synced` always passes.
 *
 * | received before | passes now | becomes |
 * |---|---|---|
 * | yes | yes | `updated` |
 * | no | yes | `added` |
 * | yes | no, or deleted | `deleted`; of an update, with the last object that passed |
 * | no | no, or deleted | nothing |
 *
 * It remembers the keys that the consumer has, and calls `passes` once per event. So a deletion always follows an addition, even if the last
 * state of the object does not pass, and `passes` may depend on more than the object.
 *
 * @see client-go: `FilteringResourceEventHandler`
 */
export function createCrossingFilter<T>(passes: (object: T) => boolean): CrossingFilter<T> {
  const delivered = new Set<string>();
  return (event) => {
    if (event.type === 'synced') return event;
    const { key, object, inferred } = event;
    if (event.type === 'deleted') return delivered.delete(key) ? event : undefined;
    const before = delivered.has(key);
    if (passes(object)) {
      delivered.add(key);
      if (before || event.type === 'added') return event;
      return { type: 'added', key, object, initial: false, inferred };
    }
    delivered.delete(key);
    if (!before) return undefined;
    return { type: 'deleted', key, object: event.type === 'updated' ? event.oldObject : object, finalStateUnknown: false, inferred };
  };
}
