import { from, Observable, type ObservableInput, type Subscriber, tap } from 'rxjs';
import type { ResourceChange } from '../../api/events/resourceChange.js';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import { checkOptions } from '../../api/options/checkOptions.js';
import { describeValue } from '../../api/options/optionRule.js';
import { workThrough } from '../../delta/buffers/workThrough.js';
import { flattenChange } from '../../delta/share/flattenChange.js';
import { type EventsOptions, eventsRules, type ProcessOptions, processRules } from './consumerOptions.js';
import { handlerError } from '../session/informerErrors.js';
import type { InformerContext } from '../session/informerContext.js';
import type { Backlog } from '../session/informerTrace.js';

const defaultSliceMs = 10;

type Run<T, R> = (event: ResourceEvent<T>, subscriber: Subscriber<R>, done: () => void) => void;

/** Runs work for one event: its failure is reported, and is the end of that event only. */
function runnerOf<T, R>(
  work: (event: ResourceEvent<T>) => ObservableInput<R>,
  { activity, report, trace }: Pick<InformerContext<T>, 'activity' | 'report' | 'trace'>,
): Run<T, R> {
  return (event, subscriber, done) => {
    const fail = (error: unknown): void => {
      report(handlerError('The work', error, event));
      done();
    };
    trace?.delivery('process()', event);
    try {
      const result = activity.call(() => work(event));
      const promise = activity.track(result) as Promise<R> | undefined;
      subscriber.add(from(promise ?? result).subscribe({ next: (value) => subscriber.next(value), error: fail, complete: done }));
    } catch (error) {
      fail(error);
    }
  };
}

/** The ways to consume the changes of an informer. */
export class Consumers<T> {
  readonly change$: Observable<ResourceChange<T>>;
  readonly resource$: Observable<ResourceEvent<T>>;
  private readonly context: InformerContext<T>;

  constructor(context: InformerContext<T>) {
    const { changes$, trace } = context;
    this.context = context;
    this.change$ = this.withResync(undefined);
    const resource$ = this.resyncing<ResourceEvent<T>>(changes$.resource$, undefined, (subscriber, change) =>
      flattenChange(change, subscriber),
    );
    this.resource$ = trace === undefined ? resource$ : resource$.pipe(tap((event) => trace.delivery('resource$', event)));
  }

  events(options: EventsOptions): Observable<ResourceEvent<T>> {
    checkOptions('events', options, eventsRules);
    const { sliceMs = defaultSliceMs, resyncPeriodMs } = options;
    return this.worked<ResourceEvent<T>>('events()', { sliceMs, resyncPeriodMs }, (event, subscriber, done) => {
      this.context.trace?.delivery('events()', event);
      subscriber.next(event);
      done();
    });
  }

  process<R>(work: (event: ResourceEvent<T>) => ObservableInput<R>, options: ProcessOptions): Observable<R> {
    if (typeof work !== 'function') throw new TypeError(`Expected \`work\` of \`process\` to be a function, got ${describeValue(work)}`);
    checkOptions('process', options, processRules);
    return this.worked('process()', options, runnerOf(work, this.context));
  }

  private worked<R>(name: string, { resyncPeriodMs, ...buffering }: ProcessOptions, run: Run<T, R>): Observable<R> {
    const { indexer: store, turns, scheduler, trace } = this.context;
    const onWorker = trace && ((worker: Backlog) => trace.watch(worker, name));
    return this.withResync(resyncPeriodMs).pipe(workThrough<T, R>({ ...buffering, store, turns, scheduler, onWorker }, run));
  }

  private withResync(periodMs: number | undefined): Observable<ResourceChange<T>> {
    return this.resyncing<ResourceChange<T>>(this.context.changes$, periodMs, (subscriber, change) => subscriber.next(change));
  }

  private resyncing<R>(
    source: Observable<R>,
    periodMs: number | undefined,
    tell: (subscriber: Subscriber<R>, change: ResourceChange<T>) => void,
  ): Observable<R> {
    const { clock } = this.context;
    return new Observable((subscriber) => {
      subscriber.add(source.subscribe(subscriber));
      if (subscriber.closed) return;
      subscriber.add(clock.join(periodMs, (change) => tell(subscriber, change)));
    });
  }
}
