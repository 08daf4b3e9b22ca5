import '../api/disposable.js';
import { defer, EMPTY, finalize, type Observable, type ObservableInput, Subject, type SchedulerLike, type Subscription, tap } from 'rxjs';
import type { InformerError } from '../api/errors/informerError.js';
import type { InformerHealth } from '../api/events/informerHealth.js';
import type { ResourceChange } from '../api/events/resourceChange.js';
import type { ResourceEvent } from '../api/events/resourceEvent.js';
import type { Indexer, Indexers } from '../cache/store/indexer.js';
import { type IndexReader, readerOf } from '../cache/store/indexReader.js';
import type { IndexSnapshot } from '../cache/snapshot/indexSnapshot.js';
import type { SharedChanges } from '../delta/share/sharedChanges.js';
import { schedulerOf } from '../rx/schedulerOf.js';
import { Trampoline } from '../rx/trampoline.js';
import { type CollectionPort, collectionPort } from './collection.js';
import { Activity } from './session/activity.js';
import type { EventsOptions, ProcessOptions } from './handlers/consumerOptions.js';
import { Consumers } from './handlers/consumers.js';
import { createInformerIndexer } from './session/createInformerIndexer.js';
import { createLister } from './createLister.js';
import { ErrorReporter } from './session/errorReporter.js';
import { HealthTracker } from './session/healthTracker.js';
import type { HandlerOptions, HandlerRegistration, ResourceEventHandler } from './handlers/eventHandler.js';
import { HandlerRegistry } from './handlers/handlerRegistry.js';
import { InformerTrace } from './session/informerTrace.js';
import { informerChanges } from './session/informerChanges.js';
import { indexSnapshots } from './session/indexSnapshots.js';
import { type ErrorSubject, stoppedError, tooLateError } from './session/informerErrors.js';
import type { InformerOptions } from './informerOptions.js';
import type { InformerSource } from './session/informerSource.js';
import type { Lister } from './lister.js';
import { readerBeforeStart } from './session/readerBeforeStart.js';
import { createResyncClock } from './session/resyncClock.js';
import type { SharedInformer } from './sharedInformer.js';
import type { Verification } from './verify/verification.js';
import { verifyInformer } from './verify/verifyInformer.js';
import type { VerifyOptions } from './verify/verifyOptions.js';
import { waitFor } from './waiting/waitFor.js';
import type { WaitOptions } from './waiting/waitOptions.js';
import { createWritesView } from './session/writesView.js';
import type { WarmStart } from './warm/warmStart.js';

