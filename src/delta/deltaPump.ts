import { defer, EMPTY, from, type ObservableInput, type SchedulerLike, type Subscriber, takeWhile, timer } from 'rxjs';
import { InformerError } from '../api/informerError.js';
import { messageOf } from '../cache/messageOf.js';
import type { DeltaProcessor, ListBoundary } from './deltaProcessor.js';
import type { DeltaQueue, QueuedItem } from './deltaQueue.js';
import { RequeueError } from './requeueError.js';

/**
 * What a pump is made of.
 */
export interface DeltaPumpOptions<T, R> {
  readonly queue: DeltaQueue<T>;
  readonly process: DeltaProcessor<T, R>;
  readonly subscriber: Subscriber<R>;
  /** Takes note of an item that is about to be processed. */
  readonly onTake: (item: QueuedItem<T>) => void;
  /** Told of what went wrong, when the item it belongs to is over. Must not throw. `lost` is false for an item that will be tried again. */
  readonly onError: (error: InformerError, lost: boolean) => void;
  /** The version up to which everything has been queued. */
  readonly reached: () => string;
  readonly concurrency: number;
  readonly retryOnError: boolean;
  readonly retryDelayMs: number;
  readonly scheduler: SchedulerLike;
  readonly resource: string;
}

/** The end of a list, and how many keys of the queue come before it and after the ends of earlier lists. */
interface WaitingBoundary {
  readonly boundary: ListBoundary;
  remaining: number;
}

/**
 * Takes items from a queue and has them processed, as many at once as it may.
 *
 * Everything happens in one loop, so that neither a process that is done at once nor a source that it causes to emit can nest.
 */
export class DeltaPump<T, R> {
  /** Whether the first lists have been processed whole. */
  synced = false;
  private readonly options: DeltaPumpOptions<T, R>;
  private readonly boundaries: WaitingBoundary[] = [];
  private active = 0;
  /** Whether the end of a list is being told: nothing else is begun meanwhile. */
  private atBoundary = false;
  private running = false;
  private ending = false;
  private caughtUpWith = '';

  constructor(options: DeltaPumpOptions<T, R>) {
    this.options = options;
  }

  /** Takes note that a list ends behind what is queued now. */
  mark(boundary: ListBoundary): void {
    const earlier = this.boundaries.reduce((sum, { remaining }) => sum + remaining, 0);
    this.boundaries.push({ boundary, remaining: this.options.queue.size - earlier });
  }

  /** Nothing will be queued any more: completes when everything has been processed. */
  end(): void {
    this.ending = true;
    this.run();
  }

  /** Starts whatever can be started. */
  run(): void {
    if (this.running) return;
    this.running = true;
    while (!this.options.subscriber.closed && this.startNext());
    this.running = false;
    this.rest();
  }

  private startNext(): boolean {
    const { queue, concurrency } = this.options;
    const [next] = this.boundaries;
    if (this.atBoundary) return false;
    if (next?.remaining === 0) {
      if (this.active > 0) return false;
      this.boundaries.shift();
      this.startBoundary(next.boundary);
      return true;
    }
    const item = this.active < concurrency ? queue.take(next?.remaining) : undefined;
    if (item === undefined) return false;
    if (next !== undefined) next.remaining -= 1;
    this.startItem(item);
    return true;
  }

  private startBoundary(boundary: ListBoundary): void {
    if (boundary.synced) this.synced = true;
    this.atBoundary = true;
    this.start(
      () => this.options.process.listed?.(boundary),
      (error) => {
        this.atBoundary = false;
        this.fail(error, true);
      },
      () => {
        this.atBoundary = false;
      },
    );
  }

  private startItem(item: QueuedItem<T>): void {
    const { queue, process, onTake, onError } = this.options;
    const isInInitialList = !this.synced;
    const reports: InformerError[] = [];
    const report = (error: InformerError): void => {
      reports.push(error);
    };
    const finish = (): void => {
      for (const error of reports) onError(error, true);
    };
    onTake(item);
    this.start(
      () => process(item.deltas, isInInitialList, { report }),
      (error) => {
        finish();
        this.itemFailed(item, error);
      },
      () => {
        queue.done(item.key);
        finish();
      },
    );
  }

  private itemFailed(item: QueuedItem<T>, error: unknown): void {
    const { queue, retryOnError } = this.options;
    const again = retryOnError || error instanceof RequeueError;
    if (again && queue.putBack(item)) this.rearm(item.key);
    else queue.done(item.key);
    const cause = error instanceof RequeueError ? error.cause : error;
    if (!again || cause !== undefined) this.fail(cause, !again, item.key);
  }

  /** An item that came back is at work until its time has come, so that nobody takes it. */
  private rearm(key: string): void {
    const { queue, retryDelayMs, scheduler, subscriber } = this.options;
    const waiting = timer(retryDelayMs, scheduler).subscribe(() => {
      queue.done(key);
      this.run();
    });
    subscriber.add(waiting);
  }

  private fail(cause: unknown, lost: boolean, key?: string): void {
    const { resource, onError } = this.options;
    const what = key === undefined ? `a list of ${resource}` : `${resource} ${JSON.stringify(key)}`;
    onError(new InformerError({ code: 'ERR_HANDLER', message: `Processing ${what} failed: ${messageOf(cause)}`, cause, resource, key }), lost);
  }

  private start(work: () => ObservableInput<R> | void, onError: (error: unknown) => void, onComplete: () => void): void {
    const { subscriber } = this.options;
    this.active += 1;
    const over = (then: () => void): void => {
      if (subscriber.closed) return;
      this.active -= 1;
      then();
      this.run();
    };
    const output = defer(() => {
      const result = work();
      return result === undefined ? EMPTY : from(result);
    }).pipe(takeWhile(() => !subscriber.closed));
    subscriber.add(
      output.subscribe({
        next: (value) => subscriber.next(value),
        error: (error: unknown) => over(() => onError(error)),
        complete: () => over(onComplete),
      }),
    );
  }

  private rest(): void {
    const { queue, process, reached, subscriber } = this.options;
    if (this.active > 0 || queue.size > 0 || this.boundaries.length > 0 || subscriber.closed) return;
    const resourceVersion = reached();
    if (resourceVersion !== this.caughtUpWith) {
      this.caughtUpWith = resourceVersion;
      try {
        process.caughtUp?.(resourceVersion);
      } catch (error) {
        this.fail(error, true);
      }
    }
    if (this.ending) subscriber.complete();
  }
}
