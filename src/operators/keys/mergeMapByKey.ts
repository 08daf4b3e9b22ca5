import { defer, Observable, type ObservableInput, type OperatorFunction, type Subscriber } from 'rxjs';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import { createFifo, type Fifo } from '../../delta/buffers/fifo.js';
import { follow } from '../../rx/follow.js';
import type { ObjectEvent } from './groupByKey.js';

/**
 * Options of `mergeMapByKey`.
 */
export interface MergeMapByKeyOptions {
  /**
   * How many pieces of work may run at once, at least 1.
   *
   * @defaultValue Infinity
   */
  readonly concurrency?: number;
}

/** Begins the work for an event, and calls `done` at its end. */
type Run<T> = (event: ObjectEvent<T>, done: () => void) => void;

/** The events of each key, and the work under way. */
class KeyedWork<T> {
  private readonly subscriber: Subscriber<never>;
  private readonly run: Run<T>;
  private readonly concurrency: number;
  /** What each busy key has to do, besides the event at work. */
  private readonly queues = new Map<string, Fifo<ObjectEvent<T>>>();
  /** What may begin once there is room: one event of each key at most. */
  private readonly ready = createFifo<ObjectEvent<T>>();
  private running = 0;
  private beginning = false;
  private sourceIsDone = false;

  constructor(subscriber: Subscriber<never>, run: Run<T>, concurrency: number) {
    this.subscriber = subscriber;
    this.run = run;
    this.concurrency = concurrency;
  }

  add(event: ObjectEvent<T>): void {
    const queue = this.queues.get(event.key);
    if (queue !== undefined) {
      queue.push(event);
      return;
    }
    this.queues.set(event.key, createFifo());
    this.ready.push(event);
    this.begin();
  }

  complete(): void {
    this.sourceIsDone = true;
    this.begin();
  }

  /** A loop, since work may be done at once: a long queue would overflow the stack otherwise. */
  private begin(): void {
    if (this.beginning) return;
    this.beginning = true;
    while (this.running < this.concurrency && !this.subscriber.closed) {
      const event = this.ready.shift();
      if (event === undefined) break;
      this.running += 1;
      this.run(event, () => this.advance(event.key));
    }
    this.beginning = false;
    if (this.sourceIsDone && this.queues.size === 0) this.subscriber.complete();
  }

  private advance(key: string): void {
    this.running -= 1;
    const next = this.queues.get(key)?.shift();
    if (next === undefined) this.queues.delete(key);
    else this.ready.push(next);
    this.begin();
  }
}

/**
 * Runs asynchronous work for each event: in order and one at a time for each key, at the same time for different keys.
 *
 * ```text
 * source           +a  ~a  +b
 * mergeMapByKey    A------A'------      the work for ~a waits for that of +a
 *                          B------      the work for +b does not
 * ```
 *
 * Events that wait are kept and none is skipped: a reconciler that only needs the newest state is better served by `reconcile`. Boundaries are
 * left out. An error of the work, or of the source, ends the result and the work under way; the source's completion waits for the work.
 *
 * @throws TypeError when `concurrency` is below 1.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { mergeMapByKey } from 'rx-informer/pipeline';
 *
 * declare function notify(key: string): Promise<void>;
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * pods.resource$.pipe(mergeMapByKey((event) => notify(event.key), { concurrency: 4 })).subscribe();
 * ```
 */
export function mergeMapByKey<T, R>(
  work: (event: ObjectEvent<T>) => ObservableInput<R>,
  options: MergeMapByKeyOptions = {},
): OperatorFunction<ResourceEvent<T>, R> {
  const { concurrency = Infinity } = options;
  if (!(concurrency >= 1)) throw new TypeError(`Expected \`concurrency\` to be at least 1, got ${String(concurrency)}`);
  return (source) =>
    new Observable((subscriber) => {
      const error = (failure: unknown): void => subscriber.error(failure);
      const next = (value: R): void => subscriber.next(value);
      const run: Run<T> = (event, complete) => {
        follow(
          defer(() => work(event)),
          subscriber,
          { next, error, complete },
        );
      };
      const keyed = new KeyedWork(subscriber, run, concurrency);
      follow(source, subscriber, {
        next: (event) => {
          if (event.type !== 'synced') keyed.add(event);
        },
        error,
        complete: () => keyed.complete(),
      });
    });
}
