import {
  defer,
  EMPTY,
  finalize,
  type Observable,
  type ObservableInput,
  type OperatorFunction,
  of,
  type SchedulerLike,
  share,
  Subject,
  type SubjectLike,
  type Subscription,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import type { Deltas } from '../../api/events/delta.js';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import type { SourceEvent } from '../../api/events/sourceEvent.js';
import type { Indexer } from '../../cache/store/indexer.js';
import { scanToIndex } from '../../delta/index/scanToIndex.js';
import type { ScanToIndexOptions } from '../../delta/index/scanToIndexOptions.js';
import { SnapshotSubject } from '../../delta/share/snapshotSubject.js';
import { trampoline } from '../../delta/index/trampoline.js';
import type { Activity } from './activity.js';
import { changeBoundary } from './changeBoundary.js';
import { deltaFifoStage, type InformerDeltaFifoOptions } from './deltaFifoStage.js';

/**
 * What a pipeline tells its informer.
 */
export interface PipelineListener<U> {
  /** A session begins, before anybody is told anything; the cache is warm if it holds what an earlier session has told. */
  begin(subject: SnapshotSubject<U>, warm: boolean): void;
  /** The source tells something; the cache has not changed yet. */
  source(event: SourceEvent<unknown>): void;
  /** A DeltaFIFO hands over the deltas of one key; the cache has not changed yet. */
  readonly deltas?: ((deltas: Deltas<unknown>) => void) | undefined;
  /** The cache has changed; the subscribers do not know yet. */
  event(event: ResourceEvent<U>): void;
  /** What the source has told has gone through everything. */
  through(): void;
  /** The source has ended, by itself or because of `stop`; the subscribers do not know yet. */
  ended(error?: Error): void;
  /** Nobody listens any more. */
  idle(): void;
}

/**
 * What a pipeline is made of.
 */
export interface PipelineOptions<T, U> {
  readonly source$: Observable<SourceEvent<T>>;
  readonly indexer: Indexer<U>;
  readonly scan: ScanToIndexOptions<T, U>;
  /** Whether, and how, changes queue up before the cache takes them. */
  readonly deltaFifo: InformerDeltaFifoOptions<T> | undefined;
  readonly activity: Activity;
  readonly idleGraceMs: number;
  readonly scheduler: SchedulerLike;
  readonly listener: PipelineListener<U>;
}

function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/**
 * The one way from the source through the cache to the subscribers: open while anybody is subscribed to it.
 */
export class Pipeline<T, U> {
  readonly event$: Observable<ResourceEvent<U>>;
  private readonly options: PipelineOptions<T, U>;
  private readonly stop$ = new Subject<void>();
  private readonly through$ = new Subject<void>();
  /** How many changes are going through it: one that a subscriber has caused, runs within the other. */
  private changes = 0;
  private ended = false;
  /** Whether the content of the cache has been told to anybody. */
  private told = false;

  constructor(options: PipelineOptions<T, U>) {
    this.options = options;
    const shared = defer(() => this.session()).pipe(
      share({
        connector: () => this.connect(),
        resetOnError: true,
        resetOnComplete: false,
        resetOnRefCountZero: () => this.lastHasLeft(),
      }),
    );
    this.event$ = defer(() => (this.ended ? EMPTY : shared));
  }

  /** Whether something is going through it right now. */
  isChanging(): boolean {
    return this.changes > 0;
  }

  /** Keeps it open. */
  hold(): Subscription {
    return this.event$.subscribe({ error: () => undefined });
  }

  /** Ends it for good: the subscribers complete, or fail. */
  stop(error?: Error): void {
    if (this.ended) return;
    this.end(error);
    if (error === undefined) this.stop$.next();
    else this.stop$.error(error);
  }

  private session(): Observable<ResourceEvent<U>> {
    const { source$, listener } = this.options;
    return source$.pipe(
      trampoline(),
      changeBoundary(
        (event) => {
          this.changes += 1;
          listener.source(event);
        },
        () => this.through(),
      ),
      this.stage(),
      tap((event) => {
        this.told = true;
        listener.event(event);
      }),
      // eslint-disable-next-line rxjs-x/no-unsafe-takeuntil -- what follows has to know of the end, whoever causes it
      takeUntil(this.stop$),

      tap({ error: (error: unknown) => this.end(errorOf(error)), complete: () => this.end() }),
      finalize(() => {
        this.changes = 0;
        if (!this.ended) listener.idle();
      }),
    );
  }

  /** What keeps the cache. */
  private stage(): OperatorFunction<SourceEvent<T>, ResourceEvent<U>> {
    const { indexer, scan, deltaFifo, ...context } = this.options;
    const resumed = { ...scan, resumed: this.told };
    if (deltaFifo === undefined) return scanToIndex(indexer, resumed);
    const change = (work: () => void): void => {
      this.changes += 1;
      work();
      this.through();
    };
    return deltaFifoStage(deltaFifo, { ...context, indexer, scan: resumed, change });
  }

  private connect(): SubjectLike<ResourceEvent<U>> {
    const subject = new SnapshotSubject(this.options.indexer);
    // To a new subscriber of a later session, all of the first list is new, even if the cache has had it.
    const events = subject.observe({ fresh: this.told });
    this.options.listener.begin(subject, this.told);
    return {
      next: (event) => subject.next(event),
      error: (error) => subject.error(error),
      complete: () => subject.complete(),
      subscribe: (observer) => events.subscribe(observer),
    };
  }

  /** When to close. Handlers do not keep it open, but are told to its end what has begun: they are to know what is in the cache. */
  private lastHasLeft(): ObservableInput<unknown> {
    const { idleGraceMs, scheduler } = this.options;
    if (idleGraceMs > 0) return timer(idleGraceMs, scheduler);
    return this.isChanging() ? this.through$ : of(undefined);
  }

  private through(): void {
    this.changes = Math.max(0, this.changes - 1);
    if (this.isChanging()) return;
    this.options.listener.through();
    this.through$.next();
  }

  private end(error?: Error): void {
    if (this.ended) return;
    this.ended = true;
    this.options.listener.ended(error);
  }
}
