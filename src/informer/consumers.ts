import { from, Observable, type ObservableInput, of, Subject, type Subscriber, takeUntil, tap } from 'rxjs';
import type { ResourceChange, ResourceEvent } from '../api/events.js';
import { checkOptions, describeValue, type OptionRules, rules } from '../api/options.js';
import { Worker } from '../delta/buffers/worker.js';
import { flattenChange } from '../delta/share/shareWithSnapshot.js';
import { handlerError } from './session/errorReporter.js';
import { Activity, type InformerContext } from './session/informerContext.js';
import { type BufferOptions, bufferRules, createEventBuffer } from '../delta/buffers/eventBuffer.js';
import { InformerError, type InformerErrorCode } from '../api/errors/informerError.js';
import { follow } from '../rx/trampoline.js';
import { callHandler, checkHandler } from '../delta/checkHandler.js';
import { createCrossingFilter, type CrossingFilter } from '../delta/share/crossingFilter.js';
import { waitFor, type WaitOptions } from './waiting/waitFor.js';

/** Options of `events`. */
export interface EventsOptions {
  /** For how many milliseconds events are handed over at a stretch; a change of more than 1,000 events waits for the next turn of the event loop. Default 10. */
  readonly sliceMs?: number | undefined;
  /** How often every cached object is emitted again as a `resync` update, in milliseconds; the informer's period by default, `0` for never. */
  readonly resyncPeriodMs?: number | undefined;
}

/** Options of `process`. */
export interface ProcessOptions extends BufferOptions, EventsOptions {}

/** The rules of the options of `events`. @internal */
const eventsRules: OptionRules<EventsOptions> = {
  sliceMs: { ...rules.number({ above: 0, infinite: true }), expected: 'a number of milliseconds > 0 or Infinity' },
  resyncPeriodMs: rules.durationMs,
};

/** The rules of the options of `process`. @internal */
export const processRules: OptionRules<ProcessOptions> = { ...eventsRules, ...bufferRules };

const defaultSliceMs = 10;

type Run<T, R> = (event: ResourceEvent<T>, subscriber: Subscriber<R>, done: () => void) => void;

interface WorkedOptions extends BufferOptions {
  /** What the consumer is called in messages, and in traces. */
  readonly who: string;
  readonly name: string;
  readonly sliceMs?: number | undefined;
}

/**
 * Hands the events of changes to `run` one at a time, buffered as the options say; `run` calls `done` when the next one may come, at once or later.
 *
 * Completion and errors of the source do not wait: what has not been handed over is dropped. Fails when the buffer has no room.
 */
export function worked<T, R>(
  { indexer, turns, scheduler, trace, consumers }: InformerContext<T>,
  change$: Observable<ResourceChange<T>>,
  { who, name, sliceMs, ...buffering }: WorkedOptions,
  run: Run<T, R>,
): Observable<R> {
  const message = `${who} is too slow: its buffer has no room for another event`;
  return new Observable((subscriber) => {
    const worker = new Worker<T>({
      buffer: createEventBuffer(buffering, indexer),
      run: (event, done) => run(event, subscriber, done),
      onOverflow: () => subscriber.error(new InformerError({ code: 'ERR_OVERFLOW', message })),
      ...{ turns, sliceMs, scheduler },
    });
    subscriber.add(() => worker.stop());
    subscriber.add(consumers.add(worker, who));
    subscriber.add(trace?.watch(worker, name));
    follow(change$, subscriber, { next: (change) => worker.take(change) });
  });
}

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
    return worked(this.context, this.withResync(resyncPeriodMs), { who: `A subscriber of ${name}`, name, ...buffering }, run);
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

/**
 * Functions to call when something happens to an object. All of them are optional.
 *
 * A function that returns a promise is slow work: the next call waits for it. What a function throws, or its promise rejects with, goes to
 * `error$` (`ERR_HANDLER`), and the next call follows.
 *
 * @see client-go: `ResourceEventHandlerDetailedFuncs`
 */
export interface ResourceEventHandler<T> {
  /** An object came into the cache. `isInInitialList`: it was in the first list, or in the cache when the handler was added. */
  onAdd?(object: T, isInInitialList: boolean): unknown;
  /** An object was replaced by a newer version. In a resync both are the same object. */
  onUpdate?(oldObject: T, object: T): unknown;
  /** An object left the cache. `finalStateUnknown`: its deletion was missed, and `object` is its last known state. */
  onDelete?(object: T, finalStateUnknown: boolean): unknown;
}

/** Options of `addEventHandler`. */
export interface HandlerOptions<T> extends BufferOptions {
  /** The handler gets only objects that pass; one that begins to pass is added, one that ceases to pass is deleted. */
  readonly filter?: ((object: T) => boolean) | undefined;
  /**
   * How often every cached object is passed again as an update, in milliseconds: the informer's period by default, `0` for never, at least 1,000,
   * and rounded up to a multiple of the informer's check period.
   */
  readonly resyncPeriodMs?: number | undefined;
  /** For how many milliseconds calls are made at a stretch; no bound by default. */
  readonly sliceMs?: number | undefined;
  /** What the handler is called in messages. */
  readonly name?: string | undefined;
}

/** The rules of the options of `addEventHandler`. @internal */
const handlerRules: OptionRules<HandlerOptions<never>> = { ...processRules, filter: rules.function, name: rules.nonEmptyString };

