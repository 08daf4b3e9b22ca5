import {
  defer,
  EMPTY,
  finalize,
  type Observable,
  of,
  type SchedulerLike,
  share,
  Subject,
  type Subscription,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import type { ResourceEvent } from '../api/resourceEvent.js';
import type { SourceEvent } from '../api/sourceEvent.js';
import type { Indexer } from '../cache/indexer.js';
import { scanToIndex } from '../delta/scanToIndex.js';
import type { ScanToIndexOptions } from '../delta/scanToIndexOptions.js';
import { createSnapshotSubject, type SnapshotSubject } from '../delta/snapshotSubject.js';
import { trampoline } from '../delta/trampoline.js';
import { changeBoundary } from './changeBoundary.js';

/**
 * What a pipeline tells its informer.
 */
export interface PipelineListener<U> {
  /** A session begins, before anybody is told anything; the cache is warm if it holds what an earlier session has told. */
  begin(subject: SnapshotSubject<U>, warm: boolean): void;
  /** The source tells something; the cache has not changed yet. */
  source(event: SourceEvent<unknown>): void;
  /** The cache has changed; the subscribers do not know yet. */
  event(event: ResourceEvent<U>): void;
  /** What the source has told has gone through everything. */
  through(): void;
  /** The source has ended, by itself or because of `stop`; the subscribers do not know yet. */
  ended(error?: unknown): void;
  /** Nobody listens any more. */
  idle(): void;
}

/**
 * What a pipeline is made of.
 */
export interface PipelineOptions<T, U> {
  readonly source: Observable<SourceEvent<T>>;
  readonly indexer: Indexer<U>;
  readonly scan: ScanToIndexOptions<T, U>;
  readonly idleGraceMs: number;
  readonly scheduler: SchedulerLike;
  readonly listener: PipelineListener<U>;
}

/**
 * The one way from the source through the cache to the subscribers: open while anybody is subscribed to it.
 */
export interface Pipeline<U> {
  readonly events: Observable<ResourceEvent<U>>;
  /** Whether something is going through it right now. */
  isChanging(): boolean;
  /** Keeps it open. */
  hold(): Subscription;
  /** Ends it for good: the subscribers complete, or fail. */
  stop(error?: unknown): void;
}

export function createPipeline<T, U>({ source, indexer, scan, idleGraceMs, scheduler, listener }: PipelineOptions<T, U>): Pipeline<U> {
  const stopping = new Subject<void>();
  const throughs = new Subject<void>();
  let changing = false;
  let ended = false;
  /** Whether the content of the cache has been told in an earlier session. */
  let told = false;

  const end = (error?: unknown): void => {
    if (ended) return;
    ended = true;
    listener.ended(error);
  };

  const session = defer(() =>
    source.pipe(
      trampoline(),
      changeBoundary(
        (event) => {
          changing = true;
          listener.source(event);
        },
        () => {
          changing = false;
          listener.through();
          throughs.next();
        },
      ),
      scanToIndex(indexer, { ...scan, resumed: told }),
      tap((event) => {
        told = true;
        listener.event(event);
      }),
      takeUntil(stopping),
      tap({ error: end, complete: () => end() }),
      finalize(() => {
        changing = false;
        if (!ended) listener.idle();
      }),
    ),
  );

  const shared = session.pipe(
    share({
      connector: () => {
        const subject = createSnapshotSubject(indexer);
        // To a new subscriber of a later session, the content of the first list is new, even if the cache has it.
        const events = subject.observe({ fresh: told });
        listener.begin(subject, told);
        return {
          next: (event) => subject.next(event),
          error: (error) => subject.error(error),
          complete: () => subject.complete(),
          subscribe: (observer) => events.subscribe(observer),
        };
      },
      resetOnError: true,
      resetOnComplete: false,
      resetOnRefCountZero: () => {
        if (idleGraceMs > 0) return timer(idleGraceMs, scheduler);
        // Handlers do not keep it open, but are told a change that has begun to its end: they are to know what the cache holds.
        return changing ? throughs : of(undefined);
      },
    }),
  );
  const events = defer(() => (ended ? EMPTY : shared));

  return {
    events,
    isChanging: () => changing,
    hold: () => events.subscribe({ error: () => undefined }),
    stop: (error) => {
      if (ended) return;
      end(error);
      if (error === undefined) stopping.next();
      else stopping.error(error);
    },
  };
}
