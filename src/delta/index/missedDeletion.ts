import type { DeletedEvent } from '../../api/events/resourceEvent.js';

/**
 * A deletion that nobody has seen: found out by a list, or by a successor under the same name.
 */
export function missedDeletion<U>(key: string, object: U): DeletedEvent<U> {
  return { type: 'deleted', key, object, finalStateUnknown: true, inferred: true };
}