/** A handler that was added to an informer. */
export interface HandlerRegistration {
  readonly name: string;
  /** Whether the informer has synced, and the handler is through with everything that was in the first list or its snapshot. */
  hasSynced(): boolean;
  /**
   * Resolves when `hasSynced` is true. Does not start the informer. Rejects with the signal's reason, after `timeoutMs`, or when the handler is
   * removed or the informer stopped before (`ERR_STOPPED`).
   */
  whenSynced(options?: WaitOptions): Promise<void>;
  /** Removes the handler: it is not called any more, and events that wait are dropped. A call that runs goes on. */
  remove(): void;
  /** Resolves when the handler has been removed, or the informer stopped, and none of its calls runs any more. */
  readonly removed: Promise<void>;
}

/** One handler of an informer: what waits for it, and whether it is through with its snapshot. It outlives the informer's sessions. */
class Registration<T> implements HandlerRegistration {
  readonly name: string;
  readonly removed: Promise<void>;
  private readonly handler: ResourceEventHandler<T>;
  private readonly context: InformerContext<T>;
  private readonly filter: CrossingFilter<T> | undefined;
  private readonly activity = new Activity();
  private readonly synced$ = new Subject<void>();
  private readonly end$ = new Subject<void>();
  private isSynced = false;
  private isRemoved = false;
  private resolveRemoved!: (quiet: Promise<void>) => void;

  constructor(name: string, handler: ResourceEventHandler<T>, context: InformerContext<T>, filter: HandlerOptions<T>['filter']) {
    this.name = name;
    this.handler = handler;
    this.context = context;
    this.filter = filter && createCrossingFilter(filter);
    this.removed = new Promise((resolve) => {
      this.resolveRemoved = resolve;
    });
  }

  /** Begins to call the handler, which may stop the informer: what `process` does, but with changes that start no session. */
  follow({ resyncPeriodMs, sliceMs, buffer, capacity }: HandlerOptions<T>): void {
    const { name, context } = this;
    const change$ = new Observable<ResourceChange<T>>((subscriber) => {
      const resync = (change: ResourceChange<T>): void => {
        if (this.isSynced) subscriber.next(change);
      };
      subscriber.add(context.clock.join(resyncPeriodMs, resync));
      subscriber.add(context.changes$.follow((change) => subscriber.next(change)));
    });
    const consumer = { who: `The handler ${name}`, name, sliceMs, buffer, capacity };
    const calls$ = worked<T, never>(context, change$, consumer, (event, _, done) => this.run(event, done));
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
    const ended = (): Error => this.errorOf('ERR_STOPPED', 'was removed before it had synced');
    const tooLate = (): Error => this.errorOf('ERR_TIMEOUT', `did not sync within ${options.timeoutMs ?? 0} ms`);
    const synced: Observable<void> = this.isSynced ? of(undefined) : this.synced$;
    return waitFor(synced, options, { owner: 'whenSynced', scheduler: this.context.scheduler, ended, tooLate });
  }

  remove(): void {
    if (this.isRemoved) return;
    this.isRemoved = true;
    this.end$.next();
    this.synced$.complete();
    this.resolveRemoved(this.activity.whenQuiet());
  }

  isBusy(): boolean {
    return this.activity.isBusy();
  }

  private run(event: ResourceEvent<T>, done: () => void): void {
    if (event.type === 'synced' && !this.isSynced) {
      this.isSynced = true;
      this.synced$.next();
    }
    let promise: Promise<unknown> | undefined;
    try {
      const passed = this.filter === undefined ? event : this.filter(event);
      if (passed !== undefined) this.context.trace?.delivery(this.name, passed);
      promise = passed && this.activity.track(this.activity.call(() => callHandler(this.handler, passed)));
    } catch (error) {
      this.failed(error, event);
    }
    if (promise === undefined) {
      done();
      return;
    }
    promise.then(done, (error: unknown) => {
      this.failed(error, event);
      done();
    });
  }

  private failed(cause: unknown, event: ResourceEvent<T>): void {
    this.context.report(handlerError(`The handler ${this.name}`, cause, event));
  }

  private errorOf(code: InformerErrorCode, what: string): InformerError {
    return new InformerError({ code, message: `The handler ${this.name} ${what}` });
  }
}

/** The handlers of an informer. They follow its sessions, and start none. */
export class HandlerRegistry<T> {
  private readonly context: InformerContext<T>;
  /** Also those that have been removed, as long as one of their calls runs. */
  private readonly registrations = new Set<Registration<T>>();
  private count = 0;

  constructor(context: InformerContext<T>) {
    this.context = context;
  }

  add(handler: ResourceEventHandler<T>, options: HandlerOptions<T>): HandlerRegistration {
    checkHandler('addEventHandler', handler);
    checkOptions('addEventHandler', options, handlerRules);
    this.count += 1;
    const name = options.name ?? `${this.context.name} handler ${this.count}`;
    const registration = new Registration(name, handler, this.context, options.filter);
    this.registrations.add(registration);
    void registration.removed.then(() => this.registrations.delete(registration));
    registration.follow(options);
    return registration;
  }

  /** Whether a call of one of them runs. */
  isBusy(): boolean {
    return [...this.registrations].some((registration) => registration.isBusy());
  }

  /** Removes all handlers, and resolves when none of their calls runs any more. */
  async stop(): Promise<void> {
    const all = [...this.registrations];
    for (const registration of all) registration.remove();
    await Promise.all(all.map(({ removed }) => removed));
  }
}
