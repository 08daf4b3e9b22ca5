import {
  defer,
  distinctUntilChanged,
  EMPTY,
  finalize,
  ignoreElements,
  NEVER,
  Observable,
  type SchedulerLike,
  share,
  Subject,
  type Subscription,
  takeUntil,
  tap,
  throwError,
  timer,
} from 'rxjs';
import type { Drop, Drops } from '../../api/drops.js';
import { InformerError, type InformerErrorCode, messageOf } from '../../api/errors/informerError.js';
import type { InformerHealth, ResourceChange } from '../../api/events.js';
import { describable, type Figures, registry, type Running } from '../../api/running.js';
import { emptySnapshot, type IndexSnapshot, type SnapshotChange, snapshotWith } from '../../cache/snapshotWith.js';
import { IndexedStore } from '../../cache/store/indexedStore.js';
import { readGuard } from '../../cache/store/readGuard.js';
import type { Indexers, Store } from '../../cache/store/store.js';
import { createSharedChanges, type SharedChanges, type SharingFigures } from '../../delta/share/shareWithSnapshot.js';
import { schedulerOf } from '../../rx/schedulerOf.js';
import type { Trampoline } from '../../rx/trampoline.js';
import { collectionPort, type CollectionPort } from '../collection.js';
import { waitFor, type WaitOptions } from '../waiting/waitFor.js';
import type { CollectionHealth } from './collectionHealth.js';
import { ErrorReporter, type ErrorReporterOptions, indexError } from './errorReporter.js';

/** The options of every collection. */
interface LiveOptions<T> extends Partial<Pick<ErrorReporterOptions, 'onError' | 'logger'>> {
  readonly indexers?: Indexers<T> | undefined;
  readonly idleGraceMs?: number | undefined;
  readonly scheduler?: SchedulerLike | undefined;
}

interface LiveInit<T> {
  readonly what: 'informer' | 'view';
  readonly name: string;
  /** The resource, for errors. */
  readonly resource: string;
  readonly turns: Trampoline;
  readonly options: LiveOptions<T>;
}

/** The figures of a collection. */
export interface CollectionFigures extends Figures, SharingFigures {
  readonly state: string;
  /** The time in that state, in milliseconds. */
  readonly forMs: number;
  readonly synced: boolean;
  readonly objects: number;
  readonly error?: Error | undefined;
  /** Keys whose value could not be computed. */
  readonly degraded: readonly string[];
}

/**
 * The base of informers and views: the store, the shared changes, start and stop, waits for the sync, and the entry in the registry. The subclass's `session`
 * maintains the store.
 */
export abstract class LiveCollection<T> {
  readonly name: string;
  readonly index$: Observable<IndexSnapshot<T>>;
  readonly health$: Observable<InformerHealth> = defer(() => this.status.health$);
  readonly error$: Observable<InformerError>;
  /** One more than the highest level of its inputs; 0 without inputs. */
  level = 0;

  abstract readonly status: CollectionHealth;
  protected readonly scheduler: SchedulerLike;
  protected readonly turns: Trampoline;
  protected readonly store: IndexedStore<T>;
  protected readonly errors: ErrorReporter;
  protected readonly changes$: SharedChanges<T>;
  protected readonly drops$: Drops = new Subject<Drop>();
  protected isOver = false;
  /** The completion or error for subscribers after the end. */
  private ended$: Observable<never> = EMPTY;
  private readonly about: Pick<LiveInit<T>, 'what' | 'resource'>;
  private readonly stop$ = new Subject<void>();
  /** Its own subscription, which keeps it running after `start()` or a successful wait. */
  private held: Subscription | undefined;

