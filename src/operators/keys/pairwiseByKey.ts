import { Observable, type OperatorFunction } from 'rxjs';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import type { ObjectEvent } from './groupByKey.js';

/**
 * Each object's events two by two: the one before, and this one.
 *
 * ```text
 * source           +a  +b  synced  ~a     -b     +b
 * pairwiseByKey()                  [+~]a  [+-]b
 * ```
 *
 * A `deleted` ends the row of a key. Boundaries are left out.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, pairwiseByKey, resources } from 'rx-informer';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * pods.resource$.pipe(pairwiseByKey()).subscribe(([before, now]) => console.log(now.key, before.type, now.type));
 * ```
 */
export function pairwiseByKey<T>(): OperatorFunction<ResourceEvent<T>, readonly [previous: ObjectEvent<T>, current: ObjectEvent<T>]> {
  return (source) =>
    new Observable((subscriber) => {
      const last = new Map<string, ObjectEvent<T>>();
      subscriber.add(
        source.subscribe({
          next: (event) => {
            if (event.type === 'synced') return;
            const previous = last.get(event.key);
            if (event.type === 'deleted') last.delete(event.key);
            else last.set(event.key, event);
            if (previous !== undefined) subscriber.next([previous, event]);
          },
          error: (error: unknown) => {
            subscriber.error(error);
          },
          complete: () => {
            subscriber.complete();
          },
        }),
      );
    });
}
