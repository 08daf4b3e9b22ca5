import '../api/disposable.js';
import { type Observable, type ObservableInput, type SchedulerLike, Subject } from 'rxjs';
import type { InformerError } from '../api/errors/informerError.js';
import type { InformerHealth, ResourceChange, ResourceEvent } from '../api/events.js';
import { describable } from '../api/running/describable.js';
import { type Indexer, type Indexers, type IndexFunc, type IndexReader, readerOf } from '../cache/store/store.js';
import type { IndexSnapshot } from '../cache/snapshotWith.js';
import type { SharedChanges } from '../delta/share/shareWithSnapshot.js';
import { schedulerOf } from '../rx/schedulerOf.js';
import { Trampoline } from '../rx/trampoline.js';
import { Activity } from './session/informerContext.js';
import { createLister } from './createLister.js';
import { HealthTracker } from './session/healthTracker.js';
import { Consumers, type HandlerOptions, type HandlerRegistration, type ResourceEventHandler } from './consumers.js';
import { HandlerRegistry } from './consuming/handlerRegistry.js';
import type { EventsOptions, ProcessOptions } from './consuming/worked.js';
import { InformerTrace } from './session/informerTrace.js';
import { informerChanges } from './session/informerChanges.js';
import { indexSnapshots } from './session/indexSnapshots.js';
import { ErrorReporter, indexError } from './session/errorReporter.js';
import type { InformerOptions } from './informerOptions.js';
import type { InformerSource } from './session/informerSource.js';
import { Life } from './session/life.js';
import { collectionPort, type CollectionPort, type Lister } from './collection.js';
import { RunningInformer } from './session/runningInformer.js';
import { createResyncClock } from './session/resyncClock.js';
import type { SharedInformer } from './sharedInformer.js';
import { verifyInformer } from './verify/verifyInformer.js';
import type { Verification, VerifyOptions } from './verify/verification.js';
import type { WaitOptions } from './waiting/waitFor.js';
import { createWritesView } from './session/writesView.js';
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
  private readonly consumers: Consumers<U>;
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
    this.changes$ = informerChanges<T, U>({
      ...options,
      ...{ event$: source.event$, running, indexer, turns, scheduler, activity, stop$: this.stop$, clock, writes },
      scan: { transform, freeze, comesShared, degraded, scopes, resource, onError: report },
      ...{ errors: this.errors, tracker: this.tracker, trace: this.trace },
      isEnded: () => this.life.isOver,
      end: (error) => this.end(error),
    });

    const { changes$, trace } = this;
    const context = { name, changes$, indexer, scheduler, turns, clock, activity, report, trace, consumers: running.consumers };
    this.registry = new HandlerRegistry(context);
    this.consumers = new Consumers(context);
    this.change$ = this.consumers.change$;
    this.resource$ = this.consumers.resource$;
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
    return this.consumers.events(options);
  }

  process<R>(work: (event: ResourceEvent<U>) => ObservableInput<R>, options: ProcessOptions = {}): Observable<R> {
    return this.consumers.process(work, options);
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
