import type { Observable, ObservableInput } from 'rxjs';
import type { ResourceEvent } from '../api/events/resourceEvent.js';
import type { Indexer, Indexers } from '../cache/store/indexer.js';
import type { IndexSnapshot } from '../cache/snapshot/indexSnapshot.js';
import type { EventsOptions, ProcessOptions } from './handlers/consumerOptions.js';
import type { HandlerOptions, HandlerRegistration, ResourceEventHandler } from './handlers/eventHandler.js';
import type { InformerControl } from './session/informerControl.js';
import type { Lister } from './lister.js';

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
export interface SharedInformer<T> extends InformerControl {
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
  /** Synchronous reads of the cache. Do not write to it: writes belong to the informer. */
  readonly indexer: Indexer<T>;
  /** Synchronous reads of the cache by label selector, namespace and index; with `readYourWrites`, newer writes of the client included. */
  readonly lister: Lister<T>;
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
