import { defer, filter, map, type MonoTypeOperatorFunction } from 'rxjs';
import type { ObjectEvent, ResourceChange } from '../../api/events/resourceChange.js';
import { type ChangeOrEvent, changeWith, isChange } from './changeOrEvent.js';

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