  constructor({ what, name, resource, turns, options }: LiveInit<T>) {
    if (readGuard.running !== undefined) throw readGuard.running({ make: `${what} ${name}` });
    const { indexers, idleGraceMs = 0, logger, onError } = options;
    this.about = { what, resource };
    this.name = name;
    this.turns = turns;
    const scheduler = schedulerOf(options.scheduler);
    this.scheduler = scheduler;
    this.errors = new ErrorReporter({ name, onError, logger, scheduler, turns, onStop: (error) => this.finish(error) });
    this.error$ = this.errors.error$;
    const { report } = this.errors;
    const store = new IndexedStore<T>({
      indexers,
      onIndexError: (cause, indexName, key) => report(indexError(resource, cause, indexName, key)),
    });
    this.store = store;
    const running = this.running();
    describable(this, running);
    const source$ = defer(() => {
      if (this.isOver) return this.ended$;
      this.errors.begin();
      return this.session().pipe(finalize(registry().register(running)));
    });
    const resetOnRefCountZero = idleGraceMs === 0 ? true : () => (idleGraceMs === Infinity ? NEVER : timer(idleGraceMs, scheduler));
    const shared = createSharedChanges(source$.pipe(takeUntil(this.stop$)), store, {
      trampoline: turns,
      scheduler,
      resetOnRefCountZero,
      drops$: this.drops$,
    });
    this.changes$ = shared;
    this.index$ = indexSnapshots(shared.settled$, turns, store);
    const levelOf = (): number => this.level;
    const port: CollectionPort<T> = {
      trampoline: turns,
      settled$: shared.settled$,
      get level() {
        return levelOf();
      },
      get changes() {
        return shared.figures().changes;
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

  start(): void {
    this.expectRunnable('be started');
    if (!this.isHeld()) this.held = this.changes$.subscribe({ error: this.heldFailed });
  }

  /** Adds indexes, with entries for existing objects, and returns what removes them. */
  addIndexers(indexers: Indexers<T>): () => void {
    this.expectRunnable('get more indexers');
    return this.store.addIndexers(indexers);
  }

  /** Waits for the sync. After a successful wait, the collection keeps running; after one that fails or is aborted, it does not. */
  whenSynced(options: WaitOptions = {}): Promise<void> {
    const condition = new Observable<void>((subscriber) => {
      if (this.isOver) {
        subscriber.complete();
        return;
      }
      let holds = false;
      const error = (thrown: unknown): void => (holds ? this.heldFailed(thrown) : subscriber.error(thrown));
      const complete = (): void => subscriber.complete();
      const hold = this.changes$.subscribe({ error, complete });
      subscriber.add(() => {
        if (!holds) hold.unsubscribe();
      });
      const check = (): void => {
        if (subscriber.closed || !this.hasSynced()) return;
        holds = !this.isHeld();
        if (holds) this.held = hold;
        subscriber.next();
      };
      check();
      // After the subscribers of the change: one of them may stop it.
      subscriber.add(this.changes$.follow(() => this.turns.after(check), true));
    });
    const tooLate = (): InformerError => {
      const { state, error } = this.health();
      const why = error === undefined ? `it is ${state}` : error.message;
      return this.errorOf('ERR_TIMEOUT', `did not sync within ${options.timeoutMs ?? Infinity} ms: ${why}`);
    };
    const ended = (): InformerError => this.stoppedError('has been stopped');
    return waitFor(condition, options, { owner: 'whenSynced', scheduler: this.scheduler, ended, tooLate });
  }

  /** Maintains the store while subscribed to, and emits each change of it. */
  protected abstract session(): Observable<ResourceChange<T>>;

  protected abstract figures(): CollectionFigures;

  /** Its entry in the registry. */
  protected running(): Running {
    return {
      figures: () => this.figures(),
      cache: {
        keys: () => this.store.listKeys(),
        get: (key) => this.store.getByKey(key),
        isHeard: () => this.subscriberCount() > 0,
        follow: (next, dropped) => {
          const following = this.changes$.follow(next, true);
          following.add(dropped && this.drops$.subscribe({ next: dropped, error: () => undefined }));
          return () => following.unsubscribe();
        },
      },
    };
  }

  protected collectionFigures(): Omit<CollectionFigures, 'kind'> {
    const { state, since, synced, degraded, error } = this.health();
    const figures = this.changes$.figures();
    const at = this.scheduler.now();
    return {
      ...{ name: this.name, at, state, synced, degraded, error, ...figures },
      forMs: at - since,
      objects: this.store.listKeys().length,
      subscribers: this.subscriberCount(),
    };
  }

  /** The number of subscribers, not counting the collection itself. */
  protected subscriberCount(): number {
    return this.changes$.figures().subscribers - (this.isHeld() ? 1 : 0);
  }

  /** Reports the failure of a session that was held: no subscriber may have it. The end of an informer is reported by itself. */
  private readonly heldFailed = (cause: unknown): void => {
    if (!this.isOver) this.errors.report(this.errorOf('ERR_VIEW', `has failed: ${messageOf(cause)}`, cause));
  };

  /** A session that has failed holds nothing any more. */
  private isHeld(): boolean {
    return this.held?.closed === false;
  }

  /** Ends it for good, in one turn: the subscribers complete, or fail. */
  protected finish(error?: Error): void {
    this.turns.enter(() => {
      if (this.isOver) return;
      this.end(error);
      if (error === undefined) this.stop$.next();
      else this.stop$.error(error);
    });
  }

  /** @param told - the error as health and `error$` have it. */
  protected end(error?: Error, told: Error | undefined = error): void {
    if (this.isOver) return;
    this.isOver = true;
    if (error !== undefined) this.ended$ = throwError(() => error);
    this.held = undefined;
    this.status.stop(told);
    this.release();
    this.errors.complete(told);
  }

  /** Called at the end, before the subscribers complete. */
  protected release(): void {
    // Nothing by default.
  }

  /** @throws InformerError with the code ERR_STOPPED after the end. */
  protected expectRunnable(what: string): void {
    if (this.isOver) throw this.stoppedError(`cannot ${what}: it has been stopped`);
  }

  /** The error of a call after the end. Its cause is the error that ended it, if any. */
  protected stoppedError(what: string): InformerError {
    return this.errorOf('ERR_STOPPED', what);
  }

  private errorOf(code: InformerErrorCode, problem: string, cause: unknown = this.health().error): InformerError {
    const { what, resource } = this.about;
    return new InformerError({ code, message: `The ${what} ${this.name} ${problem}`, cause, resource });
  }
}

/**
 * Folds changes into immutable snapshots, once for all subscribers: the current one, then one after each change, after the subscribers of the change.
 * Nothing is emitted before every scope is complete. Without subscribers nothing is kept.
 *
 * @param settled$ - the changes, each as soon as the store has changed.
 */
function indexSnapshots<T>(
  settled$: Observable<ResourceChange<T>>,
  turns: Trampoline,
  store: Pick<Store<T>, 'lastStoreSyncResourceVersion'>,
): Observable<IndexSnapshot<T>> {
  const snapshot$ = new Subject<IndexSnapshot<T>>();
  let current = emptySnapshot<T>();
  let synced = false;

  const emit = (): void => {
    if (synced) snapshot$.next(current);
  };
  /** Queued after the subscribers of this change. */
  const emitLast = (): void => turns.notify(emit);
  const fold = ({ events, synced: isSynced }: ResourceChange<T>): void => {
    if (synced && events.length === 0) return;
    const differing = events.map((event): SnapshotChange<T> => [event.key, event.type === 'deleted' ? undefined : event.object]);
    synced ||= isSynced;
    current = snapshotWith(current, differing, store.lastStoreSyncResourceVersion());
    turns.notify(emitLast);
  };
  const folding$ = settled$.pipe(
    tap(fold),
    ignoreElements(),
    finalize(() => {
      current = emptySnapshot<T>();
      synced = false;
    }),
    share(),
  );

  const snapshots$ = new Observable<IndexSnapshot<T>>((subscriber) => {
    // During a change: emit after it, together with all others.
    turns.notify(() => {
      if (synced) subscriber.next(current);
    });
    subscriber.add(snapshot$.subscribe(subscriber));
    subscriber.add(folding$.subscribe(subscriber));
  });
  return snapshots$.pipe(distinctUntilChanged());
}
