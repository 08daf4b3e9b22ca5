import type { ObjectEvent, ResourceChange } from '../../api/events/resourceChange.js';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import { map, type MonoTypeOperatorFunction } from 'rxjs';
import { describeValue } from '../../api/options/optionRule.js';

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

/** Whether a change says something of the whole even if it has no events. */
export function isBoundary({ cause }: Pick<ResourceChange<unknown>, 'cause'>): boolean {
  return cause === 'snapshot' || cause === 'list';
}

/** The same change with other events; undefined when nothing is left of it. Snapshots and lists always stay. */
export function changeWith<T>(change: ResourceChange<unknown>, events: readonly ObjectEvent<T>[]): ResourceChange<T> | undefined {
  return events.length === 0 && !isBoundary(change) ? undefined : { ...change, events };
}

/** Fails with a TypeError at the first value that is no change: events do not say where a change ends. */
export function changesOnly<T>(owner: string): MonoTypeOperatorFunction<ResourceChange<T>> {
  return map((value) => {
    const given: unknown = value;
    const { events, type } = (given ?? {}) as { readonly events?: unknown; readonly type?: unknown };
    if (Array.isArray(events)) return value;
    const got =
      typeof type === 'string' ? `the event ${describeValue(type)}: take \`change$\` in place of \`resource$\`` : describeValue(value);
    throw new TypeError(`Expected \`${owner}\` to be given changes, got ${got}`);
  });
}
