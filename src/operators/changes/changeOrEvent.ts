import type { ObjectEvent, ResourceChange, ResourceEvent } from '../../api/events.js';
import { defer, filter, map, type MonoTypeOperatorFunction } from 'rxjs';
import { describeValue } from '../../api/options.js';

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

/** Makes another event of each, or none. */
export type EventMapper<T> = (event: ObjectEvent<T>) => ObjectEvent<T> | undefined;

/** Maps the events of a change, deletes first. A change whose events stay the same is returned itself. */
export function mapChange<T>(change: ResourceChange<T>, mapper: EventMapper<T>): ResourceChange<T> | undefined {
  const deleted: ObjectEvent<T>[] = [];
  const upserted: ObjectEvent<T>[] = [];
  let differs = change.events.length === 0;
  for (const event of change.events) {
    const mapped = mapper(event);
    if (mapped !== event) differs = true;
    if (mapped !== undefined) (mapped.type === 'deleted' ? deleted : upserted).push(mapped);
  }
  return differs ? changeWith(change, [...deleted, ...upserted]) : change;
}

/** Maps events, alone or within their changes; `begin` makes the mapper of each subscription. */
export function mapEvents<V extends ChangeOrEvent<unknown>>(begin: () => EventMapper<unknown>): MonoTypeOperatorFunction<V> {
  return (source) =>
    defer(() => {
      const mapper = begin();
      return source.pipe(
        map((value) => {
          if (isChange(value)) return mapChange(value, mapper);
          return value.type === 'synced' ? value : mapper(value);
        }),
        filter((value) => value !== undefined),
      ) as typeof source;
    });
}
