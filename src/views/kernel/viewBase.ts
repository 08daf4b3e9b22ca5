import {
  defer,
  EMPTY,
  finalize,
  type Observable,
  type Observer,
  of,
  type SchedulerLike,
  Subject,
  type Subscription,
  takeUntil,
  timer,
} from 'rxjs';
import { InformerError, messageOf } from '../../api/errors/informerError.js';
import { inProduction } from '../../api/inProduction.js';
import type { InformerHealth, ResourceChange, ResourceEvent } from '../../api/events.js';
import { type Describable, describable, runningKey } from '../../api/running/describable.js';
import type { ViewFacts } from '../../api/running/facts.js';
import { registry, type Running } from '../../api/running/registry.js';
import type { IndexSnapshot } from '../../cache/snapshotWith.js';
import { createIndexer } from '../../cache/store/createIndexer.js';
import type { Indexer, Indexers, IndexReader, KeyedWrites } from '../../cache/store/store.js';
import { readGuard } from '../../cache/store/readGuard.js';
import { createLister } from '../../informer/createLister.js';
import { type Collection, collectionPort, type CollectionPort, type Lister } from '../../informer/collection.js';
import { indexSnapshots } from '../../informer/session/indexSnapshots.js';
import { ErrorReporter, indexError } from '../../informer/session/errorReporter.js';
import { Life } from '../../informer/session/life.js';
import type { WaitOptions } from '../../informer/waiting/waitFor.js';
import { schedulerOf } from '../../rx/schedulerOf.js';
import type { Trampoline } from '../../rx/trampoline.js';
import { createSharedChanges, type SharedChanges } from '../../delta/share/shareWithSnapshot.js';
import type { ViewCounters, ViewExplanation, ViewOptions } from '../view.js';
import { Computations } from './computations.js';
import { asyncError, isPromise } from './checks.js';
import { ViewHealth } from './viewHealth.js';
import type { LabelsOf } from './viewPort.js';

/**
 * The options of every collection of the views.
 */
export interface ViewBaseOptions<T> extends Pick<ViewOptions<T>, 'labels' | 'indexers' | 'idleGraceMs' | 'logger' | 'scheduler'> {
  readonly name: string;
}

/** The longest default name. */
const longestName = 80;

/** The default name of a view. */
export function defaultName(kind: string, inputs: readonly Collection<never>[]): string {
  const names = inputs.slice(0, 5).map(({ name }) => name);
  const text = `${kind}(${[...names, ...(inputs.length > 5 ? [`${inputs.length - 5} others`] : [])].join(', ')})`;
  return text.length > longestName ? `${text.slice(0, longestName - 3)}...` : text;
}

