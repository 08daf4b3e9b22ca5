import type { ResourceChange } from '../../api/events/resourceChange.js';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';

/** Tells the events of a change, one after the other, and with `synced` behind a snapshot or a list after which every scope is complete. */
export function flattenChange<T>(change: ResourceChange<T>, observer: { next(event: ResourceEvent<T>): void }): void {
  const { cause, events, synced } = change;
  for (const event of events) observer.next(event);
  if (!synced || (cause !== 'snapshot' && cause !== 'list')) return;
  const { resourceVersion = '', previousResourceVersion = '' } = change;
  observer.next({ type: 'synced', resourceVersion, previousResourceVersion });
}
