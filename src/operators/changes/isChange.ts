import type { ResourceChange } from '../../api/events/resourceChange.js';
import type { ChangeOrEvent } from './changeOrEvent.js';

/**
 * Whether a value is a change, and no event.
 */
export function isChange<T>(value: ChangeOrEvent<T>): value is ResourceChange<T> {
  return 'events' in value;
}
