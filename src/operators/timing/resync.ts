import { asyncScheduler, interval, Observable, type MonoTypeOperatorFunction, type SchedulerLike } from 'rxjs';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';

/**
 * Options of `resync`.
 */
export interface ResyncOptions {
  /** How often, in milliseconds; above 0. */
  readonly periodMs: number;
  /** @defaultValue `asyncScheduler` */
  readonly scheduler?: SchedulerLike;
}

/**
 * Tells every object again from time to time, as an `updated` with `resync: true` whose `oldObject` is its `object`.
 *
 * ```text
 * source                       +a  +b  synced          -b
 * resync({ periodMs: 10 })     +a  +b  synced  (~a~b)  -b  (~a)
 * ```
 *
 * The period begins with the subscription; before the first `synced` nothing is told again. This asks the server nothing and repairs nothing: it is a
 * reminder for consumers that want to look at each object regularly. An informer does the same for handlers with `resyncPeriodMs`.
 *
 * @throws TypeError when `periodMs` is no positive number of milliseconds.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources, resync } from 'rx-informer';
 *
 * const certificates = createInformer(createClient(), resources.core.v1.secrets, { fieldSelector: 'type=kubernetes.io/tls' });
 * certificates.resource$.pipe(resync({ periodMs: 3_600_000 })).subscribe((event) => console.log(event.type));
 * ```
 */
export function resync<T>(options: ResyncOptions): MonoTypeOperatorFunction<ResourceEvent<T>> {
  const { periodMs, scheduler = asyncScheduler } = options;
  if (!(periodMs > 0 && Number.isFinite(periodMs)))
    throw new TypeError(`Expected \`periodMs\` to be a number of milliseconds > 0, got ${String(periodMs)}`);
  return (source) =>
    new Observable((subscriber) => {
      const objects = new Map<string, T>();
      let synced = false;
      const tellAgain = (): void => {
        if (!synced) return;
        // What changes while they are told is told as it is then.
        for (const key of [...objects.keys()]) {
          const object = objects.get(key);
          if (object !== undefined) subscriber.next({ type: 'updated', key, object, oldObject: object, resync: true, inferred: false });
        }
      };
      subscriber.add(interval(periodMs, scheduler).subscribe({ next: tellAgain, error: (error: unknown) => subscriber.error(error) }));
      subscriber.add(
        source.subscribe({
          next: (event) => {
            if (event.type === 'synced') synced = true;
            else if (event.type === 'deleted') objects.delete(event.key);
            else objects.set(event.key, event.object);
            subscriber.next(event);
          },
          error: (error: unknown) => subscriber.error(error),
          complete: () => subscriber.complete(),
        }),
      );
    });
}
