import type { Observable } from 'rxjs';
import {
  asyncScheduler,
  defer,
  EMPTY,
  finalize,
  type ObservableInput,
  of,
  type SchedulerLike,
  Subject,
  type Subscription,
  tap,
} from 'rxjs';
import type { InformerError } from '../api/errors/informerError.js';
import type { InformerHealth } from '../api/events/informerHealth.js';
import type { ResourceEvent } from '../api/events/resourceEvent.js';
import type { Indexer, Indexers } from '../cache/store/indexer.js';
import type { IndexSnapshot } from '../cache/snapshot/indexSnapshot.js';
import type { ScanToIndexOptions } from '../delta/index/scanToIndexOptions.js';
import { createActivity, type Activity } from './session/activity.js';
import type { EventsOptions, ProcessOptions } from './handlers/consumerOptions.js';
import { type Consumers, createConsumers } from './handlers/createConsumers.js';
import { checkInformerOptions } from './checkInformerOptions.js';
import { createInformerIndexer } from './session/createInformerIndexer.js';
import { createLister } from './createLister.js';
import { createErrorReporter, type ErrorReporter } from './session/errorReporter.js';
import { HealthTracker } from './session/healthTracker.js';
import type { HandlerOptions, HandlerRegistration, ResourceEventHandler } from './handlers/eventHandler.js';
import { createHandlerRegistry, type HandlerRegistry } from './handlers/handlerRegistry.js';
import { createInformerTrace } from './session/informerTrace.js';
import { createIndexSnapshots } from './session/indexSnapshots.js';
import { type ErrorSubject, indexError, stoppedError, tooLateError } from './session/informerErrors.js';
import { createInformerListener, type InformerParts } from './session/informerListener.js';
import type { InformerOptions } from './informerOptions.js';
import type { InformerSource } from './session/informerSource.js';
import type { Lister } from './lister.js';
import { Pipeline } from './session/pipeline.js';
import { createResyncClock, type ResyncClock } from './session/resyncClock.js';
import type { SharedInformer } from './sharedInformer.js';
import { waitFor } from './waiting/waitFor.js';
import type { WaitOptions } from './waiting/waitOptions.js';
import { createWritesView, type WritesView } from './session/writesView.js';

/**
 * The informer: the life around one pipeline from the source through the cache to the subscribers.
 */
export class Informer<T, U> implements SharedInformer<U> {
  readonly name: string;
  readonly indexer: Indexer<U>;
  readonly lister: Lister<U>;
  readonly resource$: Observable<ResourceEvent<U>>;
  readonly index$: Observable<IndexSnapshot<U>>;
  readonly health$: Observable<InformerHealth>;
  readonly error$: Observable<InformerError>;
  readonly stopped: Promise<void>;

  private readonly source: InformerSource<T>;
  private readonly scheduler: SchedulerLike;
  private readonly reporter: ErrorReporter;
  private readonly tracker: HealthTracker;
  private readonly pipeline: Pipeline<T, U>;
  private readonly clock: ResyncClock;
  private readonly registry: HandlerRegistry<U>;
  private readonly consumers: Consumers<U>;
  private readonly writes: WritesView<U> | undefined;
  private readonly activity: Activity = createActivity();
  private readonly synced$ = new Subject<void>();
  private held: Subscription | undefined;
  private isEnded = false;
  private resolveStopped!: (quiet: Promise<void>) => void;

  constructor(source: InformerSource<T>, options: InformerOptions<T, U>) {
    checkInformerOptions(options);
    this.source = source;
    this.name = options.name ?? source.resource;
    this.scheduler = options.scheduler ?? asyncScheduler;
    const { name, scheduler } = this;
    const { resource, scopes } = source;
    const { resyncPeriodMs = 0, transform, freeze, deltaFifo = false } = options;
    const reporter = this.createReporter(options);
    const report = (error: InformerError): void => reporter.report(error);
    const { indexer, keys } = createInformerIndexer(options, (cause, indexName, key) =>
      report(indexError(resource, cause, indexName, key)),
    );
    this.reporter = reporter;
    this.indexer = indexer;
    const degraded = new Set<string>();
    const tracker = new HealthTracker({ scheduler, resourceVersion: () => indexer.lastStoreSyncResourceVersion(), degraded });
    this.tracker = tracker;
    this.clock = createResyncClock({ periodMs: resyncPeriodMs, scheduler, warn: (message) => reporter.warn(message) });
    this.writes = createWritesView({
      ...{ source, indexer, transform, keys, freeze },
      toldVersion: (scope) => tracker.resourceVersion(scope),
      isQueued: deltaFifo !== false,
    });
    this.lister = createLister(indexer, resource, this.writes?.reader);
    const trace = createInformerTrace(options.trace, this, { resource, scheduler, report });
    const { activity, clock, writes } = this;
    const event$ = defer(() => this.pipeline.event$);
    const hasSynced = (): boolean => this.hasSynced();
    const context = { name, indexer, scheduler, clock, hasSynced, report, trace };
    this.registry = createHandlerRegistry(context);
    this.consumers = createConsumers({ ...context, activity, event$ });
    const snapshots = createIndexSnapshots({ indexer, event$, hasSynced, isChanging: () => this.pipeline.isChanging() });
    this.pipeline = this.createPipeline(
      options,
      { transform, freeze, keys, degraded, scopes, resource, onError: report },
      { tracker, clock, registry: this.registry, snapshots, reporter, writes, scopes, trace },
    );
    this.error$ = reporter.error$;
    this.health$ = tracker.health$;
    this.resource$ = this.consumers.resource$;
    this.index$ = snapshots.index$;
    this.stopped = new Promise((resolve) => {
      this.resolveStopped = resolve;
    });
  }

