import { from, Observable, type ObservableInput, type SchedulerLike, type Subscriber } from 'rxjs';
import type { InformerError } from '../api/informerError.js';
import type { ResourceEvent } from '../api/resourceEvent.js';
import type { Indexer } from '../cache/indexer.js';
import { checkBufferOptions } from '../delta/createEventBuffer.js';
import { checkSliceMs } from '../delta/worker.js';
import { workThrough } from '../delta/workThrough.js';
import { type Activity, isPromiseLike } from './activity.js';
import type { EventsOptions, ProcessOptions } from './consumerOptions.js';
import { handlerError } from './handlerError.js';
import { checkResyncPeriod, type ResyncClock } from './resyncClock.js';
import { resyncEvents } from './resyncEvents.js';

/**
 * The ways to consume the events of an informer.
 */
export interface Consumers<T> {
  readonly resource$: Observable<ResourceEvent<T>>;
  events(options: EventsOptions): Observable<ResourceEvent<T>>;
  process<R>(work: (event: ResourceEvent<T>) => ObservableInput<R>, options: ProcessOptions): Observable<R>;
}

/**
 * What they have to know of the informer.
 */
export interface ConsumersOptions<T> {
  readonly event$: Observable<ResourceEvent<T>>;
  readonly indexer: Indexer<T>;
  readonly scheduler: SchedulerLike;
  readonly clock: ResyncClock;
  readonly activity: Activity;
  readonly hasSynced: () => boolean;
  readonly report: (error: InformerError) => void;
}

const defaultSliceMs = 10;

export function createConsumers<T>({ event$, indexer, scheduler, clock, activity, hasSynced, report }: ConsumersOptions<T>): Consumers<T> {
  const withResync = (periodMs: number | undefined): Observable<ResourceEvent<T>> =>
    new Observable((subscriber) => {
      subscriber.add(event$.subscribe(subscriber));
      if (subscriber.closed) return;
      const resync = (): void => {
        if (!hasSynced()) return;
        for (const event of resyncEvents(indexer)) {
          if (subscriber.closed) return;
          subscriber.next(event);
        }
      };
      subscriber.add(clock.join(periodMs, resync));
    });

  return {
    resource$: withResync(undefined),
    events: ({ sliceMs = defaultSliceMs, resyncPeriodMs }) => {
      checkSliceMs(sliceMs);
      checkResyncPeriod(resyncPeriodMs);
      return withResync(resyncPeriodMs).pipe(
        workThrough<T, ResourceEvent<T>>({ store: indexer, sliceMs, scheduler }, (event, subscriber, done) => {
          subscriber.next(event);
          done();
        }),
      );
    },
    process: <R>(work: (event: ResourceEvent<T>) => ObservableInput<R>, { resyncPeriodMs, ...options }: ProcessOptions) => {
      if (typeof work !== 'function') throw new TypeError(`Expected \`work\` to be a function, got ${typeof work}`);
      checkSliceMs(options.sliceMs);
      checkBufferOptions(options);
      checkResyncPeriod(resyncPeriodMs);
      const run = (event: ResourceEvent<T>, subscriber: Subscriber<R>, done: () => void): void => {
        const fail = (error: unknown): void => {
          report(handlerError('The work', error, event));
          done();
        };
        try {
          const result = work(event);
          if (isPromiseLike(result)) activity.track(result);
          subscriber.add(from(result).subscribe({ next: (value) => subscriber.next(value), error: fail, complete: done }));
        } catch (error) {
          fail(error);
        }
      };
      return withResync(resyncPeriodMs).pipe(workThrough<T, R>({ ...options, store: indexer, scheduler }, run));
    },
  };
}
