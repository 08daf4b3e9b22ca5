import '../../api/disposable.js';
import type { Collection } from '../collection.js';
import type { WaitOptions } from '../waiting/waitOptions.js';

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