  private createReporter({ onError, logger }: InformerOptions<T, U>): ErrorReporter {
    return createErrorReporter({
      name: this.name,
      onError,
      logger,
      scheduler: this.scheduler,
      // The first objects are indexed before there is anything to stop.
      isChanging: () => (this.pipeline as Pipeline<T, U> | undefined)?.isChanging() ?? true,
      onStop: (error) => this.pipeline.stop(error),
    });
  }

  private createPipeline(
    { idleGraceMs = 0, deltaFifo = false }: InformerOptions<T, U>,
    scan: ScanToIndexOptions<T, U>,
    parts: Omit<InformerParts<U>, 'onSynced' | 'onEnded'>,
  ): Pipeline<T, U> {
    const { activity, indexer, scheduler } = this;
    return new Pipeline({
      ...{ indexer, scan, activity, idleGraceMs, scheduler },
      source$: this.source.event$,
      deltaFifo: deltaFifo === true ? {} : deltaFifo || undefined,
      listener: createInformerListener({ ...parts, onSynced: () => this.synced$.next(), onEnded: (error) => this.end(error) }),
    });
  }

  health(): InformerHealth {
    return this.tracker.health();
  }

  hasSynced(): boolean {
    return this.tracker.hasSynced();
  }

  isStopped(): boolean {
    return this.isEnded;
  }

  lastSyncResourceVersion(scope?: string): string {
    return scope === undefined ? this.indexer.lastStoreSyncResourceVersion() : this.tracker.resourceVersion(scope);
  }

  start(): void {
    this.expectRunnable('be started');
    this.held ??= this.pipeline.hold();
  }

  stop(): Promise<void> {
    this.pipeline.stop();
    return this.stopped;
  }

  whenSynced(options: WaitOptions = {}): Promise<void> {
    const condition = defer(() => {
      if (this.isEnded) return EMPTY;
      const hold = this.pipeline.hold();
      const synced: Observable<void> = this.hasSynced() ? of(undefined) : this.synced$;
      return synced.pipe(
        tap(() => (this.held ??= hold)),
        finalize(() => {
          if (this.held !== hold) hold.unsubscribe();
        }),
      );
    });
    return waitFor(condition, {
      ...options,
      scheduler: this.scheduler,
      ended: () => stoppedError(this.subject(), 'has been stopped'),
      tooLate: () => tooLateError(this.subject(), options.timeoutMs),
    });
  }

  events(options: EventsOptions = {}): Observable<ResourceEvent<U>> {
    return this.consumers.events(options);
  }

  process<R>(work: (event: ResourceEvent<U>) => ObservableInput<R>, options: ProcessOptions = {}): Observable<R> {
    return this.consumers.process(work, options);
  }

  addEventHandler(handler: ResourceEventHandler<U>, options: HandlerOptions<U> = {}): HandlerRegistration {
    this.expectRunnable('get another handler');
    return this.registry.add(handler, options);
  }

  addIndexers(indexers: Indexers<U>): void {
    this.expectRunnable('get more indexers');
    this.indexer.addIndexers(indexers);
  }

  private end(error?: Error): void {
    this.isEnded = true;
    this.tracker.end('stopped', error);
    this.writes?.end();
    this.held = undefined;
    if (error === undefined) this.synced$.complete();
    else this.synced$.error(error);
    this.clock.stop();
    const quiet = Promise.all([this.registry.stop(), this.activity.whenQuiet()]);
    this.reporter.complete(error);
    this.resolveStopped(quiet.then(() => undefined));
  }

  private subject(): ErrorSubject {
    return { name: this.name, resource: this.source.resource, health: this.health() };
  }

  private expectRunnable(what: string): void {
    if (this.isEnded) throw stoppedError(this.subject(), `cannot ${what}, it has been stopped`);
  }
}
