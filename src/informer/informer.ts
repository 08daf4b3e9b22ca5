import { Observable, type ObservableInput, type OperatorFunction, tap } from 'rxjs';
import { errorOf, failureOf, InformerError } from '../api/errors/informerError.js';
import type { ResourceChange, ResourceEvent, SourceEvent } from '../api/events.js';
import type { Running } from '../api/running.js';
import { sealedContent } from '../cache/store/content.js';
import { type IndexFunc, type IndexReader, readerOf } from '../cache/store/store.js';
import { cacheChanges } from '../delta/index/cache.js';
import type { Sent } from '../delta/index/cachedObjects.js';
import type { ResourceEventHandler } from '../delta/resourceEventHandler.js';
import { flattened } from '../delta/share/shareWithSnapshot.js';
import { Trampoline, trampoline } from '../rx/trampoline.js';
import { Activity, type InformerContext, type RunningHandler } from './session/informerContext.js';
import { createLister } from './createLister.js';
import { HealthTracker } from './session/healthTracker.js';
import type { InformerOptions } from './informerOptions.js';
import type { InformerFigures } from './session/informerFigures.js';
import { LiveCollection } from './session/liveCollection.js';
import type { collectionPort, CollectionPort, Lister } from './collection.js';
import { createHandler, processed, slicedEvents } from './consuming/consumers.js';
import { ResyncClock } from './session/resyncClock.js';
import { type Attached, type PluggedInformer, type Plugs, type Relisting, type Verifiable, verifiable } from './parts/part.js';
import type { EventsOptions, HandlerOptions, HandlerRegistration, ProcessOptions, SharedInformer } from './sharedInformer.js';
import { inProduction } from '../api/inProduction.js';
import { keyNamespaceIndexFunc, namespaceIndex } from '../cache/store/indexFuncs.js';

/** The source of an informer. */
export interface InformerSource<T> {
  readonly event$: Observable<SourceEvent<T>>;
  /** Whether objects arrive with shared, frozen parts. */
  readonly comesShared?: boolean;
  /** The resource, for messages: `pods`, `deployments.apps`. */
  readonly resource: string;
  /** The scopes to wait for, if there are several; a Set that changes with them. */
  readonly scopes?: ReadonlySet<string> | undefined;
  /** The trampoline in which events are applied; by default the informer makes one. */
  readonly turns?: Trampoline | undefined;
  /** The selection of a client's objects in words: namespaces and selectors. */
  readonly selection?: string;
  /** Whether it has whole objects, without selection or transform. */
  readonly isWhole?: boolean;
  /** The client, if two informers with it and this selection certainly have the same objects. */
  readonly readsWith?: object | undefined;
  /** How to list again. */
  readonly relisting?: Relisting | undefined;
  readonly plugs?: Plugs | undefined;
}

/** The namespace of an object, else that of its key, since a transform may drop the metadata. */
const byNamespace: IndexFunc<unknown> = (value, key) => {
  const { metadata } = value as { readonly metadata?: { readonly namespace?: unknown } };
  return typeof metadata?.namespace === 'string' ? [metadata.namespace] : keyNamespaceIndexFunc(value, key);
};

/**
 * Warns once, in development, when a cache is read before its informer has started: it is empty then, which looks like a cluster without
 * objects.
 */
function warnOfEarlyReads(isEarly: () => boolean, warn: (message: string) => void): () => void {
  let isSettled = inProduction();
  return () => {
    if (!isSettled && isEarly()) warn('its lister is read before it has started: await whenSynced() first');
    isSettled = true;
  };
}

