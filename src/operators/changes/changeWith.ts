import type { ObjectEvent, ResourceChange } from '../../api/events/resourceChange.js';

/** Whether a change says something of the whole even if it has no events. */
export function isBoundary({ cause }: Pick<ResourceChange<unknown>, 'cause'>): boolean {
  return cause === 'snapshot' || cause === 'list';
}

/** The same change with other events; undefined when nothing is left of it. Snapshots and lists always stay. */
export function changeWith<T>(change: ResourceChange<unknown>, events: readonly ObjectEvent<T>[]): ResourceChange<T> | undefined {
  return events.length === 0 && !isBoundary(change) ? undefined : { ...change, events };
}
