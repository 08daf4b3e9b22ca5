import type { Observable, ObservableInput } from 'rxjs';
import type { InformerError } from '../api/informerError.js';
import type { InformerHealth } from '../api/informerHealth.js';
import type { ResourceEvent } from '../api/resourceEvent.js';
import type { Indexer, Indexers } from '../cache/indexer.js';
import type { IndexSnapshot } from '../cache/indexSnapshot.js';
import type { EventsOptions, ProcessOptions } from './consumerOptions.js';
import type { HandlerOptions, HandlerRegistration, ResourceEventHandler } from './eventHandler.js';
import type { Lister } from './lister.js';
import type { WaitOptions } from './waitOptions.js';

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
export interface SharedInformer<T> {
  /** What the informer is called in messages, and in the answers of who waits for several. */
  readonly name: string;
  /**
   * The content of the cache as `added` events with `initial: true`, `synced`, then everything that happens to it; synchronous.
   *
   * ```text
   * server   (a b)      a'    -b
   * result   (+a +b s)  ~a    -b
   * late               ^(+a' +b s) -b
   * ```
   *
   * Nothing comes before the first list is complete. It completes when the informer is stopped, and fails only with the error to which
   * `onError` said `'stop'`.
   */
  readonly resource$: Observable<ResourceEvent<T>>;
  /** The same as `resource$`, but what comes in bulk is handed over in slices, so that it does not block the event loop. */
  events(options?: EventsOptions): Observable<ResourceEvent<T>>;
  /**
   * Runs `work` for one event at a time and emits its results; a buffer policy says what becomes of the events that come meanwhile.
   *
   * What `work` throws, and what its result fails with, goes to `error$` (`ERR_HANDLER`); the next event goes on.
   */
  process<R>(work: (event: ResourceEvent<T>) => ObservableInput<R>, options?: ProcessOptions): Observable<R>;
  /** The content of the cache as immutable snapshots: the current one, then one after each change, when `resource$` has told it. */
  readonly index$: Observable<IndexSnapshot<T>>;
  /** The current health, then every change of its state. Starts nothing; completes when the informer is stopped. */
  readonly health$: Observable<InformerHealth>;
  /** The health with its current values. */
  health(): InformerHealth;
  /** Every failure, as it happens. Starts nothing, and never fails; completes when the informer is stopped. */
  readonly error$: Observable<InformerError>;
  /** Synchronous reads of the cache. Do not write to it: writes belong to the informer. */
  readonly indexer: Indexer<T>;
  /** Synchronous reads of the cache by label selector and namespace. */
  readonly lister: Lister<T>;
  /** Starts the informer, and holds it until `stop`. Does nothing when it is held already. */
  start(): void;
  /** Ends the informer for good; the promise is `stopped`. */
  stop(): Promise<void>;
  /** Resolves when the informer has been stopped and no callback of a handler runs any more. */
  readonly stopped: Promise<void>;
  /** Whether `stop` was called, or an error ended the informer. */
  isStopped(): boolean;
  /**
   * Starts the informer, and resolves when the first list is complete; from then on it is held until `stop`.
   *
   * Rejects with the signal's reason; with an InformerError that has the last failure as its `cause` after `timeoutMs` (`ERR_LIST`); or when the
   * informer is stopped (`ERR_STOPPED`). A wait that rejects releases its hold.
   */
  whenSynced(options?: WaitOptions): Promise<void>;
  /** Whether the first list of this session is complete. Stays true during later lists and failures, and when the informer is stopped. */
  hasSynced(): boolean;
  /** The version that the cache reflects, or that one scope (namespace) of it reflects; `''` before the first list. */
  lastSyncResourceVersion(scope?: string): string;
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
}
