import type { ResourceChange } from '../../api/events/resourceChange.js';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';

/**
 * Calls `next` with the events of a change, one after the other, and with `synced` behind a snapshot or a list after which every scope is complete.
 */
export function flattenChange<T>(change: ResourceChange<T>, next: (event: ResourceEvent<T>) => void): void {
  const { cause, events, synced, resourceVersion = '', previousResourceVersion = '' } = change;
  for (const event of events) next(event);
  if (synced && (cause === 'snapshot' || cause === 'list')) next({ type: 'synced', resourceVersion, previousResourceVersion });
}
