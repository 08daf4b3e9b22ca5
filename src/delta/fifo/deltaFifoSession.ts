import { defer, type ObservableInput, type Subscriber, timer } from 'rxjs';
import { InformerError } from '../../api/errors/informerError.js';
import { messageOf } from '../../api/errors/messageOf.js';
import type { SourceEvent } from '../../api/events/sourceEvent.js';
import { follow } from '../../rx/follow.js';
import { schedulerOf } from '../../rx/schedulerOf.js';
import { createObjectIntake } from '../index/objectIntake.js';
import type { DeltaFifoOptions } from './deltaFifoOptions.js';
import { DeltaIntake } from './deltaIntake.js';
import type { DeltaProcessor, ListBoundary, ProcessContext } from './deltaProcessor.js';
import { DeltaQueue, type QueuedItem } from './deltaQueue.js';
import { RequeueError } from './requeueError.js';

/** The end of a list: its place in the queue, and how many keys come before it and after the ends of earlier lists. */
interface WaitingBoundary {
  readonly boundary: ListBoundary;
  readonly place: number;
  remaining: number;
}

/** Why something ended, if not well. */
interface Failure {
  readonly error: unknown;
}

/**
 * One subscription of `deltaFifo`: what comes in goes to the queue, and what the queue has goes through the process, as many items at once as may.
 *
 * Everything is begun in one loop, so that neither a process that is done at once nor a source that it causes to emit can nest.
 */
export class DeltaFifoSession<T, R> {
  private readonly subscriber: Subscriber<R>;
  // eslint-disable-next-line rxjs-x/finnish -- it is a function
  private readonly processor: DeltaProcessor<T, R>;
  private readonly options: DeltaFifoOptions<T>;
  private readonly resource: string;
  private readonly queue: DeltaQueue<T>;
  private readonly intake: DeltaIntake<T>;
  /** What has been handed to a process that does not say what it knows. */
  private readonly taken: Map<string, T> | undefined;
  private readonly problems: InformerError[] = [];
  private readonly boundaries: WaitingBoundary[] = [];
  private active = 0;
  /** Whether the end of a list is being told: nothing else is begun meanwhile. */
  private atBoundary = false;
  private running = false;
  private ending = false;
  /** Whether the first lists have been processed whole. */
  private synced = false;

  constructor(subscriber: Subscriber<R>, process: DeltaProcessor<T, R>, options: DeltaFifoOptions<T>) {
    const { keyFunc, resource = 'objects', compress = 'duplicateDeletes', scopes } = options;
    const taken = new Map<string, T>();
    const knownObjects = options.knownObjects ?? process.knownObjects;
    const objects = createObjectIntake<T, T>({ keyFunc, resource, onError: (error) => this.problems.push(error) });
    this.subscriber = subscriber;
    this.processor = process;
    this.options = options;
    this.resource = resource;
    this.taken = knownObjects === undefined ? taken : undefined;
    this.queue = new DeltaQueue<T>({
      compress,
      knownObjects: knownObjects ?? { listKeys: () => [...taken.keys()], getByKey: (key) => taken.get(key) },
      onUnreadable: (key, error) => {
        objects.report('ERR_KEY', `The known object of ${resource} ${JSON.stringify(key)} could not be read`, error, key);
      },
    });
    this.intake = new DeltaIntake(this.queue, (...given) => objects.keyOf(...given), scopes);
  }

  accept(event: SourceEvent<T>): void {
    const { boundaries, queue } = this;
    const boundary = this.intake.accept(event);
    if (boundary !== undefined) {
      const earlier = boundaries.reduce((sum, { remaining }) => sum + remaining, 0);
      boundaries.push({ boundary, place: queue.nextPlace, remaining: queue.size - earlier });
    }
    this.goOn();
  }

  /** Queues every known object anew. Before the first list, nobody has been told of any. */
  resync(): void {
    if (!this.synced) return;
    this.queue.pushKnown();
    this.goOn();
  }

  /** Nothing will be queued any more: completes when everything has been processed. */
  end(): void {
    this.ending = true;
    this.run();
  }

  private goOn(): void {
    for (const problem of this.problems.splice(0)) this.tell(problem, true);
    this.run();
  }

