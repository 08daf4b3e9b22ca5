import type { ObjectEvent } from '../../api/events/resourceChange.js';
import type { ChangeOrEvent } from './changeOrEvent.js';
import { isChange } from './isChange.js';

/**
 * The events of a change, or the one event, as far as they concern an object.
 */
export function eventsOf<T>(value: ChangeOrEvent<T>): readonly ObjectEvent<T>[] {
  if (isChange(value)) return value.events;
  return value.type === 'synced' ? [] : [value];
}
