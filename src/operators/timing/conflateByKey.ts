import { asyncScheduler, Observable, type MonoTypeOperatorFunction, type SchedulerLike, type Subscription, timer } from 'rxjs';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import { createConflatingBuffer } from '../../delta/buffers/conflatingBuffer.js';

/**
 * Options of `conflateByKey`.
 */
export interface ConflateByKeyOptions {
  /** How long events are gathered before they are told, in milliseconds; at least 0. */
  readonly periodMs: number;
  /** @defaultValue `asyncScheduler` */
  readonly scheduler?: SchedulerLike;
}

/**
 * Gathers events for a while and tells at most one state of each object: the newest.
 *
 * ```text
 * source                              +a  ~a  ~a  +b  -b      ~a  -a
 * conflateByKey({ periodMs: 10 })     ----------(+a)----------------(-a)
 * ```
 *
 * The first event begins a period, at the end of which what has gathered is told at once. An object that came and went meanwhile is not told; one that
 * was deleted and created again is. Updates are merged: from the oldest `oldObject` to the newest `object`. `synced` stays behind everything that came
 * before it. Completion tells what waits, then completes; an error is passed on at once.
 *
 * @throws TypeError when `periodMs` is no number of milliseconds.
 *
 * @example
 * ```ts
 * import { conflateByKey, createClient, createInformer, resources } from 'rx-informer';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * pods.resource$.pipe(conflateByKey({ periodMs: 200 })).subscribe((event) => console.log(event.type));
 * ```
 */
export function conflateByKey<T>(options: ConflateByKeyOptions): MonoTypeOperatorFunction<ResourceEvent<T>> {
  const { periodMs, scheduler = asyncScheduler } = options;
  if (!(periodMs >= 0 && Number.isFinite(periodMs)))
    throw new TypeError(`Expected \`periodMs\` to be a number of milliseconds >= 0, got ${String(periodMs)}`);
  return (source) =>
    new Observable((subscriber) => {
      const buffer = createConflatingBuffer<T>();
      let period: Subscription | undefined;
      const tell = (): void => {
        period = undefined;
        for (let event = buffer.shift(); event !== undefined && !subscriber.closed; event = buffer.shift()) subscriber.next(event);
      };
      const begin = (): Subscription =>
        timer(periodMs, scheduler).subscribe({ next: tell, error: (error: unknown) => subscriber.error(error) });
      subscriber.add(() => {
        period?.unsubscribe();
        buffer.clear();
      });
      subscriber.add(
        source.subscribe({
          next: (event) => {
            buffer.push(event);
            period ??= begin();
          },
          error: (error: unknown) => subscriber.error(error),
          complete: () => {
            tell();
            subscriber.complete();
          },
        }),
      );
    });
}
