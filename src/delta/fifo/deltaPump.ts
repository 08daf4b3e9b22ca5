import { defer, type ObservableInput, type SchedulerLike, type Subscriber, timer } from 'rxjs';
import { InformerError } from '../../api/errors/informerError.js';
import { messageOf } from '../../api/errors/messageOf.js';
import type { ListBoundary, ProcessContext } from './deltaProcessor.js';
import type { DeltaQueue, QueuedItem } from './deltaQueue.js';
import { follow } from '../../rx/follow.js';
import { RequeueError } from './requeueError.js';

/** What a pump is made of. */
interface DeltaPumpOptions<T, R> {
  readonly queue: DeltaQueue<T>;
  readonly subscriber: Subscriber<R>;
  process(item: QueuedItem<T>, isInInitialList: boolean, context: ProcessContext): ObservableInput<R> | void;
  /** All of a list has been processed. */
  listed(boundary: ListBoundary): ObservableInput<R> | void;
  /** Nothing waits. */
  caughtUp(): void;
  /** Told of what went wrong, when the item it belongs to is over. Must not throw. `lost` is false for an item that will be tried again. */
  onError(error: InformerError, lost: boolean): void;
  readonly concurrent: number;
  readonly retryOnError: boolean;
  readonly retryDelayMs: number;
  readonly scheduler: SchedulerLike;
  readonly resource: string;
}

/** The end of a list: its place in the queue, and how many keys come before it and after the ends of earlier lists. */
interface WaitingBoundary {
  readonly boundary: ListBoundary;
  readonly place: number;
  remaining: number;
}

/**
 * Takes items from a queue and has them processed, as many at once as it may.
 *
 * Everything is begun in one loop, so that neither a process that is done at once nor a source that it causes to emit can nest.
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

  constructor(options: DeltaPumpOptions<T, R>) {
    this.options = options;
  }

  /** Takes note that a list ends behind what is queued now. */
  mark(boundary: ListBoundary): void {
    const { nextPlace: place, size } = this.options.queue;
    const earlier = this.boundaries.reduce((sum, { remaining }) => sum + remaining, 0);
    this.boundaries.push({ boundary, place, remaining: size - earlier });
  }

  /** Nothing will be queued any more: completes when everything has been processed. */
  end(): void {
    this.ending = true;
    this.run();
  }

  /** Begins whatever can be begun. */
  run(): void {
    if (this.running) return;
    this.running = true;
    while (!this.options.subscriber.closed && this.beginNext());
    this.running = false;
    this.rest();
  }

  private beginNext(): boolean {
    const { queue, concurrent } = this.options;
    const [next] = this.boundaries;
    if (this.atBoundary) return false;
    if (next?.remaining === 0) {
      if (this.active > 0) return false;
      this.boundaries.shift();
      this.beginBoundary(next.boundary);
      return true;
    }
    const item = this.active < concurrent ? queue.take(next?.place) : undefined;
    if (item === undefined) return false;
    if (next !== undefined) next.remaining -= 1;
    this.beginItem(item);
    return true;
  }

  private beginBoundary(boundary: ListBoundary): void {
    if (boundary.synced) this.synced = true;
    this.atBoundary = true;
    this.begin(
      () => this.options.listed(boundary),
      (failure) => {
        this.atBoundary = false;
        if (failure !== undefined) this.fail(failure.error, true);
      },
    );
  }

  private beginItem(item: QueuedItem<T>): void {
    const { options } = this;
    const isInInitialList = !this.synced;
    const reports: InformerError[] = [];
    const afterwards: (() => void)[] = [];
    const context: ProcessContext = { report: (error) => reports.push(error), after: (action) => afterwards.push(action) };
    this.begin(
      () => options.process(item, isInInitialList, context),
      (failure) => {
        for (const action of afterwards) action();
        for (const error of reports) options.onError(error, true);
        if (failure === undefined) options.queue.done(item.key);
        else this.itemFailed(item, failure.error);
      },
    );
  }

  private itemFailed(item: QueuedItem<T>, error: unknown): void {
    const { queue, retryOnError } = this.options;
    const again = retryOnError || error instanceof RequeueError;
    if (again && queue.putBack(item)) this.hold(item.key);
    else queue.done(item.key);
    const cause = error instanceof RequeueError ? error.cause : error;
    if (!again || cause !== undefined) this.fail(cause, !again, item.key);
  }

  /** An item that came back counts as being at work until its time has come: nobody takes it. */
  private hold(key: string): void {
    const { queue, retryDelayMs, scheduler, subscriber } = this.options;
    follow(timer(retryDelayMs, scheduler), subscriber, {
      complete: () => {
        queue.done(key);
        this.run();
      },
    });
  }

  private fail(cause: unknown, lost: boolean, key?: string): void {
    const { resource } = this.options;
    const what = key === undefined ? `a list of ${resource}` : `${resource} ${JSON.stringify(key)}`;
    const message = `Processing ${what} failed: ${messageOf(cause)}`;
    this.options.onError(new InformerError({ code: 'ERR_HANDLER', message, cause, resource, key }), lost);
  }

  private begin(work: () => ObservableInput<R> | void, onEnd: (failure?: { readonly error: unknown }) => void): void {
    const { subscriber } = this.options;
    const end = (failure?: { readonly error: unknown }): void => {
      if (subscriber.closed) return;
      this.active -= 1;
      onEnd(failure);
      this.run();
    };
    let result: ObservableInput<R> | void;
    this.active += 1;
    try {
      result = work();
    } catch (error) {
      end({ error });
      return;
    }
    if (result === undefined || Array.isArray(result)) {
      for (const value of (result ?? []) as readonly R[]) if (!subscriber.closed) subscriber.next(value);
      end();
      return;
    }
    const output = result;
    follow(
      defer(() => output),
      subscriber,
      {
        next: (value) => subscriber.next(value),
        error: (error: unknown) => end({ error }),
        complete: () => end(),
      },
    );
  }

  private rest(): void {
    const { queue, subscriber } = this.options;
    if (this.active > 0 || queue.size > 0 || this.boundaries.length > 0 || subscriber.closed) return;
    try {
      this.options.caughtUp();
    } catch (error) {
      this.fail(error, true);
    }
    if (this.ending) subscriber.complete();
  }
}
