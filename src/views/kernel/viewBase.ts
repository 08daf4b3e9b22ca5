import { defer, EMPTY, merge, Observable, type SchedulerLike, Subject, type Subscription, takeUntil, timer } from 'rxjs';
import { InformerError } from '../../api/errors/informerError.js';
import type { InformerHealth } from '../../api/events/informerHealth.js';
import type { ResourceChange } from '../../api/events/resourceChange.js';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import type { IndexSnapshot } from '../../cache/snapshot/indexSnapshot.js';
import { createIndexer } from '../../cache/store/createIndexer.js';
import type { Indexer, Indexers } from '../../cache/store/indexer.js';
import type { IndexReader } from '../../cache/store/indexReader.js';
import { readGuard } from '../../cache/store/readGuard.js';
import type { KeyedWrites } from '../../cache/store/store.js';
import { type CollectionPort, collectionPort } from '../../informer/collection.js';
import { createLister } from '../../informer/createLister.js';
import type { Lister } from '../../informer/lister.js';
import { ErrorReporter } from '../../informer/session/errorReporter.js';
import { indexSnapshots } from '../../informer/session/indexSnapshots.js';
import { indexError } from '../../informer/session/informerErrors.js';
import { waitFor } from '../../informer/waiting/waitFor.js';
import type { WaitOptions } from '../../informer/waiting/waitOptions.js';
import { schedulerOf } from '../../rx/schedulerOf.js';
import type { Trampoline } from '../../rx/trampoline.js';
import { createSharedChanges } from '../../delta/share/sharedChanges.js';
import type { ViewOptions } from '../viewOptions.js';
import { ViewHealth } from './viewHealth.js';

/**
 * What a collection of the views is made of.
 */
export interface ViewBaseOptions<T> extends Pick<ViewOptions<T>, 'labels' | 'indexers' | 'idleGraceMs' | 'logger' | 'scheduler'> {
  readonly name: string;
}

/**
 * A store with everything that a collection shows of it. What keeps it up, `session`, is a subclass's.
 */
export abstract class ViewBase<T> {
  readonly name: string;
  readonly change$: Observable<ResourceChange<T>>;
  readonly resource$: Observable<ResourceEvent<T>>;
  readonly index$: Observable<IndexSnapshot<T>>;
  readonly indexer: IndexReader<T>;
  readonly lister: Lister<T>;
  readonly health$: Observable<InformerHealth>;
  readonly error$: Observable<InformerError>;

  protected readonly store: Indexer<T>;
  protected readonly writes: KeyedWrites<T>;
  protected readonly scheduler: SchedulerLike;
  readonly status: ViewHealth;
  protected readonly turns: Trampoline;
  level = 0;
  private readonly reporter: ErrorReporter;
  private readonly stop$ = new Subject<void>();
  private readonly synced$ = new Subject<void>();
  private isStopped = false;
  private held: Subscription | undefined;

  constructor(options: ViewBaseOptions<T>, turns: Trampoline) {
    const { name, indexers, idleGraceMs = 0, logger } = options;
    if (readGuard.running !== undefined)
      throw new TypeError(`The function of the view ${readGuard.running} makes another one, ${name}; make it once, outside, and read it`);
    this.name = name;
    this.turns = turns;
    this.scheduler = schedulerOf(options.scheduler);
    const { scheduler } = this;
    this.status = new ViewHealth({ scheduler, turns, level: () => this.level });
    this.reporter = new ErrorReporter({ name, onError: undefined, logger, scheduler, turns, onStop: () => undefined });
    // Its errors wait for a source, which a view does not have.
    EMPTY.pipe(this.reporter.followSource()).subscribe();
    const onIndexError = (cause: unknown, indexName: string, key: string): void => this.report(indexError(name, cause, indexName, key));
    const indexer = createIndexer<T>({ ...(indexers !== undefined && { indexers }), onIndexError });
    this.indexer = indexer;
    this.store = indexer;
    this.writes = indexer.keyed as KeyedWrites<T>;
    this.lister = createLister(indexer, name, indexer, options.labels);
    const source = defer(() => (this.isStopped ? EMPTY : this.session())).pipe(takeUntil(this.stop$));
    const shared = createSharedChanges(source, indexer, {
      trampoline: turns,
      ...(idleGraceMs > 0 && { resetOnRefCountZero: () => timer(idleGraceMs, scheduler) }),
    });
    this.change$ = shared;
    this.resource$ = shared.resource$;
    this.index$ = indexSnapshots(shared.settled$, turns, () => '');
    this.health$ = this.status.health$;
    this.error$ = this.reporter.error$;
    const levelOf = (): number => this.level;
    const port: CollectionPort<T> = {
      trampoline: turns,
      settled$: shared.settled$,
      get level() {
        return levelOf();
      },
    };
    Object.defineProperty(this, collectionPort, { value: port });
  }

  health(): InformerHealth {
    return this.status.health();
  }

  hasSynced(): boolean {
    return this.status.hasSynced();
  }

  /** Adds indexes, also to what is there already. */
  addIndexers(indexers: Indexers<T>): void {
    if (this.isStopped) throw this.stoppedError();
    this.store.addIndexers(indexers);
  }

  start(): void {
    if (this.isStopped) throw this.stoppedError();
    this.held ??= this.hold();
  }

  stop(): Promise<void> {
    if (!this.isStopped) {
      this.isStopped = true;
      this.held = undefined;
      this.stop$.next();
      this.status.end('stopped');
      this.synced$.complete();
      this.reporter.complete();
    }
    return Promise.resolve();
  }

  whenSynced(options: WaitOptions = {}): Promise<void> {
    const condition = new Observable<void>((subscriber) => {
      if (this.isStopped) {
        subscriber.complete();
        return;
      }
      const failed = new Subject<void>();
      const hold = this.change$.subscribe({ error: (error: unknown) => failed.error(error), complete: () => failed.complete() });
      subscriber.add(() => {
        if (this.held !== hold) hold.unsubscribe();
      });
      const resolve = (): void => {
        this.held ??= hold;
        subscriber.next();
      };
      if (this.hasSynced()) resolve();
      else subscriber.add(merge(this.synced$, failed).subscribe({ next: resolve, error: (error: unknown) => subscriber.error(error) }));
    });
    return waitFor(condition, options, {
      owner: 'whenSynced',
      scheduler: this.scheduler,
      ended: () => this.stoppedError(),
      tooLate: () => this.tooLateError(options.timeoutMs ?? 0),
    });
  }

  /** Keeps the store up while it is subscribed to, and emits each change of it. */
  protected abstract session(): Observable<ResourceChange<T>>;

  /** The content is complete, or is not any more. */
  protected setSynced(synced: boolean): void {
    const before = this.status.hasSynced();
    this.status.synced(synced);
    if (synced && !before) this.turns.after(() => this.synced$.next());
  }

  /** Emits a failure when the turn is over. */
  protected report(error: InformerError): void {
    this.reporter.report(error);
  }

  private hold(): Subscription {
    return this.change$.subscribe({ error: () => undefined });
  }

  private stoppedError(): InformerError {
    return new InformerError({ code: 'ERR_STOPPED', message: `The view ${this.name} has been stopped`, resource: this.name });
  }

  private tooLateError(timeoutMs: number): InformerError {
    const { state, error } = this.health();
    const why = error === undefined ? `it is ${state}` : error.message;
    return new InformerError({
      code: 'ERR_TIMEOUT',
      message: `The view ${this.name} did not sync within ${timeoutMs} ms: ${why}`,
      cause: error,
      resource: this.name,
    });
  }
}
