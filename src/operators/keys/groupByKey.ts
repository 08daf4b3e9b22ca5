import { defer, groupBy, type GroupedObservable, Observable, type OperatorFunction, Subject } from 'rxjs';
import type { ObjectEvent, ResourceChange } from '../../api/events.js';
import { follow } from '../../rx/trampoline.js';
import { type ChangeOrEvent, type ObjectOf, eventsOf } from '../changes/changeOrEvent.js';

/**
 * Emits one inner observable per object: it completes with the `deleted`; an object created later under the same name gets another.
 *
 * ```text
 * source        {+a +b synced}  {~a}  {-a}  {+a}
 * groupByKey()  a b                         a
 *         a     +a              ~a    -a|
 *           b   +b
 *               a (again)                   +a
 * ```
 *
 * It takes changes or events. A group ends with its object. The source is unsubscribed from when the result and every group are unsubscribed from.
 *
 *
 * @example
 * ```ts
 * import { mergeMap, takeLast } from 'rxjs';
 * import { createClient, createInformer, groupByKey, resources } from 'rx-informer';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * const lastEvents = pods.change$.pipe(groupByKey(), mergeMap((pod) => pod.pipe(takeLast(1))));
 * lastEvents.subscribe((event) => console.log(event.key));
 * ```
 */
export function groupByKey<V extends ChangeOrEvent<unknown> = ResourceChange<unknown>>(): OperatorFunction<
  V,
  GroupedObservable<string, ObjectEvent<ObjectOf<V>>>
> {
  return (source) =>
    defer(() => {
      // The end of a group must not be observed by subscribing to the group: that would keep the source subscribed.
      const ends = new Map<string, Subject<void>>();
      const events = new Observable<ObjectEvent<ObjectOf<V>>>((subscriber) => {
        follow(source, subscriber, {
          next: (value) => {
            for (const event of eventsOf(value as ChangeOrEvent<ObjectOf<V>>)) {
              subscriber.next(event);
              if (event.type !== 'deleted') continue;
              ends.get(event.key)?.next();
              ends.delete(event.key);
            }
          },
        });
      });
      const duration = ({ key }: { readonly key: string }): Subject<void> => {
        const end = new Subject<void>();
        ends.set(key, end);
        return end;
      };
      return events.pipe(groupBy(({ key }) => key, { duration }));
    });
}
