import type { ObservableInput } from 'rxjs';
import type { Deltas } from '../../api/events/delta.js';
import type { InformerError } from '../../api/errors/informerError.js';
import type { KnownObjects } from './knownObjects.js';

/** What a queue offers to its process. */
export interface ProcessContext {
  /** Reports a failure that concerns a part of the item only: the item counts as processed. */
  readonly report: (error: InformerError) => void;
  /** Calls a function when what the process has returned has been emitted: whoever it calls may subscribe. */
  readonly after: (action: () => void) => void;
}

/** The end of a list in a queue: everything that it brought, and everything that came before it, has been processed. */
export interface ListBoundary {
  readonly scope: string;
  readonly resourceVersion: string;
  /** What the scope's version was before. */
  readonly previousResourceVersion: string;
  /** Whether the lists of all scopes are complete. */
  readonly synced: boolean;
}

/** What `deltaFifo` hands the items of its queue to: a function, which may have members besides. */
export interface DeltaProcessor<T, R> {
  /**
   * Processes the deltas of one key, oldest first. The next item waits until the result completes; what it emits is emitted by `deltaFifo`.
   *
   * `isInInitialList` is true until the first list has been processed whole. Throwing, or a result that fails, means that the item is lost, or with
   * a `RequeueError` that it comes back later.
   */
  (deltas: Deltas<T>, isInInitialList: boolean, context?: ProcessContext): ObservableInput<R> | void;
  /** What it has processed so far: for finding out what a list lacks. */
  readonly knownObjects?: KnownObjects<T>;
  /** Called when all of a list has been processed; the next item waits until the result completes. */
  listed?(boundary: ListBoundary): ObservableInput<R>;
  /** Called when nothing waits and all that the source has emitted, up to this version, has been processed. */
  caughtUp?(resourceVersion: string): void;
}
