import { from, Observable, type ObservableInput, type SchedulerLike, type Subscriber, tap } from 'rxjs';
import type { InformerError } from '../../api/errors/informerError.js';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import type { Indexer } from '../../cache/store/indexer.js';
import { checkBufferOptions } from '../../delta/buffers/createEventBuffer.js';
import { checkSliceMs } from '../../delta/buffers/worker.js';
import { workThrough } from '../../delta/buffers/workThrough.js';
import { type Activity, isPromiseLike } from '../session/activity.js';
import type { EventsOptions, ProcessOptions } from './consumerOptions.js';
import { handlerError } from './handlerError.js';
import type { Backlog, InformerTrace } from '../session/informerTrace.js';
import { checkResyncPeriod, type ResyncClock } from '../session/resyncClock.js';
import { resyncEvents } from '../session/resyncEvents.js';

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
  readonly trace?: InformerTrace | undefined;
}

const defaultSliceMs = 10;

type Run<T, R> = (event: ResourceEvent<T>, subscriber: Subscriber<R>, done: () => void) => void;

/** Runs work for one event: its failure is reported, and is the end of that event only. */
function runnerOf<T, R>(
  work: (event: ResourceEvent<T>) => ObservableInput<R>,
  { activity, report, trace }: Pick<ConsumersOptions<T>, 'activity' | 'report' | 'trace'>,
): Run<T, R> {
  return (event, subscriber, done) => {
    const fail = (error: unknown): void => {
      report(handlerError('The work', error, event));
      done();
    };
    trace?.delivery('process()', event);
    try {
      const result = work(event);
      if (isPromiseLike(result)) activity.track(result);
      subscriber.add(from(result).subscribe({ next: (value) => subscriber.next(value), error: fail, complete: done }));
    } catch (error) {
      fail(error);
    }
  };
}

export function createConsumers<T>(options: ConsumersOptions<T>): Consumers<T> {
  const { event$, indexer, scheduler, clock, hasSynced, trace } = options;
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

  const onWorker = (name: string) => trace && ((worker: Backlog) => trace.watch(worker, name));

  return {
    resource$: trace === undefined ? withResync(undefined) : withResync(undefined).pipe(tap((event) => trace.delivery('resource$', event))),
    events: ({ sliceMs = defaultSliceMs, resyncPeriodMs }) => {
      checkSliceMs(sliceMs);
      checkResyncPeriod(resyncPeriodMs);
      return withResync(resyncPeriodMs).pipe(
        workThrough<T, ResourceEvent<T>>(
          { store: indexer, sliceMs, scheduler, onWorker: onWorker('events()') },
          (event, subscriber, done) => {
            trace?.delivery('events()', event);
            subscriber.next(event);
            done();
          },
        ),
      );
    },
    process: <R>(work: (event: ResourceEvent<T>) => ObservableInput<R>, { resyncPeriodMs, ...buffering }: ProcessOptions) => {
      if (typeof work !== 'function') throw new TypeError(`Expected \`work\` to be a function, got ${typeof work}`);
      checkSliceMs(buffering.sliceMs);
      checkBufferOptions(buffering);
      checkResyncPeriod(resyncPeriodMs);
      return withResync(resyncPeriodMs).pipe(
        workThrough<T, R>({ ...buffering, store: indexer, scheduler, onWorker: onWorker('process()') }, runnerOf(work, options)),
      );
    },
  };
}
