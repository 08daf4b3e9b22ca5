import { Observable, type MonoTypeOperatorFunction, type SchedulerLike, type Subscription } from 'rxjs';
import type { ResourceChange } from '../../api/events.js';
import { checkOptions, rules } from '../../api/options.js';
import { NetEvents } from '../../delta/buffers/eventBuffer.js';
import { follow } from '../../rx/trampoline.js';
import { schedulerOf } from '../../rx/schedulerOf.js';
import { changesOnly, changeWith, isBoundary } from '../changes/changeOrEvent.js';
import { after } from './debounceByKey.js';

/** Options of `conflateByKey`. */
export interface ConflateByKeyOptions {
  /** How long changes are collected before they are emitted as one, in milliseconds; `Infinity` waits for the next list. */
  readonly periodMs: number;
  /** @defaultValue real time, on a monotonic clock */
  readonly scheduler?: SchedulerLike | undefined;
}

/** Merges two changes into one; `synced` and version are those of the later one. */
function joined<T>(before: ResourceChange<T> | undefined, change: ResourceChange<T>): ResourceChange<T> {
  if (before === undefined) return change;
  const { events, synced } = change;
  // Any other cause is more specific than `resync`.
  const cause = change.cause === 'resync' ? before.cause : change.cause;
  if (before.scope !== change.scope) return { cause, events, synced };
  return {
    ...change,
    cause,
    ...(before.previousResourceVersion !== undefined && { previousResourceVersion: before.previousResourceVersion }),
  };
}

/**
 * Collects changes for a period and emits them as one, with only the newest state of each object.
 *
 * ```text
 * source                            {+a synced}  {~a}  {~a +b}  {-b}      {+c}
 * conflateByKey({ periodMs: 10 })   {+a synced}  ----------{~a}           ----------{+c}
 * ```
 *
 * - The first change starts a period; at its end everything collected is emitted as one change. So each emitted change leads to a state that the
 *   collection was in.
 * - A snapshot or a list is emitted at once, as one change together with everything collected before it.
 * - An object added and deleted meanwhile is not emitted; one deleted and created again is emitted as both. Updates are merged: from the oldest `oldObject` to
 *   the newest `object`. A change without remaining events is dropped. A merged change of several scopes has no version.
 * - Completion emits what was collected, then completes; an error is passed on at once.
 * - It takes changes only. The result fails with a TypeError at the first value that is not a change.
 *
 * @throws TypeError when an option is unknown or wrong.
 *
 * @example
 * ```ts
 * import { conflateByKey, createClient, createInformer, resources, toObjects } from 'rx-informer';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * pods.change$.pipe(conflateByKey({ periodMs: 200 }), toObjects()).subscribe((list) => console.log(list.length));
 * ```
 */
export function conflateByKey<T>(options: ConflateByKeyOptions): MonoTypeOperatorFunction<ResourceChange<T>> {
  checkOptions('conflateByKey', options, { periodMs: rules.required(rules.durationMs), scheduler: rules.scheduler });
  const { periodMs } = options;
  const scheduler = schedulerOf(options.scheduler);
  return (source) =>
    new Observable((subscriber) => {
      const net = new NetEvents<T>();
      let waiting: ResourceChange<T> | undefined;
      let period: Subscription | undefined;
      const emit = (): void => {
        period?.unsubscribe();
        if (waiting === undefined) return;
        const change = changeWith(waiting, net.take());
        waiting = undefined;
        if (change !== undefined) subscriber.next(change);
      };
      subscriber.add(() => period?.unsubscribe());
      follow(source.pipe(changesOnly('conflateByKey')), subscriber, {
        next: (change) => {
          const isFirst = waiting === undefined;
          net.add(change.events);
          waiting = isBoundary(change) ? change : joined(waiting, change);
          if (isBoundary(change)) emit();
          // A scheduler may emit at once.
          else if (isFirst) period = after(scheduler, periodMs, emit);
        },
        complete: () => {
          emit();
          subscriber.complete();
        },
      });
    });
}
