import {
  asyncScheduler,
  Observable,
  type MonoTypeOperatorFunction,
  type SchedulerLike,
  type Subscriber,
  type Subscription,
  timer,
} from 'rxjs';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import { createConflatingBuffer } from '../../delta/buffers/conflatingBuffer.js';
import type { EventBuffer } from '../../delta/buffers/eventBuffer.js';
import type { ObjectEvent } from '../keys/groupByKey.js';

/**
 * Options of `debounceByKey`.
 */
export interface DebounceByKeyOptions {
  /** How long an object must be quiet before its newest state is told, in milliseconds; at least 0. */
  readonly dueMs: number;
  /** How long a busy object is held back at most, in milliseconds; at least `dueMs`. */
  readonly maxWaitMs: number;
  /** @defaultValue `asyncScheduler` */
  readonly scheduler?: SchedulerLike;
}

/** What waits for one object. */
interface Waiting<T> {
  readonly buffer: EventBuffer<T>;
  /** The end of the longest wait; it stays as it is while events come. */
  readonly latest: Subscription;
  quiet: Subscription;
}

class Debouncer<T> {
  private readonly waiting = new Map<string, Waiting<T>>();
  private readonly subscriber: Subscriber<ResourceEvent<T>>;
  private readonly options: Required<DebounceByKeyOptions>;

  constructor(subscriber: Subscriber<ResourceEvent<T>>, options: Required<DebounceByKeyOptions>) {
    this.subscriber = subscriber;
    this.options = options;
  }

  hold(event: ObjectEvent<T>): void {
    const { key } = event;
    let waiting = this.waiting.get(key);
    if (waiting === undefined) {
      waiting = {
        buffer: createConflatingBuffer(),
        latest: this.after(this.options.maxWaitMs, key),
        quiet: this.after(this.options.dueMs, key),
      };
      this.waiting.set(key, waiting);
    } else {
      waiting.quiet.unsubscribe();
      waiting.quiet = this.after(this.options.dueMs, key);
    }
    waiting.buffer.push(event);
  }

  tellAll(): void {
    for (const key of [...this.waiting.keys()]) this.tell(key);
  }

  drop(): void {
    for (const waiting of this.waiting.values()) stop(waiting);
    this.waiting.clear();
  }

  private tell(key: string): void {
    const waiting = this.waiting.get(key);
    if (waiting === undefined) return;
    this.waiting.delete(key);
    stop(waiting);
    for (let event = waiting.buffer.shift(); event !== undefined; event = waiting.buffer.shift()) this.subscriber.next(event);
  }

  private after(ms: number, key: string): Subscription {
    return timer(ms, this.options.scheduler).subscribe({
      next: () => this.tell(key),
      error: (error: unknown) => this.subscriber.error(error),
    });
  }
}

function stop({ latest, quiet }: Waiting<unknown>): void {
  latest.unsubscribe();
  quiet.unsubscribe();
}

/**
 * Holds each object back until it has been quiet for a while, then tells its newest state; a busy one is told after the longest wait.
 *
 * ```text
 * source                                       +a--~a----------~a-~a-~a-~a-~a-
 * debounceByKey({ dueMs: 5, maxWaitMs: 10 })   ---------(+a)-------------(~a)-
 * ```
 *
 * - What waits for an object is merged as by `conflateByKey`; an object that came and went meanwhile is not told.
 * - `synced` tells everything that waits, then itself. So does completion; an error is passed on at once.
 *
 * @throws TypeError when a time is no number of milliseconds, or `maxWaitMs` is below `dueMs`.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, debounceByKey, resources } from 'rx-informer';
 *
 * const endpoints = createInformer(createClient(), resources.discovery.v1.endpointslices);
 * endpoints.resource$.pipe(debounceByKey({ dueMs: 100, maxWaitMs: 1_000 })).subscribe((event) => console.log(event.type));
 * ```
 */
export function debounceByKey<T>(options: DebounceByKeyOptions): MonoTypeOperatorFunction<ResourceEvent<T>> {
  const { dueMs, maxWaitMs, scheduler = asyncScheduler } = options;
  if (!(dueMs >= 0 && Number.isFinite(dueMs)))
    throw new TypeError(`Expected \`dueMs\` to be a number of milliseconds >= 0, got ${String(dueMs)}`);
  if (!(maxWaitMs >= dueMs && Number.isFinite(maxWaitMs))) {
    throw new TypeError(`Expected \`maxWaitMs\` to be a number of milliseconds >= \`dueMs\` (${String(dueMs)}), got ${String(maxWaitMs)}`);
  }
  return (source) =>
    new Observable((subscriber) => {
      const debouncer = new Debouncer(subscriber, { dueMs, maxWaitMs, scheduler });
      subscriber.add(() => debouncer.drop());
      subscriber.add(
        source.subscribe({
          next: (event) => {
            if (event.type !== 'synced') debouncer.hold(event);
            else {
              debouncer.tellAll();
              subscriber.next(event);
            }
          },
          error: (error: unknown) => subscriber.error(error),
          complete: () => {
            debouncer.tellAll();
            subscriber.complete();
          },
        }),
      );
    });
}
