import type { Observable, ObservableInput } from 'rxjs';
import type { ResourceEvent } from '../api/events.js';
import type { Indexers } from '../cache/store/store.js';
import type { Collection } from './collection.js';
import type { ResourceEventHandler } from '../delta/resourceEventHandler.js';
import type { BufferOptions } from '../delta/buffers/eventBuffer.js';
import type { WaitOptions } from './waiting/waitFor.js';

declare global {
  /** Missing in older TypeScript libraries; identical where it exists. */
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

/** Options of `events`. */
export interface EventsOptions {
  /**
   * The longest time, in milliseconds, for which calls may block the event loop; a change of more than 1,000 events begins in a new task.
   * @defaultValue 10 for `events`, otherwise no limit
   */
  readonly sliceMs?: number | undefined;
  /**
   * How often every cached object is emitted again as a `resync` update, in milliseconds; `0` for never, else at least 1,000, rounded up to a multiple of the
   * informer's check period. @defaultValue the informer's `resyncPeriodMs`
   */
  readonly resyncPeriodMs?: number | undefined;
}

/** Options of `process`. */
export interface ProcessOptions extends BufferOptions, EventsOptions {}

/** Options of `addEventHandler`. */
export interface HandlerOptions<T> extends ProcessOptions {
  /** The handler gets only the objects that pass; an object that begins to pass is added, one that ceases to pass is deleted. */
  readonly filter?: ((object: T) => boolean) | undefined;
  /** The handler's name in messages. */
  readonly name?: string | undefined;
}

/** A handler of an informer. */
export interface HandlerRegistration {
  readonly name: string;
  /** Whether the informer has synced, and the handler has processed the first list or its snapshot. */
  hasSynced(): boolean;
  /**
   * Resolves when `hasSynced` is true. Does not start the informer. Rejects with the signal's reason, after `timeoutMs`, or with `ERR_STOPPED` when the handler
   * is removed or the informer stopped before that.
   */
  whenSynced(options?: WaitOptions): Promise<void>;
  /** Removes the handler: it is not called again, and its queue is dropped. A call under way continues. */
  remove(): void;
  /** Resolves when the handler has been removed, or the informer stopped, and none of its calls is running. */
  readonly removed: Promise<void>;
}

/** The members of an informer that do not depend on the type of its objects. */
export interface InformerControl extends Pick<Collection<unknown>, 'name' | 'health$' | 'health' | 'error$'> {
  /** Starts the informer, and keeps it running until `stop`. */
  start(): void;
  /**
   * Ends the informer for good: requests are aborted, observables complete, and queues of handlers are dropped. Resolves when nothing is running and a
   * `warmStart` has saved the cache. Does not wait for running handlers and work of `process()`, so that they may await it; `stopped`
   * waits for them.
   */
  stop(): Promise<void>;
  /** Resolves when the informer has been stopped and no callback of a handler is running. */
  readonly stopped: Promise<void>;
  /** `stop` and `stopped`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
  /** Whether `stop` was called, or an error ended the informer. */
  isStopped(): boolean;
  /**
   * Starts the informer, and resolves when the first list is complete; from then on it keeps running until `stop`.
   *
   * Rejects with the signal's reason; after `timeoutMs` with an InformerError (`ERR_TIMEOUT`) whose `cause` is the last failure; or when the
   * informer is stopped (`ERR_STOPPED`). A wait that rejects no longer keeps it running.
   */
  whenSynced(options?: WaitOptions): Promise<void>;
  /** Whether the first list of this session is complete. Stays true during later lists and failures, and when the informer is stopped. */
  hasSynced(): boolean;
  /** The version of the cache, or of one scope (namespace) of it; `''` before the first list. */
  lastSyncResourceVersion(scope?: string): string;
}

/**
 * A live, indexed copy of the objects of one resource, and its changes as Observables. Objects are the cached ones: they must not be
 * changed.
 *
 * | call | idle | running | stopped |
 * |---|---|---|---|
 * | subscribe to `change$`, `resource$`, `events()`, `process()`, `index$` | starts it | snapshot, then live | completes at once, or fails with the error that ended it |
 * | `addEventHandler` | registered, starts nothing | its snapshot, then live | throws |
 * | last subscriber leaves | - | idle after `idleGraceMs`, unless `start` or `whenSynced` holds it | - |
 * | `start`, `whenSynced` | starts it and holds it until `stop` | holds it; waits | throws, rejects |
 * | `addIndexers` | allowed | existing objects are indexed at once | throws |
 * | reads of `indexer` and `lister` | empty, or the last session's content | current | the last content |
 * | `stop`, or `onError` said `'stop'` | stopped | streams complete (or fail), backlogs are dropped | nothing |
 *
 * @see client-go: `SharedIndexInformer`
 */
export interface SharedInformer<T> extends InformerControl, Collection<T> {
  /** Like `resource$`, but bulk events are emitted in slices, so that they do not block the event loop. */
  events(options?: EventsOptions): Observable<ResourceEvent<T>>;
  /**
   * Runs `work` for one event at a time and emits its results; the option `buffer` decides what happens to events meanwhile.
   *
   * Errors of `work` and of its result go to `error$` (`ERR_HANDLER`); the next event follows.
   */
  process<R>(work: (event: ResourceEvent<T>) => ObservableInput<R>, options?: ProcessOptions): Observable<R>;
  /**
   * Registers a handler. It does not start the informer, and does not keep it running.
   *
   * @throws TypeError when the handler or an option is wrong; InformerError `ERR_STOPPED` when the informer is stopped.
   */
  addEventHandler(handler: ResourceEventHandler<T>, options?: HandlerOptions<T>): HandlerRegistration;
  /**
   * Adds indexes, with entries for every cached object, and returns what removes them: from then on, reading them throws; a view that reads one keeps it.
   *
   * @throws TypeError when a name is in use; then none is added. InformerError `ERR_STOPPED` when the informer is stopped.
   */
  addIndexers(indexers: Indexers<T>): () => void;
}
