import '../api/disposable.js';
import {
  defer,
  EMPTY,
  finalize,
  identity,
  NEVER,
  Observable,
  type ObservableInput,
  type OperatorFunction,
  type SchedulerLike,
  Subject,
  type Subscriber,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import { errorOf, type InformerError } from '../api/errors/informerError.js';
import type { InformerHealth, ResourceChange, ResourceEvent, SourceEvent } from '../api/events.js';
import { describable } from '../api/running/describable.js';
import { type Indexer, type Indexers, type IndexFunc, type IndexReader, readerOf } from '../cache/store/store.js';
import type { IndexSnapshot } from '../cache/snapshotWith.js';
import { scanToIndex } from '../delta/index/scanToIndex.js';
import type { ScanToIndexOptions } from '../delta/index/objectIntake.js';
import { flattenChange, type SharedChanges, shareWithSnapshot } from '../delta/share/shareWithSnapshot.js';
import { schedulerOf } from '../rx/schedulerOf.js';
import { Trampoline, trampoline } from '../rx/trampoline.js';
import { Activity, type InformerContext } from './session/informerContext.js';
import { createLister } from './createLister.js';
import { HealthTracker } from './session/healthTracker.js';
import type { HandlerOptions, HandlerRegistration, ResourceEventHandler } from './resourceEventHandler.js';
import type { EventsOptions, ProcessOptions } from './consuming/process.js';
import { indexSnapshots } from './session/indexSnapshots.js';
import { ErrorReporter, indexError } from './session/errorReporter.js';
import type { InformerOptions } from './informerOptions.js';
import type { InformerSource } from './session/informerSource.js';
import { Life } from './session/life.js';
import { collectionPort, type CollectionPort, type Lister } from './collection.js';
import { RunningInformer } from './session/runningInformer.js';
import {
  createResyncClock,
  createWritesView,
  HandlerRegistry,
  InformerTrace,
  processed,
  queuedCache,
  slicedEvents,
  verifyInformer,
} from './parts.js';
import type { WritesView } from './session/writesView.js';
import type { SharedInformer } from './sharedInformer.js';
import type { Verification, VerifyOptions } from './verify/verification.js';
import type { WaitOptions } from './waiting/waitFor.js';
import type { WarmCache } from './warm/warmCache.js';
import { inProduction } from '../api/inProduction.js';
import { noteTransformed } from '../api/transformed.js';
import { createIndexer } from '../cache/store/createIndexer.js';
import { keyNamespaceIndexFunc, namespaceIndex } from '../cache/store/indexFuncs.js';

/** The namespace of an object, else that of its key, since a transform may drop the metadata. */
const byNamespace: IndexFunc<unknown> = (value, key) => {
  const { metadata } = value as { readonly metadata?: { readonly namespace?: unknown } };
  return typeof metadata?.namespace === 'string' ? [metadata.namespace] : keyNamespaceIndexFunc(value, key);
};

/** The indexer of an informer. Keys of a server's objects contain the namespace, even if a transform drops the metadata. */
function createInformerIndexer<T, U>(
  { transform, indexers, initialObjects }: InformerOptions<T, U>,
  { origin, resource }: InformerSource<T>,
  report: (error: InformerError) => void,
): Indexer<U> {
  const indexer: Indexer<U> = createIndexer<U>({
    indexers: { [namespaceIndex]: transform === undefined && origin === undefined ? byNamespace : keyNamespaceIndexFunc, ...indexers },
    initialObjects,
    onIndexError: (cause, indexName, key) => report(indexError(resource, cause, indexName, key)),
  });
  // Objects saved by an earlier run came from its transform.
  if (transform !== undefined) for (const object of indexer.list()) noteTransformed(object);
  return indexer;
}

/**
 * Warns once, in development, when a cache is read before its informer has started: it is empty then, which looks like a cluster without
 * objects.
 */
function warnOfEarlyReads(isEarly: () => boolean, warn: (message: string) => void): () => void {
  let isSettled = inProduction();
  return () => {
    if (!isSettled && isEarly())
      warn('its lister is read before it has started, and is empty; subscribe or call start(), and await whenSynced() first');
    isSettled = true;
  };
}

/** Adds resync updates at a period of the subscriber's own. */
function withResyncs<T, R>(
  source: Observable<R>,
  clock: InformerContext<T>['clock'],
  periodMs: number | undefined,
  pass: (subscriber: Subscriber<R>, change: ResourceChange<T>) => void,
): Observable<R> {
  return new Observable((subscriber) => {
    subscriber.add(source.subscribe(subscriber));
    if (!subscriber.closed) subscriber.add(clock.join(periodMs, (change) => pass(subscriber, change)));
  });
}

/** The informer: connects the source, the cache and the subscribers, and manages its life. */
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
  private readonly running: RunningInformer<U>;
  private readonly changes$: SharedChanges<U>;
  private readonly registry: HandlerRegistry<U>;
  private readonly context: InformerContext<U>;
  private readonly stop$ = new Subject<void>();
  /** Resolves when the cache has been saved after the stop. */
  private saved = Promise.resolve();
  private readonly life: Life<U>;
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
    const { onError, logger, resyncPeriodMs = 0, transform, freeze, deltaFifo = false } = options;
    this.errors = new ErrorReporter({ name, onError, logger, scheduler, turns, onStop: (error) => this.finish(error) });
    const { report, warn } = this.errors;
    const indexer = createInformerIndexer(options, source, report);
    this.cache = indexer;
    const resourceVersion = (): string => indexer.lastStoreSyncResourceVersion();
    const savedAt = (): number | undefined => source.warm?.savedAt();
    const unverifiedSince = (): number | undefined => source.verifier?.unverifiedSince();
    this.tracker = new HealthTracker({ turns, scheduler, resourceVersion, degraded, scopes, savedAt, unverifiedSince });
    const clock = createResyncClock({ periodMs: resyncPeriodMs, scheduler, turns, indexer, hasSynced: () => this.hasSynced(), warn });
    const versionOf = (scope: string): string => this.tracker.resourceVersion(scope);
    const writes = createWritesView({ source, indexer, transform, freeze, versionOf, isQueued: deltaFifo !== false });
    const told = { health: (): InformerHealth => this.health(), changes: (): SharedChanges<U> => this.changes$ };
    this.life = new Life({ ...told, what: 'informer', name, resource, scheduler, indexer, synced$: this.tracker.synced$ });
    const running = new RunningInformer<U>({ source, scheduler, tracker: this.tracker, life: this.life });
    this.running = running;
    this.indexer = this.readerOfCache();
    const isEarly = (): boolean => this.health().state === 'idle' && resourceVersion() === '' && reader.listKeys().length === 0;
    const reader = writes?.reader ?? this.indexer;
    this.lister = createLister({ indexer, resource, reader, counts: running.reads, onRead: warnOfEarlyReads(isEarly, warn) });
    this.trace = options.trace && new InformerTrace(options.trace, this, { resource, scheduler, turns, report });
    const scan = { transform, freeze, comesShared, degraded, scopes, resource, onError: report };
    this.changes$ = this.sharedChanges(this.cachedChanges(scan, writes), clock, writes);

    const { changes$, trace } = this;
    const changesOf = (periodMs?: number): Observable<ResourceChange<U>> =>
      withResyncs(changes$, clock, periodMs, (subscriber, change) => subscriber.next(change));
    const { consumers } = running;
    this.context = { name, changes$, changesOf, indexer, scheduler, turns, clock, activity, report, trace, consumers };
    this.registry = new HandlerRegistry(this.context);
    this.change$ = changesOf();
    const resource$ = withResyncs(changes$.resource$, clock, undefined, (subscriber, change) => flattenChange(change, subscriber));
    this.resource$ = trace === undefined ? resource$ : resource$.pipe(tap((event) => trace.delivery('resource$', event)));
    this.index$ = indexSnapshots(changes$.settled$, turns, resourceVersion);
    this.error$ = this.errors.error$;
    this.health$ = this.tracker.health$;
    this.attach();
  }

  health(): InformerHealth {
    return this.tracker.health();
  }

  hasSynced(): boolean {
    return this.tracker.hasSynced();
  }

  isStopped(): boolean {
    return this.life.isOver;
  }

  lastSyncResourceVersion(scope?: string): string {
    return scope === undefined ? this.cache.lastStoreSyncResourceVersion() : this.tracker.resourceVersion(scope);
  }

  start(): void {
    this.life.start();
  }

  stop(): Promise<void> {
    // A running callback may await this promise: then do not wait for callbacks.
    const mayBeAwaitedInside = this.activity.isBusy() || this.registry.isBusy();
    this.finish();
    return mayBeAwaitedInside ? this.saved : this.stopped;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.finish();
    await this.stopped;
  }

  whenSynced(options: WaitOptions = {}): Promise<void> {
    return this.life.whenSynced(options);
  }

  events(options: EventsOptions = {}): Observable<ResourceEvent<U>> {
    return slicedEvents(this.context, options);
  }

  process<R>(work: (event: ResourceEvent<U>) => ObservableInput<R>, options: ProcessOptions = {}): Observable<R> {
    return processed(this.context, work, options);
  }

  verify(options: VerifyOptions = {}): Promise<Verification> {
    return verifyInformer<T>({ informer: this, source: this.source, settings: this.options, options, life: this.life });
  }

  addEventHandler(handler: ResourceEventHandler<U>, options: HandlerOptions<U> = {}): HandlerRegistration {
    this.life.expectRunnable('get another handler');
    return this.registry.add(handler, options);
  }

  addIndexers(indexers: Indexers<U>): void {
    this.life.expectRunnable('get more indexers');
    this.cache.addIndexers(indexers);
  }

  /** The changes of the cache, which follows the source while they are subscribed to. */
  private cachedChanges(scan: ScanToIndexOptions<T, U>, writes: WritesView<U> | undefined): Observable<ResourceChange<U>> {
    const { source, turns, cache: indexer, scheduler, tracker, trace } = this;
    const { deltaFifo: queueing = false } = this.options;
    const operatorOf = (known: boolean): OperatorFunction<SourceEvent<T>, ResourceChange<U>> => {
      if (queueing === false) return scanToIndex(indexer, { ...scan, known });
      return queuedCache({ indexer, turns, scheduler, tracker, trace, writes, queueing, scan: { ...scan, known } });
    };
    return defer(() => (this.life.isOver ? EMPTY : source.event$.pipe(finalize(this.running.begin())))).pipe(
      trampoline(turns),
      trace?.followSource<T>() ?? identity,
      this.errors.followSource<T>(),
      tracker.followSource<T>(),
      writes?.followSource<T>() ?? identity,
      (event$) => defer(() => event$.pipe(operatorOf(this.changes$.hasChanged()))),
    );
  }

  /** Shares the changes of the cache among all subscribers and handlers. */
  private sharedChanges(
    change$: Observable<ResourceChange<U>>,
    clock: InformerContext<U>['clock'],
    writes: WritesView<U> | undefined,
  ): SharedChanges<U> {
    const { cache, turns, scheduler, tracker, trace } = this;
    const { idleGraceMs = 0 } = this.options;
    const whenLastHasLeft = idleGraceMs === 0 ? true : () => (idleGraceMs === Infinity ? NEVER : timer(idleGraceMs, scheduler));
    const watched$ = change$.pipe(
      tracker.followChanges<U>(),
      trace?.followChanges<U>() ?? identity,
      writes?.followChanges() ?? identity,
      clock.tick(),
      // eslint-disable-next-line rxjs-x/no-unsafe-takeuntil -- the operators behind it must see the end, of the source or of the informer
      takeUntil(this.stop$),
      tap({ error: (error: unknown) => this.end(errorOf(error)), complete: () => this.end() }),
    );
    return shareWithSnapshot<U>(cache, { trampoline: turns, scheduler, resetOnRefCountZero: whenLastHasLeft })(watched$);
  }

  /** Registers it with its verifier, with views, and in the registry of running caches. */
  private attach(): void {
    const { turns, changes$, cache, source, running } = this;
    source.verifier?.attach({
      verify: (asked) => this.verify(asked),
      count: () => cache.listKeys().length,
      changed: () => this.tracker.check(true),
    });
    const value: CollectionPort<U> = { trampoline: turns, level: 0, settled$: changes$.settled$ };
    Object.defineProperty(this, collectionPort, { value });
    describable(this, running);
  }

  private readerOfCache(): IndexReader<U> {
    const { cache, scheduler, errors, source, tracker } = this;
    const warm = source.warm as WarmCache<T, U> | undefined;
    const { reads } = this.running;
    if (warm === undefined) {
      return readerOf(cache, () => {
        reads.reads += 1;
        return cache;
      });
    }
    // Reads of the restored cache cannot be counted; assume that there are some.
    reads.reads += 1;
    const versionOf = (scope: string): string => tracker.resourceVersion(scope);
    return warm.attach({ indexer: cache, hasSynced: () => tracker.hasSynced(), versionOf, scheduler, report: errors.report });
  }

  /** Ends it for good, in one turn: the subscribers complete, or fail. */
  private finish(error?: Error): void {
    this.turns.enter(() => {
      if (this.life.isOver) return;
      this.end(error);
      if (error === undefined) this.stop$.next();
      else this.stop$.error(error);
    });
  }

  private end(error?: Error): void {
    if (!this.life.end()) return;
    this.tracker.stop(error);
    this.saved = this.source.warm?.save() ?? this.saved;
    const quiet = Promise.all([this.registry.stop(), this.activity.whenQuiet(), this.saved]);
    this.errors.complete(error);
    this.trace?.closed();
    this.resolveStopped(quiet.then(() => undefined));
  }
}

// eslint-disable-next-line @typescript-eslint/no-unused-vars -- the constructor defines it
export interface Informer<T, U> {
  readonly [collectionPort]: CollectionPort<U>;
}
