import { delivering } from '../../api/drops.js';
import type { ObjectEvent, ResourceChange, ResourceEvent } from '../../api/events.js';
import { defer, filter, map, type MonoTypeOperatorFunction } from 'rxjs';
import { describeValue } from '../../api/options.js';
import { deletionsFirst } from '../../delta/buffers/pendingEvents.js';

/** The input of operators that treat objects one by one: whole changes (`change$`), or single events (`resource$`). */
export type ChangeOrEvent<T> = ResourceChange<T> | ResourceEvent<T>;

/** The objects of a change or an event. */
export type ObjectOf<V> = V extends ResourceChange<infer T> ? T : V extends { readonly object: infer T } ? T : never;

/** Whether a value is a change, not an event. */
export function isChange<T>(value: ChangeOrEvent<T>): value is ResourceChange<T> {
  return 'events' in value;
}

/** The object events of a change, or the event itself; `synced` gives none. */
export function eventsOf<T>(value: ChangeOrEvent<T>): readonly ObjectEvent<T>[] {
  if (isChange(value)) return value.events;
  return value.type === 'synced' ? [] : [value];
}

/** Whether a change matters even without events. */
export function isBoundary({ cause }: Pick<ResourceChange<unknown>, 'cause'>): boolean {
  return cause === 'snapshot' || cause === 'list';
}

/** The change with other events; undefined when none are left, unless it is a snapshot or a list. */
export function changeWith<T>(change: ResourceChange<unknown>, events: readonly ObjectEvent<T>[]): ResourceChange<T> | undefined {
  return events.length === 0 && !isBoundary(change) ? undefined : { ...change, events };
}

/** Fails with a TypeError at the first value that is not a change: with events alone, the end of a change is unknown. */
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

/** Maps an event to another one, or to none. */
export type EventMapper<T> = (event: ObjectEvent<T>) => ObjectEvent<T> | undefined;

/** Maps an event, and tells who follows what is dropped if there is none. `operator` is the one that does so. */
export function mapEvent<T>(operator: string, event: ObjectEvent<T>, mapper: EventMapper<T>): ObjectEvent<T> | undefined {
  const mapped = mapper(event);
  if (mapped === undefined && delivering.drops?.observed === true)
    delivering.drops.next({ reason: 'filtered', keys: [event.key], by: operator });
  return mapped;
}

/** Maps the events of a change, deletions first. Returns the same change if its events stay the same. */
export function mapChange<T>(operator: string, change: ResourceChange<T>, mapper: EventMapper<T>): ResourceChange<T> | undefined {
  const events: ObjectEvent<T>[] = [];
  let differs = change.events.length === 0;
  for (const event of change.events) {
    const mapped = mapEvent(operator, event, mapper);
    if (mapped !== event) differs = true;
    if (mapped !== undefined) events.push(mapped);
  }
  return differs ? changeWith(change, deletionsFirst(events)) : change;
}

/** Maps events, alone or within their changes; `begin` makes the mapper for each subscription. */
export function mapEvents<V extends ChangeOrEvent<unknown>>(
  operator: string,
  begin: () => EventMapper<unknown>,
): MonoTypeOperatorFunction<V> {
  return (source) =>
    defer(() => {
      const mapper = begin();
      return source.pipe(
        map((value) => {
          if (isChange(value)) return mapChange(operator, value, mapper);
          return value.type === 'synced' ? value : mapEvent(operator, value, mapper);
        }),
        filter((value) => value !== undefined),
      ) as typeof source;
    });
}
