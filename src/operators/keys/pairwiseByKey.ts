import { defer, mergeMap, type OperatorFunction } from 'rxjs';
import type { ObjectEvent, ResourceChange } from '../../api/events.js';
import { type ChangeOrEvent, type ObjectOf, eventsOf } from '../changes/changeOrEvent.js';

/**
 * Emits each event of an object together with the previous one.
 *
 * ```text
 * source           {+a +b synced}  {~a}   {-b}   {+b}
 * pairwiseByKey()                  [+~]a  [+-]b
 * ```
 *
 * It takes changes or events. After a `deleted`, a key starts anew.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, pairwiseByKey, resources } from 'rx-informer';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * pods.resource$.pipe(pairwiseByKey()).subscribe(([before, now]) => console.log(now.key, before.type, now.type));
 * ```
 */
export function pairwiseByKey<V extends ChangeOrEvent<unknown> = ResourceChange<unknown>>(): OperatorFunction<
  V,
  readonly [previous: ObjectEvent<ObjectOf<V>>, current: ObjectEvent<ObjectOf<V>>]
> {
  return (source) =>
    defer(() => {
      const last = new Map<string, ObjectEvent<ObjectOf<V>>>();
      return source.pipe(
        mergeMap((value) => eventsOf(value as ChangeOrEvent<ObjectOf<V>>)),
        mergeMap((event) => {
          const previous = last.get(event.key);
          if (event.type === 'deleted') last.delete(event.key);
          else last.set(event.key, event);
          return previous === undefined ? [] : [[previous, event] as const];
        }),
      );
    });
}
