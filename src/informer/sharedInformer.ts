import '../api/disposable.js';
import type { Observable, ObservableInput } from 'rxjs';
import type { ResourceEvent } from '../api/events.js';
import type { Indexers } from '../cache/store/store.js';
import type { Collection } from './collection.js';
import type { HandlerOptions, HandlerRegistration, ResourceEventHandler } from './consumers.js';
import type { EventsOptions, ProcessOptions } from './consuming/worked.js';
import type { Verification, VerifyOptions } from './verify/verification.js';
import type { WaitOptions } from './waiting/waitFor.js';

/** What can be known and done about an informer whatever its objects are. */
export interface InformerControl extends Pick<Collection<unknown>, 'name' | 'health$' | 'health' | 'error$'> {
  /** Starts the informer, and holds it until `stop`. Does nothing when it is held already. */
  start(): void;
  /**
   * Ends the informer for good: requests are aborted, streams complete, and what waits for handlers is dropped. Resolves when nothing runs any more and a
   * `warmStart` has saved the cache. While a handler or the work of `process()` runs, it does not wait for those, so that they may wait for it; `stopped`
   * waits.
   */
  stop(): Promise<void>;
  /** Resolves when the informer has been stopped and no callback of a handler runs any more. */
  readonly stopped: Promise<void>;
  /** `stop` and `stopped`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
  /** Whether `stop` was called, or an error ended the informer. */
  isStopped(): boolean;
  /**
   * Starts the informer, and resolves when the first list is complete; from then on it is held until `stop`.
   *
   * Rejects with the signal's reason; with an InformerError that has the last failure as its `cause` after `timeoutMs` (`ERR_TIMEOUT`); or when the
   * informer is stopped (`ERR_STOPPED`). A wait that rejects releases its hold.
   */
  whenSynced(options?: WaitOptions): Promise<void>;
  /** Whether the first list of this session is complete. Stays true during later lists and failures, and when the informer is stopped. */
  hasSynced(): boolean;
  /** The version that the cache reflects, or that one scope (namespace) of it reflects; `''` before the first list. */
  lastSyncResourceVersion(scope?: string): string;
}

/**
 * A live, indexed copy of the objects of one resource, and everything that happens to it as Observables. Objects are those that the cache
 * holds: they must not be changed.
 *
 * | call | idle | running | stopped |
 * |---|---|---|---|
 * | subscribe to `resource$`, `events()`, `process()`, `index$` | starts it | snapshot, then live | completes at once |
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
  /** The same as `resource$`, but what comes in bulk is handed over in slices, so that it does not block the event loop. */
  events(options?: EventsOptions): Observable<ResourceEvent<T>>;
  /**
   * Runs `work` for one event at a time and emits its results; a buffer policy determines what becomes of the events that come meanwhile.
   *
   * What `work` throws, and what its result fails with, goes to `error$` (`ERR_HANDLER`); the next event goes on.
   */
  process<R>(work: (event: ResourceEvent<T>) => ObservableInput<R>, options?: ProcessOptions): Observable<R>;
  /**
   * Registers functions to call. It does not start the informer, and does not keep it from becoming idle.
   *
   * @throws TypeError when the handler or an option is wrong; InformerError `ERR_STOPPED` when the informer is stopped.
   */
  addEventHandler(handler: ResourceEventHandler<T>, options?: HandlerOptions<T>): HandlerRegistration;
  /**
   * Adds indexes, and files every cached object at once.
   *
   * @throws TypeError when a name is in use, then none is added; InformerError `ERR_STOPPED` when the informer is stopped.
   */
  addIndexers(indexers: Indexers<T>): void;
  /**
   * Compares the cache with a consistent list of metadata at exactly the version that the cache has, page by page, one namespace after the other, and
   * resolves with what differs. Nothing is changed, and nothing starts. `health()` has the age of that version.
   *
   * Rejects with the error of the list, for example an ApiError (`isExpired`) when the server keeps that version no longer; with an InformerError `ERR_LIST`
   * before the first list is complete, or when the server answers with another version; `ERR_TIMEOUT` after `timeoutMs`; `ERR_STOPPED`; with the signal's
   * reason; with a TypeError for an informer that is not over a client and a resource, or has a DeltaFIFO.
   *
   * @example
   * ```ts
   * import { createClient, createInformer, resources } from 'rx-informer';
   *
   * const pods = createInformer(createClient(), resources.core.v1.pods);
   * await pods.whenSynced();
   * const { isConsistent, missing, extra, differing } = await pods.verify({ timeoutMs: 30_000 });
   * if (!isConsistent) console.error(missing, extra, differing);
   * ```
   */
  verify(options?: VerifyOptions): Promise<Verification>;
}