/**
 * A store with the members of a collection. The subclass's `session` maintains its content.
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
  protected readonly computations: Computations = new Computations();
  level = 0;
  /** Its name if its functions must not read caches directly. */
  readonly guardedName: string | undefined;
  readonly labels: LabelsOf<unknown> | undefined;
  private readonly changes$: SharedChanges<T>;
  private readonly reporter: ErrorReporter;
  private readonly stop$ = new Subject<void>();
  private readonly synced$ = new Subject<void>();
  private readonly life: Life<T>;

  constructor(options: ViewBaseOptions<T>, turns: Trampoline) {
    const { name, indexers, idleGraceMs = 0, logger } = options;
    if (readGuard.running !== undefined)
      throw new TypeError(`The function of the view ${readGuard.running} makes another one, ${name}; make it once, outside, and read it`);
    this.name = name;
    this.guardedName = inProduction() ? undefined : name;
    this.turns = turns;
    this.scheduler = schedulerOf(options.scheduler);
    const { scheduler } = this;
    this.status = new ViewHealth({ scheduler, turns, level: () => this.level });
    this.reporter = new ErrorReporter({ name, onError: undefined, logger, scheduler, turns, onStop: () => undefined });
    // The reporter holds back errors until a source is connected, and a view has none.
    EMPTY.pipe(this.reporter.followSource()).subscribe();
    const onIndexError = (cause: unknown, indexName: string, key: string): void => this.report(indexError(name, cause, indexName, key));
    const indexer = createIndexer<T>({ ...(indexers !== undefined && { indexers }), onIndexError });
    this.indexer = indexer;
    this.store = indexer;
    this.writes = indexer.keyed as KeyedWrites<T>;
    this.lister = createLister({ indexer, resource: name, labelsOf: options.labels });
    this.labels = options.labels && this.labelsBy(options.labels as LabelsOf<unknown>);
    const told = { health: (): InformerHealth => this.health(), changes: (): SharedChanges<T> => this.changes$ };
    this.life = new Life({
      ...{ ...told, what: 'view', name, resource: name, scheduler, indexer },
      synced$: defer(() => (this.hasSynced() ? of(undefined) : this.synced$)),
    });
    const cache = this.life.cache((key) => this.explain(key));
    const running: Running = { facts: () => this.facts(), inputs: () => this.runningInputs(), cache };
    describable(this, running);
    const source = defer(() => (this.life.isOver ? EMPTY : this.session().pipe(finalize(registry().add(running))))).pipe(
      takeUntil(this.stop$),
    );
    const resetOnRefCountZero = idleGraceMs === 0 ? true : () => timer(idleGraceMs, scheduler);
    const shared = createSharedChanges(source, indexer, { trampoline: turns, scheduler, resetOnRefCountZero });
    this.changes$ = shared;
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

  /** Adds indexes, with entries for existing objects. */
  addIndexers(indexers: Indexers<T>): void {
    this.life.expectRunnable('get more indexers');
    this.store.addIndexers(indexers);
  }

  start(): void {
    this.life.start();
  }

  stop(): Promise<void> {
    if (this.life.end()) {
      this.stop$.next();
      this.status.end('stopped');
      this.synced$.complete();
      this.reporter.complete();
    }
    return Promise.resolve();
  }

  whenSynced(options: WaitOptions = {}): Promise<void> {
    return this.life.whenSynced(options);
  }

  counters(): ViewCounters {
    return { ...this.computations.counted };
  }

  /** How a value was computed. */
  explain(_key: string): ViewExplanation | undefined {
    return undefined;
  }

  /** The inputs. */
  *upstream(): Iterable<Collection<never>> {
    // None by default.
  }

  private facts(): ViewFacts {
    const { computed, unchanged, failed, durationMs } = this.computations.counted;
    const inputs = [...new Set([...this.upstream()].map(({ name }) => name))];
    return { kind: 'view', ...this.life.facts(), inputs, computed, unchanged, failed, durationMs };
  }

  private runningInputs(): readonly Running[] {
    return [...new Set(this.upstream())].flatMap((input) => (input as Partial<Describable>)[runningKey] ?? []);
  }

  /** Subscribes to an Observable of inputs. Later emissions begin a turn, so that no change is applied between two subscribers. */
  protected follow<V>(session: Subscription, stream$: Observable<V>, take: Pick<Observer<V>, 'next' | 'error' | 'complete'>): void {
    let connecting = true;
    const inTurn = (action: () => void): void => {
      if (connecting) action();
      else this.turns.run(() => session.closed || action());
    };
    session.add(
      stream$.subscribe({
        next: (value) => inTurn(() => take.next(value)),
        error: (error: unknown) => inTurn(() => take.error(error)),
        complete: () => inTurn(() => take.complete()),
      }),
    );
    connecting = false;
  }

  /** The option `labels`, guarded: when it throws, an object has no labels. */
  private labelsBy(labels: LabelsOf<unknown>): LabelsOf<unknown> {
    const guarded = this.guarded(labels);
    return (value) => {
      try {
        return guarded(value);
      } catch (error) {
        this.failure('a value', error, 'option `labels`');
        return undefined;
      }
    };
  }

  /** Wraps a user's function, which must not read caches directly, and must not be asynchronous. */
  guarded<A extends unknown[], R>(work: (...args: A) => R): (...args: A) => R {
    const { guardedName, name } = this;
    const checked = (...args: A): R => {
      const value = work(...args);
      if (isPromise(value)) throw asyncError(`the view ${name}`);
      return value;
    };
    return guardedName === undefined ? checked : (...args) => readGuard.run(guardedName, () => checked(...args));
  }

  /** Reports an error of a user's function. */
  protected failure(key: string, cause: unknown, what: string = 'function'): InformerError {
    const message = `The ${what} of the view ${this.name} failed for ${key}: ${messageOf(cause)}`;
    const error = new InformerError({ code: 'ERR_VIEW', message, cause, resource: this.name, key });
    this.report(error);
    return error;
  }

  /** Maintains the store while subscribed to, and emits each change of it. */
  protected abstract session(): Observable<ResourceChange<T>>;

  /** Sets whether the content is complete. */
  protected setSynced(synced: boolean): void {
    const before = this.status.hasSynced();
    this.status.synced(synced);
    if (synced && !before) this.turns.after(() => this.synced$.next());
  }

  /** Emits a failure at the end of the turn. */
  protected report(error: InformerError): void {
    this.reporter.report(error);
  }
}
