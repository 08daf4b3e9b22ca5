import { defer, Observable, type ObservableInput, type OperatorFunction, type SchedulerLike } from 'rxjs';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import { revisionOf } from '../../cache/store/storeRevision.js';
import type { BufferOptions } from '../../delta/buffers/bufferOptions.js';
import { checkBufferOptions, createEventBuffer } from '../../delta/buffers/createEventBuffer.js';
import { follow } from '../../rx/follow.js';
import type { StoreContent } from '../../delta/share/storeContent.js';
import { checkSliceMs, Worker } from '../../delta/buffers/worker.js';
import { overflowError } from '../../delta/buffers/workThrough.js';

/**
 * Options of `processEvents`.
 */
export interface ProcessEventsOptions extends BufferOptions {
  /** For how many milliseconds work that is done at once goes on at a stretch; then the event loop has its turn. Without a bound by default. */
  readonly sliceMs?: number | undefined;
  /** @defaultValue `asyncScheduler` */
  readonly scheduler?: SchedulerLike | undefined;
}

/** What the events so far add up to: the truth for a consumer that has missed some. */
class FoldedContent<T> implements StoreContent<T> {
  private readonly objects = new Map<string, T>();
  private version = '';

  apply(event: ResourceEvent<T>): void {
    revisionOf(this).value += 1;
    if (event.type === 'synced') this.version = event.resourceVersion;
    else if (event.type === 'deleted') this.objects.delete(event.key);
    else this.objects.set(event.key, event.object);
  }

  getByKey(key: string): T | undefined {
    return this.objects.get(key);
  }

  listKeys(): string[] {
    return [...this.objects.keys()];
  }

  lastStoreSyncResourceVersion(): string {
    return this.version;
  }
}

/**
 * Runs asynchronous work for each event, one at a time; `buffer` says what becomes of events that come meanwhile.
 *
 * ```text
 * source                                        +a--~a--~a--+b-|
 * work                                          A-----|
 * processEvents(work)                           A-----A'----A''---B-----|
 * processEvents(work, { buffer: 'conflate' })   A-----A''---B-----|      one wait of ~a and ~a
 * ```
 *
 * - It is what `process` of an informer is, for events that have come through other operators. There, a failure is reported and the next event
 *   follows; here, an error of the work ends the result, as with `concatMap`.
 * - The source's completion waits for the work; its error does not.
 *
 * @throws TypeError when an option is wrong. The result fails with `ERR_OVERFLOW` when `buffer` is `'error'` and there is no room.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, filterObjects, resources } from 'rx-informer';
 * import { processEvents } from 'rx-informer/pipeline';
 *
 * declare function page(name: string): Promise<void>;
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * const failed = pods.resource$.pipe(filterObjects((pod) => pod.status?.phase === 'Failed'));
 * failed.pipe(processEvents((event) => (event.type === 'added' ? page(event.key) : []), { buffer: 'conflate' })).subscribe();
 * ```
 */
export function processEvents<T, R>(
  work: (event: ResourceEvent<T>) => ObservableInput<R>,
  options: ProcessEventsOptions = {},
): OperatorFunction<ResourceEvent<T>, R> {
  const { sliceMs, scheduler, ...buffering } = options;
  checkSliceMs(sliceMs);
  checkBufferOptions(buffering);
  return (source) =>
    new Observable((subscriber) => {
      const content = new FoldedContent<T>();
      let busy = false;
      let sourceIsDone = false;
      const error = (failure: unknown): void => subscriber.error(failure);
      const settle = (): void => {
        if (sourceIsDone && !busy && worker.waiting() === 0) subscriber.complete();
      };
      const run = (event: ResourceEvent<T>, done: () => void): void => {
        busy = true;
        const complete = (): void => {
          busy = false;
          done();
          settle();
        };
        follow(
          defer(() => work(event)),
          subscriber,
          { next: (value) => subscriber.next(value), error, complete },
        );
      };
      const buffer = createEventBuffer(buffering, content);
      const worker = new Worker<T>({ buffer, run, onOverflow: () => error(overflowError('The work')), sliceMs, scheduler });
      subscriber.add(() => worker.stop());
      follow(source, subscriber, {
        next: (event) => {
          content.apply(event);
          worker.push(event);
        },
        error,
        complete: () => {
          sourceIsDone = true;
          settle();
        },
      });
    });
}
