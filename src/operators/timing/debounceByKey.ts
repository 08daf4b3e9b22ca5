import { type MonoTypeOperatorFunction, Observable, type SchedulerLike, type Subscriber, Subscription } from 'rxjs';
import type { ChangeCause, ObjectEvent, ResourceChange } from '../../api/events.js';
import { checkOptions, expectArgument, rules } from '../../api/options.js';
import { NetEvents } from '../../delta/buffers/pendingEvents.js';
import { follow } from '../../rx/trampoline.js';
import { schedulerOf } from '../../rx/schedulerOf.js';
import { changesOnly, changeWith, isBoundary } from '../changes/changeOrEvent.js';

/** Runs `work` once after that many milliseconds; after `Infinity`, never. */
export function after(scheduler: SchedulerLike, ms: number, work: () => void): Subscription {
  return ms === Infinity ? Subscription.EMPTY : scheduler.schedule(work, Math.max(0, ms));
}

/** Options of `debounceByKey`. */
export interface DebounceByKeyOptions {
  /** How long an object must be quiet before its newest state is emitted, in milliseconds. */
  readonly dueMs: number;
  /** How long a busy object is held back at most, in milliseconds; at least `dueMs`, `Infinity` for as long as it is busy. */
  readonly maxWaitMs: number;
  /** Default: real time, on a monotonic clock. */
  readonly scheduler?: SchedulerLike | undefined;
}

interface Waiting<T> {
  readonly events: NetEvents<T>;
  /** The end of the longest wait; it stays as it is while changes come. */
  readonly latest: Subscription;
  quiet: Subscription;
  cause: ChangeCause;
}

function stop({ latest, quiet }: Waiting<unknown>): void {
  latest.unsubscribe();
  quiet.unsubscribe();
}

class Debouncer<T> {
  private readonly waiting = new Map<string, Waiting<T>>();
  private readonly subscriber: Subscriber<ResourceChange<T>>;
  private readonly options: Omit<Required<DebounceByKeyOptions>, 'scheduler'> & { readonly scheduler: SchedulerLike };
  private synced = false;

  constructor(subscriber: Subscriber<ResourceChange<T>>, options: Debouncer<T>['options']) {
    this.subscriber = subscriber;
    this.options = options;
  }

  take(change: ResourceChange<T>): void {
    this.synced = change.synced;
    if (!isBoundary(change)) for (const event of change.events) this.hold(event, change.cause);
    else if (this.waiting.size === 0) this.subscriber.next(change);
    else this.emitWith(change);
  }

  releaseAll(): void {
    for (const key of [...this.waiting.keys()]) this.release(key);
  }

  drop(): void {
    for (const waiting of this.waiting.values()) stop(waiting);
    this.waiting.clear();
  }

  private emitWith(change: ResourceChange<T>): void {
    const net = new NetEvents<T>();
    for (const { events } of this.waiting.values()) net.add(events.take());
    this.drop();
    net.add(change.events);
    this.subscriber.next({ ...change, events: net.take() });
  }

  private hold(event: ObjectEvent<T>, cause: ChangeCause): void {
    const { key } = event;
    const { dueMs, maxWaitMs } = this.options;
    let waiting = this.waiting.get(key);
    if (waiting === undefined) {
      waiting = { events: new NetEvents<T>(), latest: this.after(maxWaitMs, key), quiet: this.after(dueMs, key), cause };
      this.waiting.set(key, waiting);
    } else {
      waiting.quiet.unsubscribe();
      waiting.quiet = this.after(dueMs, key);
      // A resync says less than whatever else there was.
      if (cause !== 'resync') waiting.cause = cause;
    }
    waiting.events.add([event]);
  }

  private after(ms: number, key: string): Subscription {
    return after(this.options.scheduler, ms, () => this.release(key));
  }

  private release(key: string): void {
    const waiting = this.waiting.get(key);
    if (waiting === undefined) return;
    this.waiting.delete(key);
    stop(waiting);
    const change = changeWith({ cause: waiting.cause, events: [], synced: this.synced }, waiting.events.take());
    if (change !== undefined) this.subscriber.next(change);
  }
}

/**
 * Holds each object back until it has not changed for a while, then emits its newest state; a busy one is emitted after the longest wait.
 *
 * ```text
 * source                                       {+a}-{~a}----------{~a}-{~a}-{~a}-{~a}-
 * debounceByKey({ dueMs: 5, maxWaitMs: 10 })   ----------{+a}---------------{~a}------
 * ```
 *
 * - Each object is a change of its own, which carries no version. What waits for an object is merged as by `conflateByKey`; an object that came and went
 *   meanwhile is not emitted.
 * - A snapshot or a list is emitted at once, as one change with everything that waits.
 * - Completion emits everything that waits, then completes; an error is passed on at once.
 * - It takes changes only. The result fails with a TypeError at the first value that is none.
 *
 * @throws TypeError when an option is unknown or wrong, or `maxWaitMs` is below `dueMs`.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, debounceByKey, resources } from 'rx-informer';
 *
 * const slices = createInformer(createClient(), resources.discovery.v1.endpointslices);
 * slices.change$.pipe(debounceByKey({ dueMs: 100, maxWaitMs: 1_000 })).subscribe(({ events }) => console.log(events.length));
 * ```
 */
export function debounceByKey<T>(options: DebounceByKeyOptions): MonoTypeOperatorFunction<ResourceChange<T>> {
  const duration = rules.required(rules.durationMs);
  checkOptions('debounceByKey', options, { dueMs: duration, maxWaitMs: duration, scheduler: rules.scheduler });
  const { dueMs, maxWaitMs } = options;
  expectArgument('debounceByKey', 'maxWaitMs', maxWaitMs, {
    expected: `a number of milliseconds >= \`dueMs\` (${dueMs})`,
    holds: () => maxWaitMs >= dueMs,
  });
  const scheduler = schedulerOf(options.scheduler);
  return (source) =>
    new Observable((subscriber) => {
      const debouncer = new Debouncer(subscriber, { dueMs, maxWaitMs, scheduler });
      subscriber.add(() => debouncer.drop());
      follow(source.pipe(changesOnly('debounceByKey')), subscriber, {
        next: (change) => debouncer.take(change),
        complete: () => {
          debouncer.releaseAll();
          subscriber.complete();
        },
      });
    });
}
