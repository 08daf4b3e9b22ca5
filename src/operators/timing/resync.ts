import { interval, NEVER, Observable, type MonoTypeOperatorFunction, type SchedulerLike } from 'rxjs';
import type { ResourceChange, UpdatedEvent } from '../../api/events.js';
import { checkOptions, rules } from '../../api/options.js';
import { follow } from '../../rx/trampoline.js';
import { schedulerOf } from '../../rx/schedulerOf.js';
import { changesOnly } from '../changes/changeOrEvent.js';

/** An update of each object to itself. */
export function resyncEvents<T>(objects: Iterable<readonly [key: string, object: T]>): UpdatedEvent<T>[] {
  return Array.from(objects, ([key, object]) => ({ type: 'updated', key, object, oldObject: object, resync: true, inferred: false }));
}

/** Options of `resync`. */
export interface ResyncOptions {
  /** The period in milliseconds; above 0, `Infinity` for never. */
  readonly periodMs: number;
  /** @defaultValue real time, on a monotonic clock */
  readonly scheduler?: SchedulerLike | undefined;
}

/**
 * Emits all objects again periodically, as one change with the cause `'resync'`: an `updated` with `resync: true` for each, whose `oldObject`
 * is its `object`.
 *
 * ```text
 * source                       {+a +b synced}               {-b}
 * resync({ periodMs: 10 })     {+a +b synced}  ---{~a ~b}   {-b}  ---{~a}
 * ```
 *
 * - The period begins with the subscription. Nothing is emitted again before the first synced change, or while there are no objects.
 * - It sends no request and repairs nothing: it is for consumers that must check each object regularly. An informer's `resyncPeriodMs` does the same
 *   for handlers.
 * - It takes changes only. The result fails with a TypeError at the first value that is not a change.
 *
 * @throws TypeError when an option is unknown or wrong.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources, resync } from 'rx-informer';
 *
 * const certificates = createInformer(createClient(), resources.core.v1.secrets, { fieldSelector: 'type=kubernetes.io/tls' });
 * certificates.change$.pipe(resync({ periodMs: 3_600_000 })).subscribe(({ cause }) => console.log(cause));
 * ```
 */
export function resync<T>(options: ResyncOptions): MonoTypeOperatorFunction<ResourceChange<T>> {
  checkOptions('resync', options, { periodMs: rules.required(rules.durationOf({ above: 0, infinite: true })), scheduler: rules.scheduler });
  const { periodMs } = options;
  const scheduler = schedulerOf(options.scheduler);
  return (source) =>
    new Observable((subscriber) => {
      const objects = new Map<string, T>();
      let synced = false;
      const emitAll = (): void => {
        if (!synced || objects.size === 0) return;
        subscriber.next({ cause: 'resync', events: resyncEvents(objects), synced });
      };
      follow(periodMs === Infinity ? NEVER : interval(periodMs, scheduler), subscriber, { next: emitAll });
      follow(source.pipe(changesOnly('resync')), subscriber, {
        next: (change) => {
          ({ synced } = change);
          for (const event of change.events) {
            if (event.type === 'deleted') objects.delete(event.key);
            else objects.set(event.key, event.object);
          }
          subscriber.next(change);
        },
      });
    });
}