  /** @param lost - false for an item that will be tried again. */
  private tell(error: InformerError, lost: boolean): void {
    const { onError } = this.options;
    try {
      if (onError !== undefined) onError(error);
      else if (lost) this.subscriber.error(error);
    } catch (thrown) {
      this.subscriber.error(thrown);
    }
  }

  private run(): void {
    if (this.running) return;
    this.running = true;
    while (!this.subscriber.closed && this.beginNext());
    this.running = false;
    this.rest();
  }

  private beginNext(): boolean {
    const [next] = this.boundaries;
    if (this.atBoundary) return false;
    if (next?.remaining === 0) {
      if (this.active > 0) return false;
      this.boundaries.shift();
      this.beginBoundary(next.boundary);
      return true;
    }
    const item = this.active < (this.options.concurrent ?? 1) ? this.queue.take(next?.place) : undefined;
    if (item === undefined) return false;
    if (next !== undefined) next.remaining -= 1;
    this.beginItem(item);
    return true;
  }

  private beginBoundary(boundary: ListBoundary): void {
    if (boundary.synced) this.synced = true;
    this.atBoundary = true;
    this.begin(
      () => this.processor.listed?.(boundary),
      (failure) => {
        this.atBoundary = false;
        if (failure !== undefined) this.fail(failure.error, true);
      },
    );
  }

  private beginItem({ key, deltas }: QueuedItem<T>): void {
    const isInInitialList = !this.synced;
    const reports: InformerError[] = [];
    const afterwards: (() => void)[] = [];
    const context: ProcessContext = { report: (error) => reports.push(error), after: (action) => afterwards.push(action) };
    const { processor, taken } = this;
    const newest = deltas.at(-1);
    if (newest === undefined || newest.type === 'Deleted') taken?.delete(key);
    else taken?.set(key, newest.object);
    this.begin(
      () => processor(deltas, isInInitialList, context),
      (failure) => {
        for (const action of afterwards) action();
        for (const error of reports) this.tell(error, true);
        if (failure === undefined) this.queue.done(key);
        else this.itemFailed({ key, deltas }, failure.error);
      },
    );
  }

  private itemFailed(item: QueuedItem<T>, error: unknown): void {
    const { queue } = this;
    const again = this.options.retryOnError === true || error instanceof RequeueError;
    if (again && queue.putBack(item)) this.hold(item.key);
    else queue.done(item.key);
    const cause = error instanceof RequeueError ? error.cause : error;
    if (!again || cause !== undefined) this.fail(cause, !again, item.key);
  }

  /** An item that came back counts as being at work until its time has come: nobody takes it. */
  private hold(key: string): void {
    const { retryDelayMs = 1_000, scheduler } = this.options;
    follow(timer(retryDelayMs, schedulerOf(scheduler)), this.subscriber, {
      complete: () => {
        this.queue.done(key);
        this.run();
      },
    });
  }

  private fail(cause: unknown, lost: boolean, key?: string): void {
    const { resource } = this;
    const what = key === undefined ? `a list of ${resource}` : `${resource} ${JSON.stringify(key)}`;
    const message = `Processing ${what} failed: ${messageOf(cause)}`;
    this.tell(new InformerError({ code: 'ERR_HANDLER', message, cause, resource, key }), lost);
  }

  private begin(work: () => ObservableInput<R> | void, onEnd: (failure?: Failure) => void): void {
    const { subscriber } = this;
    const end = (failure?: Failure): void => {
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
    const output$ = defer(() => output);
    follow(output$, subscriber, {
      next: (value) => subscriber.next(value),
      error: (error: unknown) => end({ error }),
      complete: () => end(),
    });
  }

  private rest(): void {
    if (this.active > 0 || this.queue.size > 0 || this.boundaries.length > 0 || this.subscriber.closed) return;
    try {
      if (this.intake.hasAdvanced) {
        this.intake.hasAdvanced = false;
        this.processor.caughtUp?.(this.intake.resourceVersion);
      }
    } catch (error) {
      this.fail(error, true);
    }
    if (this.ending) this.subscriber.complete();
  }
}