/** The informer: one way from the source through the cache to the subscribers, and the life around it. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- a class cannot declare a member by a symbol that is imported
export class Informer<T, U> implements SharedInformer<U> {
  readonly name: string;
  readonly indexer: IndexReader<U>;
  readonly lister: Lister<U>;
  readonly change$: Observable<ResourceChange<U>>;
  readonly resource$: Observable<ResourceEvent<U>>;
  readonly index$: Observable<IndexSnapshot<U>>;
  readonly health$: Observable<InformerHealth>;
  readonly error$: Observable<InformerError>;

  private readonly source: InformerSource<T>;
  private readonly options: InformerOptions<T, U>;
  private readonly scheduler: SchedulerLike;
  private readonly turns: Trampoline;
  private readonly activity = new Activity();
  private readonly cache: Indexer<U>;
  private readonly errors: ErrorReporter;
  private readonly tracker: HealthTracker;
  private readonly trace: InformerTrace | undefined;
  private readonly changes$: SharedChanges<U>;
  private readonly registry: HandlerRegistry<U>;
  private readonly consumers: Consumers<U>;
  private readonly stop$ = new Subject<void>();
  private held: Subscription | undefined;
  /** Resolves when the cache has been saved for the last time. */
  private saved = Promise.resolve();
  private isEnded = false;
  private resolveStopped!: (quiet: Promise<void>) => void;
  readonly stopped: Promise<void> = new Promise((resolve) => {
    this.resolveStopped = resolve;
  });

  constructor(source: InformerSource<T>, options: InformerOptions<T, U>) {
    this.source = source;
    this.options = options;
    const { resource, scopes, comesShared, turns = new Trampoline() } = source;
    this.turns = turns;
    this.name = options.name ?? resource;
    this.scheduler = schedulerOf(options.scheduler);
    const { name, scheduler, activity } = this;
    const degraded = new Set<string>();
    const { onError, logger, resyncPeriodMs = 0, transform, freeze } = options;
    this.errors = new ErrorReporter({ name, onError, logger, scheduler, turns, onStop: (error) => this.finish(error) });
    const { report, warn } = this.errors;
    const indexer = createInformerIndexer(options, resource, report);
    this.cache = indexer;
    const resourceVersion = (): string => indexer.lastStoreSyncResourceVersion();
    const savedAt = (): number | undefined => source.warm?.savedAt();
    this.tracker = new HealthTracker({ turns, scheduler, resourceVersion, degraded, scopes, savedAt });
    const clock = createResyncClock({ periodMs: resyncPeriodMs, scheduler, turns, indexer, hasSynced: () => this.hasSynced(), warn });
    const writes = createWritesView({
      ...{ source, indexer, transform, freeze },
      versionOf: (scope) => this.tracker.resourceVersion(scope),
      isQueued: (options.deltaFifo ?? false) !== false,
    });
    this.indexer = this.readerOfCache();
    const hasStarted = (): boolean => this.tracker.health().state !== 'idle' || resourceVersion() !== '';
    this.lister = createLister(indexer, resource, readerBeforeStart(writes?.reader ?? this.indexer, hasStarted, warn));
    this.trace = options.trace && new InformerTrace(options.trace, this, { resource, scheduler, turns, report });
    this.changes$ = informerChanges<T, U>({
      ...options,
      ...{ event$: source.event$, indexer, turns, scheduler, activity, stop$: this.stop$, clock, writes },
      scan: { transform, freeze, comesShared, degraded, scopes, resource, onError: report },
      ...{ errors: this.errors, tracker: this.tracker, trace: this.trace },
      isEnded: () => this.isEnded,
      end: (error) => this.end(error),
    });

    const { changes$, trace } = this;
    const context = { name, changes$, indexer, scheduler, turns, clock, activity, report, trace };
    this.registry = new HandlerRegistry(context);
    this.consumers = new Consumers(context);
    this.change$ = this.consumers.change$;
    this.resource$ = this.consumers.resource$;
    this.index$ = indexSnapshots(changes$.settled$, turns, resourceVersion);
    this.error$ = this.errors.error$;
    this.health$ = this.tracker.health$;
    source.verifier?.attach((asked) => this.verify(asked));
    const value: CollectionPort<U> = { trampoline: turns, level: 0, settled$: changes$.settled$ };
    Object.defineProperty(this, collectionPort, { value });
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
    return scope === undefined ? this.cache.lastStoreSyncResourceVersion() : this.tracker.resourceVersion(scope);
  }

  start(): void {
    this.expectRunnable('be started');
    this.held ??= this.hold();
  }

  stop(): Promise<void> {
    // A callback that runs may be the one that waits for this: then only what needs no callback to end is waited for.
    const mayBeAwaitedInside = this.activity.isBusy() || this.registry.isBusy();
    this.finish();
    return mayBeAwaitedInside ? this.saved : this.stopped;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.finish();
    await this.stopped;
  }

  whenSynced(options: WaitOptions = {}): Promise<void> {
    const condition = defer(() => {
      if (this.isEnded) return EMPTY;
      const hold = this.hold();
      return this.tracker.synced$.pipe(
        tap(() => (this.held ??= hold)),
        finalize(() => {
          if (this.held !== hold) hold.unsubscribe();
        }),
      );
    });
    return waitFor(condition, options, {
      owner: 'whenSynced',
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

  verify(options: VerifyOptions = {}): Promise<Verification> {
    return verifyInformer<T>({ informer: this, source: this.source, settings: this.options, options });
  }

  addEventHandler(handler: ResourceEventHandler<U>, options: HandlerOptions<U> = {}): HandlerRegistration {
    this.expectRunnable('get another handler');
    return this.registry.add(handler, options);
  }

  addIndexers(indexers: Indexers<U>): void {
    this.expectRunnable('get more indexers');
    this.cache.addIndexers(indexers);
  }

  private readerOfCache(): IndexReader<U> {
    const { cache, scheduler, errors, source, tracker } = this;
    const warm = source.warm as WarmStart<T, U> | undefined;
    if (warm === undefined) return readerOf(cache);
    const versionOf = (scope: string): string => tracker.resourceVersion(scope);
    return warm.attach({ indexer: cache, hasSynced: () => tracker.hasSynced(), versionOf, scheduler, report: errors.report });
  }

  private hold(): Subscription {
    return this.changes$.subscribe({ error: () => undefined });
  }

  /** Ends it for good, as one turn: the subscribers complete, or fail. */
  private finish(error?: Error): void {
    this.turns.enter(() => {
      if (this.isEnded) return;
      this.end(error);
      if (error === undefined) this.stop$.next();
      else this.stop$.error(error);
    });
  }

  private end(error?: Error): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.held = undefined;
    this.tracker.stop(error);
    this.saved = this.source.warm?.save() ?? this.saved;
    const quiet = Promise.all([this.registry.stop(), this.activity.whenQuiet(), this.saved]);
    this.errors.complete(error);
    this.trace?.closed();
    this.resolveStopped(quiet.then(() => undefined));
  }

  private subject(): ErrorSubject {
    return { name: this.name, resource: this.source.resource, health: this.health() };
  }

  private expectRunnable(what: string): void {
    if (this.isEnded) throw stoppedError(this.subject(), `cannot ${what}, it has been stopped`);
  }
}

// eslint-disable-next-line @typescript-eslint/no-unused-vars -- the constructor defines it
export interface Informer<T, U> {
  readonly [collectionPort]: CollectionPort<U>;
}
