import { Observable, type MonoTypeOperatorFunction, type SchedulerLike, type Subscription } from 'rxjs';
import type { ResourceChange } from '../../api/events.js';
import { checkOptions, rules } from '../../api/options.js';
import { NetEvents } from '../../delta/buffers/pendingEvents.js';
import { follow } from '../../rx/trampoline.js';
import { schedulerOf } from '../../rx/schedulerOf.js';
import { changesOnly, changeWith, isBoundary } from '../changes/changeOrEvent.js';
import { after } from './debounceByKey.js';

/** Options of `conflateByKey`. */
export interface ConflateByKeyOptions {
  /** How long changes are gathered before they are emitted as one, in milliseconds; `Infinity` waits for the next list. */
  readonly periodMs: number;
  /** Default: real time, on a monotonic clock. */
  readonly scheduler?: SchedulerLike | undefined;
}

/** One change in place of two: what it says of the whole is what the later one says. */
function joined<T>(before: ResourceChange<T> | undefined, change: ResourceChange<T>): ResourceChange<T> {
  if (before === undefined) return change;
  const { events, synced } = change;
  // A resync says less than whatever else there was.
  const cause = change.cause === 'resync' ? before.cause : change.cause;
  if (before.scope !== change.scope) return { cause, events, synced };
  return {
    ...change,
    cause,
    ...(before.previousResourceVersion !== undefined && { previousResourceVersion: before.previousResourceVersion }),
  };
}

/**
 * Gathers changes for a while and emits them as one, with at most one state of each object: the newest.
 *
 * ```text
 * source                            {+a synced}  {~a}  {~a +b}  {-b}      {+c}
 * conflateByKey({ periodMs: 10 })   {+a synced}  ----------{~a}           ----------{+c}
 * ```
 *
 * - The first change begins a period, at the end of which everything that was gathered is emitted as one change. So each change leads to a state that the
 *   collection was in.
 * - A snapshot or a list is emitted at once, as one change with what was gathered before it.
 * - An object that came and went meanwhile is not emitted; one that was deleted and created again is both. Updates are merged: from the oldest `oldObject` to
 *   the newest `object`. A change of which nothing is left is dropped. What comes from several scopes carries no version.
 * - Completion emits what waits, then completes; an error is passed on at once.
 * - It takes changes only. The result fails with a TypeError at the first value that is none.
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
        period = undefined;
        if (waiting === undefined) return;
        const change = changeWith(waiting, net.take());
        waiting = undefined;
        if (change !== undefined) subscriber.next(change);
      };
      subscriber.add(() => period?.unsubscribe());
      follow(source.pipe(changesOnly('conflateByKey')), subscriber, {
        next: (change) => {
          net.add(change.events);
          waiting = isBoundary(change) ? change : joined(waiting, change);
          if (isBoundary(change)) emit();
          else period ??= after(scheduler, periodMs, emit);
        },
        complete: () => {
          emit();
          subscriber.complete();
        },
      });
    });
}
