import { from, Observable, type ObservableInput, of, Subject, type Subscriber, takeUntil } from 'rxjs';
import type { ResourceChange, ResourceEvent } from '../../api/events.js';
import { InformerError, type InformerErrorCode, messageOf } from '../../api/errors/informerError.js';
import { checkOptions, describeValue, type OptionRules, rules } from '../../api/options.js';
import { type BufferOptions, bufferRules, createEventBuffer } from '../../delta/buffers/eventBuffer.js';
import { Worker } from '../../delta/buffers/worker.js';
import { callHandler, checkHandler, type ResourceEventHandler } from '../../delta/resourceEventHandler.js';
import { createCrossingFilter, type CrossingFilter } from '../../delta/share/crossingFilter.js';
import { follow } from '../../rx/trampoline.js';
import { handlerError } from '../session/errorReporter.js';
import { Activity, type Consumer, type InformerContext, type RunningHandler } from '../session/informerContext.js';
import type { EventsOptions, HandlerOptions, ProcessOptions } from '../sharedInformer.js';
import { waitFor, type WaitOptions } from '../waiting/waitFor.js';

const eventsRules: OptionRules<EventsOptions> = {
  sliceMs: { ...rules.number({ above: 0, infinite: true }), expected: 'a number of milliseconds > 0 or Infinity' },
  resyncPeriodMs: rules.durationMs,
};
const processRules: OptionRules<ProcessOptions> = { ...eventsRules, ...bufferRules };
const handlerRules: OptionRules<HandlerOptions<never>> = { ...processRules, filter: rules.function, name: rules.nonEmptyString };

/** Handles an event, and calls `done` when the next one may follow. */
type Run<T, R> = (event: ResourceEvent<T>, subscriber: Subscriber<R>, done: () => void) => void;

interface WorkedOptions extends BufferOptions, Consumer, Pick<EventsOptions, 'sliceMs'> {}

/**
 * Passes the events of changes to `run` one at a time, buffered by the options; `run` calls `done`, at once or later, when the next one may follow.
 *
 * Completion and errors of the source are passed on at once: queued events are dropped. Fails when the buffer is full.
 */
function worked<T, R>(
  { resource, indexer, turns, scheduler, consumers }: InformerContext<T>,
  change$: Observable<ResourceChange<T>>,
  { who, name, failures, sliceMs, ...buffering }: WorkedOptions,
  run: Run<T, R>,
): Observable<R> {
  const message = `${who} is too slow: its buffer has no room for another event`;
  return new Observable((subscriber) => {
    const worker = new Worker<T>({
      buffer: createEventBuffer(buffering, indexer),
      run: (event, done) => run(event, subscriber, done),
      onOverflow: () => subscriber.error(new InformerError({ code: 'ERR_OVERFLOW', message, resource })),
      ...{ turns, sliceMs, scheduler },
    });
    subscriber.add(() => worker.stop());
    consumers.set(worker, { who, name, failures });
    subscriber.add(() => consumers.delete(worker));
    follow(change$, subscriber, { next: (change) => worker.take(change) });
  });
}

/** Reports and counts a call of a consumer that has failed. */
function noteFailure<T>(
  who: string,
  { resource, report }: InformerContext<T>,
  failures: Consumer['failures'],
  cause: unknown,
  event: ResourceEvent<T>,
): void {
  failures.failed += 1;
  failures.failure = messageOf(cause);
  report(handlerError(who, resource, cause, event));
}

const defaultSliceMs = 10;

/** The events of an informer, emitted in slices. @throws TypeError when an option is wrong. */
export function slicedEvents<T>(context: InformerContext<T>, options: EventsOptions): Observable<ResourceEvent<T>> {
  checkOptions('events', options, eventsRules);
  const { sliceMs = defaultSliceMs, resyncPeriodMs } = options;
  const consumer = { who: 'A subscriber of events()', name: 'events()', failures: { failed: 0 }, sliceMs };
  return worked<T, ResourceEvent<T>>(context, context.changesOf(resyncPeriodMs), consumer, (event, subscriber, done) => {
    context.delivered?.('events()', event);
    subscriber.next(event);
    done();
  });
}

/** The results of work for the events of an informer, one event at a time. @throws TypeError when an option is wrong. */
export function processed<T, R>(
  context: InformerContext<T>,
  work: (event: ResourceEvent<T>) => ObservableInput<R>,
  options: ProcessOptions,
): Observable<R> {
  if (typeof work !== 'function') throw new TypeError(`Expected \`work\` of \`process\` to be a function, got ${describeValue(work)}`);
  checkOptions('process', options, processRules);
  const { resyncPeriodMs, ...buffering } = options;
  const { activity, delivered } = context;
  const consumer = { who: 'A subscriber of process()', name: 'process()', failures: { failed: 0 }, ...buffering };
  return worked<T, R>(context, context.changesOf(resyncPeriodMs), consumer, (event, subscriber, done) => {
    /** Ends the work for this event only. */
    const error = (cause: unknown): void => {
      noteFailure('The work', context, consumer.failures, cause, event);
      done();
    };
    delivered?.('process()', event);
    try {
      const result = activity.call(() => work(event));
      const promise = activity.track(result) as Promise<R> | undefined;
      subscriber.add(from(promise ?? result).subscribe({ next: (value) => subscriber.next(value), error, complete: done }));
    } catch (cause) {
      error(cause);
    }
  });
}