/** The informer: connects the source, the cache and the subscribers. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- a class cannot declare a member by a symbol that is imported
export class Informer<T, U> extends LiveCollection<U> implements SharedInformer<U> {
  readonly indexer: IndexReader<U>;
  readonly lister: Lister<U>;
  readonly change$: Observable<ResourceChange<U>>;
  readonly resource$: Observable<ResourceEvent<U>>;
  readonly status: HealthTracker;

  private readonly source: InformerSource<T>;
  private readonly options: InformerOptions<T, U>;
  private readonly activity = new Activity();
  private readonly degraded = new Set<string>();
  private readonly sent: Sent = new Map();
  private readonly parts: readonly Attached[];
  private readonly consumers: InformerContext<U>['consumers'] = new Map();
  private readonly reads: InformerFigures['reads'] = { reads: 0, searches: 0, searched: 0, found: 0 };
  /** The handlers, including removed ones with a call under way. */
  private readonly handlers = new Set<RunningHandler>();
  private handlerCount = 0;
  private readonly context: InformerContext<U>;
  /** When its session began. */
  private begunAt: number | undefined;
  /** Resolves when the cache has been saved after the stop. */
  private saved = Promise.resolve();
  private resolveStopped!: (quiet: Promise<void>) => void;
  readonly stopped: Promise<void> = new Promise((resolve) => {
    this.resolveStopped = resolve;
  });

  constructor(source: InformerSource<T>, options: InformerOptions<T, U>) {
    const { resource, selection, turns = new Trampoline() } = source;
    const { resyncPeriodMs = 0, transform } = options;
    // Keys of a server's objects contain the namespace, even if a transform drops the metadata.
    const namespaceOf = transform === undefined && selection === undefined ? byNamespace : keyNamespaceIndexFunc;
    const indexers = { [namespaceIndex]: namespaceOf, ...options.indexers };
    super({ what: 'informer', name: options.name ?? resource, resource, turns, options: { ...options, indexers } });
    const { scheduler, store: indexer, activity, degraded, changes$, consumers, drops$ } = this;
    const { report, sourceFailed, warn } = this.errors;
    this.source = source;
    this.options = options;
    this.status = new HealthTracker({ turns, scheduler, sourceFailed, indexer, degraded, scopes: source.scopes });
    const clock = new ResyncClock({ periodMs: resyncPeriodMs, scheduler, turns, indexer, hasSynced: () => this.hasSynced(), warn });
    this.parts = this.attached();
    const parts = Object.assign({}, ...this.parts) as Attached;
    this.status.parts = parts;
    this.indexer = this.readerOfCache(parts);
    const isEarly = (): boolean =>
      this.health().state === 'idle' && indexer.lastStoreSyncResourceVersion() === '' && reader.listKeys().length === 0;
    const reader: Pick<IndexReader<U>, 'list' | 'listKeys' | 'getByKey' | 'byIndex'> = parts.shown ?? this.indexer;
    const onRead = warnOfEarlyReads(isEarly, warn);
    this.lister = createLister({ indexer, resource, isNamed: selection !== undefined, reader, counts: this.reads, onRead });
    const delivering = this.parts.flatMap((part) => part.delivered ?? []);
    const delivered: InformerContext<U>['delivered'] =
      delivering.length === 0 ? undefined : (to, event) => delivering.forEach((each) => each(to, event));

    const changesOf = (periodMs?: number): Observable<ResourceChange<U>> =>
      new Observable((subscriber) => {
        subscriber.add(changes$.subscribe(subscriber));
        if (!subscriber.closed) subscriber.add(clock.join(periodMs, (change) => subscriber.next(change)));
      });
    const reading = { resource, changes$, changesOf, indexer, scheduler, turns };
    this.context = { ...reading, clock, activity, report, delivered, drops$, consumers };
    this.change$ = changesOf();
    const resource$ = flattened(this.change$);
    this.resource$ = delivered === undefined ? resource$ : resource$.pipe(tap((event) => delivered('resource$', event)));
    const isTransformed = transform !== undefined;
    const ended = (): InformerError => this.stoppedError('has been stopped');
    const value: Verifiable = { resource, scheduler, isTransformed, relisting: source.relisting, ended };
    Object.defineProperty(this, verifiable, { value });
  }

  isStopped(): boolean {
    return this.isOver;
  }

  lastSyncResourceVersion(scope?: string): string {
    return scope === undefined ? this.store.lastStoreSyncResourceVersion() : this.status.source.versionOf(scope);
  }

  stop(): Promise<void> {
    // If a callback is running, it may be awaiting this promise: do not wait for callbacks then.
    const mayBeAwaitedInside = [this.activity, ...this.handlers].some((each) => each.isBusy());
    this.finish();
    return mayBeAwaitedInside ? this.saved : this.stopped;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.finish();
    await this.stopped;
  }

  events(options: EventsOptions = {}): Observable<ResourceEvent<U>> {
    return slicedEvents(this.context, options);
  }

  process<R>(work: (event: ResourceEvent<U>) => ObservableInput<R>, options: ProcessOptions = {}): Observable<R> {
    return processed(this.context, work, options);
  }

  addEventHandler(handler: ResourceEventHandler<U>, options: HandlerOptions<U> = {}): HandlerRegistration {
    this.expectRunnable('get another handler');
    const added = createHandler(this.context, `${this.name} handler ${this.handlerCount + 1}`, handler, options);
    this.handlerCount += 1;
    this.handlers.add(added);
    void added.removed.then(() => this.handlers.delete(added));
    added.follow();
    return added;
  }

  protected override session(): Observable<ResourceChange<U>> {
    const { source, turns, status, parts } = this;
    this.begunAt = this.scheduler.now();
    let event$: Observable<SourceEvent<T>> = source.event$.pipe(trampoline(turns));
    for (const { followSource } of parts) event$ = followSource?.(event$) ?? event$;
    let change$ = event$.pipe(status.followSource<T>(), this.cached(), status.followChanges<U>());
    for (const { followChanges } of parts) change$ = followChanges?.(change$) ?? change$;
    return change$.pipe(
      this.context.clock.tick(),
      tap({ error: (error: unknown) => this.failed(errorOf(error)), complete: () => this.end() }),
    );
  }

  /** The source has failed, which ends the informer. Subscribers get its error as it is. */
  private failed(cause: Error): void {
    const { resource } = this.source;
    const what = `The source of ${resource} failed`;
    this.end(cause, cause instanceof InformerError ? cause : failureOf('ERR_WATCH', what, cause, { resource }));
  }

  protected override release(): void {
    for (const { release } of this.parts) this.saved = release?.() ?? this.saved;
    const handlers = [...this.handlers];
    for (const handler of handlers) handler.remove();
    const quiet = Promise.all([...handlers.map(({ removed }) => removed), this.activity.whenQuiet(), this.saved]);
    this.resolveStopped(quiet.then(() => undefined));
  }

  protected override running(): Running {
    return { ...super.running(), resources: () => [this.source.resource], readsWith: () => this.source.readsWith };
  }

  protected override figures(): InformerFigures {
    const { source, status, reads, consumers } = this;
    const { resource, selection = '', isWhole = false } = source;
    const { resourceVersion, staleMs, attempt } = status.health();
    const figures = this.collectionFigures();
    return {
      ...{ kind: 'informer', ...figures, resource, selection, isWhole, resourceVersion, staleMs, attempt },
      since: this.begunAt ?? figures.at,
      scopes: status.source.figures(),
      reads: { ...reads },
      consumers: [...consumers].map(([worker, { who, failures }]) => ({ name: who, ...worker.figures(), ...failures })),
    };
  }

  /** Maintains the cache. */
  private cached(): OperatorFunction<SourceEvent<T>, ResourceChange<U>> {
    const { store, degraded, sent, source, changes$, drops$ } = this;
    const { transform, freeze } = this.options;
    const { resource, scopes, comesShared } = source;
    const known = changes$.hasChanged();
    const onError = this.errors.report;
    const options = { transform, freeze, comesShared, degraded, scopes, resource, onError, known, drops$ };
    return cacheChanges<T, U>(store, sealedContent(store), options, sent);
  }

  private attached(): readonly Attached[] {
    const { store, turns, scheduler, consumers, status, source, drops$, sent } = this;
    const { resource, scopes, plugs } = source;
    const plugged: PluggedInformer = {
      ...{ informer: this, store, resource, turns, scheduler, scopes, consumers },
      ...{ drops$, sent, isHeard: () => this.subscriberCount() > 0 },
      report: this.errors.report,
      warn: this.errors.warn,
      healthChanged: () => status.check(true),
    };
    return plugs?.all.flatMap(({ attach }) => attach?.(plugged) ?? []) ?? [];
  }

  private readerOfCache({ reader }: Attached): IndexReader<U> {
    const { store, reads } = this;
    if (reader === undefined)
      return readerOf(store, () => {
        reads.reads += 1;
        return store;
      });
    // Reads of the restored cache cannot be counted; assume that there are some.
    reads.reads += 1;
    return reader;
  }
}

// eslint-disable-next-line @typescript-eslint/no-unused-vars -- the constructor defines it
export interface Informer<T, U> {
  readonly [collectionPort]: CollectionPort<U>;
}
