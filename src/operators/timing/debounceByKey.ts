import { type MonoTypeOperatorFunction, Observable, type SchedulerLike, type Subscriber, Subscription } from 'rxjs';
import type { ObjectEvent, ResourceChange } from '../../api/events.js';
import { checkOptions, type Complete, expectArgument, rules } from '../../api/options.js';
import { NetEvents } from '../../delta/buffers/eventBuffer.js';
import { follow } from '../../rx/trampoline.js';
import { schedulerOf } from '../../rx/schedulerOf.js';
import { changesOnly, changeWith, isBoundary } from '../changes/changeOrEvent.js';

/** Schedules `work` after `ms` milliseconds; never for `Infinity`. */
export function after(scheduler: SchedulerLike, ms: number, work: () => void): Subscription {
  return ms === Infinity ? Subscription.EMPTY : scheduler.schedule(work, Math.max(0, ms));
}

/** Options of `debounceByKey`. */
export interface DebounceByKeyOptions {
  /** How long an object must not change before its newest state is emitted, in milliseconds. */
  readonly dueMs: number;
  /** The longest delay of an object that keeps changing, in milliseconds; at least `dueMs`, `Infinity` for no limit. */
  readonly maxWaitMs: number;
  /** @defaultValue real time, on a monotonic clock */
  readonly scheduler?: SchedulerLike | undefined;
}

interface Waiting<T> {
  readonly events: NetEvents<T>;
  /** The timers of `maxWaitMs`, which changes do not reset, and of `dueMs`. */
  readonly timers: Subscription;
  quiet: Subscription | undefined;
  cause: ResourceChange<T>['cause'];
}

class Debouncer<T> {
  private readonly waiting = new Map<string, Waiting<T>>();
  private readonly subscriber: Subscriber<ResourceChange<T>>;
  private readonly options: Complete<DebounceByKeyOptions>;
  private synced = false;

  constructor(subscriber: Subscriber<ResourceChange<T>>, options: Complete<DebounceByKeyOptions>) {
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
    for (const { timers } of this.waiting.values()) timers.unsubscribe();
    this.waiting.clear();
  }

  private emitWith(change: ResourceChange<T>): void {
    const net = new NetEvents<T>();
    for (const { events } of this.waiting.values()) net.add(events.take());
    this.drop();
    net.add(change.events);
    this.subscriber.next({ ...change, events: net.take() });
  }

  private hold(event: ObjectEvent<T>, cause: ResourceChange<T>['cause']): void {
    const { key } = event;
    const { dueMs, maxWaitMs, scheduler } = this.options;
    const before = this.waiting.get(key);
    const waiting: Waiting<T> = before ?? { events: new NetEvents<T>(), timers: new Subscription(), quiet: undefined, cause };
    // Any other cause is more specific than `resync`.
    if (cause !== 'resync') waiting.cause = cause;
    waiting.events.add([event]);
    this.waiting.set(key, waiting);
    // A scheduler may release it at once.
    const release = (): void => this.release(key);
    if (before === undefined) waiting.timers.add(after(scheduler, maxWaitMs, release));
    waiting.quiet?.unsubscribe();
    waiting.quiet = after(scheduler, dueMs, release);
    waiting.timers.add(waiting.quiet);
  }

  private release(key: string): void {
    const waiting = this.waiting.get(key);
    if (waiting === undefined) return;
    this.waiting.delete(key);
    waiting.timers.unsubscribe();
    const change = changeWith({ cause: waiting.cause, events: [], synced: this.synced }, waiting.events.take());
    if (change !== undefined) this.subscriber.next(change);
  }
}

/**
 * Debounces each object: emits its newest state after it has not changed for `dueMs`, or after `maxWaitMs` while it keeps changing.
 *
 * ```text
 * source                                       {+a}-{~a}----------{~a}-{~a}-{~a}-{~a}-
 * debounceByKey({ dueMs: 5, maxWaitMs: 10 })   ----------{+a}---------------{~a}------
 * ```
 *
 * - Each object is emitted as a change of its own, without a version. Its changes are merged as by `conflateByKey`; an object added and deleted
 *   meanwhile is not emitted.
 * - A snapshot or a list is emitted at once, as one change together with everything held back.
 * - Completion emits everything held back, then completes; an error is passed on at once.
 * - It takes changes only. The result fails with a TypeError at the first value that is not a change.
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