/** One handler of an informer: its queue, and whether its snapshot has been processed. It outlives the informer's sessions. */
class Handler<T> implements RunningHandler {
  readonly name: string;
  readonly removed: Promise<void>;
  private readonly context: InformerContext<T>;
  private readonly handler: ResourceEventHandler<T>;
  private readonly options: HandlerOptions<T>;
  private readonly who: string;
  private readonly failures: Consumer['failures'] = { failed: 0 };
  private readonly activity = new Activity();
  private readonly synced$ = new Subject<void>();
  private readonly end$ = new Subject<void>();
  private isSynced = false;
  private resolveRemoved!: (quiet: Promise<void>) => void;

  constructor(context: InformerContext<T>, name: string, handler: ResourceEventHandler<T>, options: HandlerOptions<T>) {
    this.name = name;
    this.who = `The handler ${name}`;
    this.context = context;
    this.handler = handler;
    this.options = options;
    this.removed = new Promise((resolve) => {
      this.resolveRemoved = resolve;
    });
  }

  /** Like `process`, but without starting a session. */
  follow(): void {
    const { name, who, failures, context, options } = this;
    const { filter, resyncPeriodMs, ...buffering } = options;
    const change$ = new Observable<ResourceChange<T>>((subscriber) => {
      const resync = (change: ResourceChange<T>): void => {
        if (this.isSynced) subscriber.next(change);
      };
      subscriber.add(context.clock.join(resyncPeriodMs, resync));
      subscriber.add(context.changes$.follow((change) => subscriber.next(change)));
    });
    const passing = filter && createCrossingFilter(filter);
    const calls$ = worked<T, never>(context, change$, { ...buffering, who, name, failures }, (event, _, done) =>
      this.run(event, passing, done),
    );
    const error = (overflow: InformerError): void => {
      context.report(overflow);
      this.remove();
    };
    calls$.pipe(takeUntil(this.end$)).subscribe({ error });
  }

  hasSynced(): boolean {
    return this.isSynced;
  }

  whenSynced(options: WaitOptions = {}): Promise<void> {
    const errorOf = (code: InformerErrorCode, what: string) => (): InformerError =>
      new InformerError({ code, message: `${this.who} ${what}`, resource: this.context.resource });
    return waitFor(this.isSynced ? of(undefined) : this.synced$, options, {
      owner: 'whenSynced',
      scheduler: this.context.scheduler,
      ended: errorOf('ERR_STOPPED', 'was removed before it had synced'),
      tooLate: errorOf('ERR_TIMEOUT', `did not sync within ${options.timeoutMs ?? Infinity} ms`),
    });
  }

  remove(): void {
    this.end$.next();
    this.synced$.complete();
    this.resolveRemoved(this.activity.whenQuiet());
  }

  isBusy(): boolean {
    return this.activity.isBusy();
  }

  private run(event: ResourceEvent<T>, passing: CrossingFilter<T> | undefined, done: () => void): void {
    const { activity, context, failures, handler, name, who } = this;
    if (event.type === 'synced' && !this.isSynced) {
      this.isSynced = true;
      this.synced$.next();
    }
    const failed = (cause: unknown): void => noteFailure(who, context, failures, cause, event);
    let promise: Promise<unknown> | undefined;
    try {
      const passed = passing === undefined ? event : passing(event);
      if (passed !== undefined) context.delivered?.(name, passed);
      else if (event.type !== 'synced') context.drops$.next({ reason: 'filtered', keys: [event.key], by: name });
      promise = passed && activity.track(activity.call(() => callHandler(handler, passed)));
    } catch (cause) {
      failed(cause);
    }
    if (promise === undefined) done();
    else
      promise.then(done, (cause: unknown) => {
        failed(cause);
        done();
      });
  }
}

/** A handler of an informer. It gets the changes of all sessions, and starts none. @throws TypeError when the handler or an option is wrong. */
export function createHandler<T>(
  context: InformerContext<T>,
  usualName: string,
  handler: ResourceEventHandler<T>,
  options: HandlerOptions<T>,
): RunningHandler {
  checkHandler('addEventHandler', handler);
  checkOptions('addEventHandler', options, handlerRules);
  return new Handler(context, options.name ?? usualName, handler, options);
}
