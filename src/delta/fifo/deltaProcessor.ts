import type { Observable, ObservableInput, SchedulerLike } from 'rxjs';
import { brand } from '../../api/brand.js';
import type { InformerError, OnError } from '../../api/errors/informerError.js';
import type { Deltas } from '../../api/events.js';
import { type OptionRules, rules } from '../../api/options.js';
import type { Store } from '../../cache/store/store.js';
import type { Trampoline } from '../../rx/trampoline.js';
import { declaredScopes } from '../index/scopes.js';
import { type DeltaCompression, deltaCompressions } from './compressDeltas.js';

/**
 * The objects that the consumer of a queue already has: usually the store that it maintains.
 *
 * @see client-go: `KeyListerGetter`
 */
export type KnownObjects<T> = Pick<Store<T>, 'listKeys' | 'getByKey'>;

/** What a queue passes to its process. */
export interface ProcessContext {
  /** Reports a failure that concerns only a part of the item: the item counts as processed. */
  readonly report: (error: InformerError) => void;
  /** Calls a function after the result of the process has been emitted. Only then may a callback subscribe to the store's changes. */
  readonly after: (action: () => void) => void;
  /** Whether the result has been unsubscribed from: nobody will get what the process returns. */
  readonly isOver: () => boolean;
  /** Ends the result of the queue with an error. */
  readonly fail: (error: unknown) => void;
}

/** The end of a list in a queue. It is reached when the list and everything queued before it have been processed. */
export interface ListBoundary {
  readonly scope: string;
  readonly resourceVersion: string;
  /** The version of the scope before the list. */
  readonly previousResourceVersion: string;
  /** Whether the lists of all scopes are complete. */
  readonly synced: boolean;
}

/** Processes the items of `deltaFifo`: a function, with optional members. */
export interface DeltaProcessor<T, R> {
  /**
   * Processes the deltas of one key, oldest first. The next item waits until the result completes; what the result emits is emitted by `deltaFifo`.
   *
   * `isInInitialList` is true until the first list has been processed. When the function throws or its result fails, the item is lost; with a `RequeueError`
   * it is queued again.
   */
  (deltas: Deltas<T>, isInInitialList: boolean, context?: ProcessContext): ObservableInput<R> | void;
  /** The objects processed so far, to find out which ones a list lacks. */
  readonly knownObjects?: KnownObjects<T>;
  /** Called when a list has been processed; the next item waits until the result completes. */
  listed?(boundary: ListBoundary): ObservableInput<R>;
  /** Called when the queue is empty: everything that the source has emitted up to this version has been processed. */
  caughtUp?(resourceVersion: string): void;
}

/** Options of `deltaFifo`. */
export interface DeltaFifoOptions<T> {
  /** The key of an object. @defaultValue its namespace and name */
  readonly keyFunc?: ((object: T) => string) | undefined;
  /**
   * The objects that the process has: a list deletes those that are missing in it, and `resync$` queues all of them. @defaultValue the `knownObjects` of the
   * process, else
   * the last object handed to it under each key
   */
  readonly knownObjects?: KnownObjects<T> | undefined;
  /** @defaultValue `'duplicateDeletes'`, the only compression that client-go has */
  readonly compress?: DeltaCompression | undefined;
  /**
   * The scopes whose first lists must be processed before `synced`. Read at every completed list, so a Set may change meanwhile; a scope that is not among them
   * is dropped after its next list. @defaultValue the scopes that have appeared
   */
  readonly scopes?: Iterable<string> | undefined;
  /** Each notification queues every known object as `Sync`, unless deltas of it are queued. Ignored before the first list is processed. */
  readonly resync$?: Observable<unknown> | undefined;
  /** The number of items processed at once, never two of one key. @defaultValue 1, as in client-go */
  readonly concurrent?: number | undefined;
  /** Whether an item whose process failed is queued again, as with a `RequeueError`. @defaultValue false */
  readonly retryOnError?: boolean | undefined;
  /** The least delay before a requeued item is processed, in milliseconds. @defaultValue 1000 */
  readonly retryDelayMs?: number | undefined;
  /**
   * Called for objects without a key (`ERR_KEY`), failing processes (`ERR_HANDLER`) and failures that processes report. The item is lost unless it is queued
   * again; all others continue, unless it returns `'stop'`. Without it, the first error that loses an item ends the result.
   */
  readonly onError?: OnError | undefined;
  /** The trampoline in which items are processed, one per turn: that of the graph of the store. By default an item is processed at once. */
  readonly trampoline?: Trampoline | undefined;
  /** The clock of `retryDelayMs`. @defaultValue RxJS's `asyncScheduler` on a monotonic clock */
  readonly scheduler?: SchedulerLike | undefined;
  /** The plural of the objects, for messages. @defaultValue `'objects'` */
  readonly resource?: string | undefined;
}

/** The rules of the options shared by both forms of the queue. */
export const queueRules: OptionRules<Pick<DeltaFifoOptions<never>, 'keyFunc' | 'knownObjects' | 'compress' | 'onError'>> = {
  keyFunc: rules.function,
  knownObjects: rules.withMethods('listKeys', 'getByKey'),
  compress: rules.oneOf(...deltaCompressions),
  onError: rules.function,
};

/** The rules of the options of `deltaFifo`. @internal */
export const deltaFifoRules: OptionRules<DeltaFifoOptions<never>> = {
  ...queueRules,
  scopes: declaredScopes,
  resync$: rules.observable,
  concurrent: rules.number({ min: 1, integer: true, infinite: true }),
  retryOnError: rules.boolean,
  retryDelayMs: rules.durationMs,
  trampoline: rules.withMethods('run', 'settle', 'notify', 'after'),
  scheduler: rules.scheduler,
  resource: rules.string,
};

/**
 * Thrown by the process of a DeltaFIFO, or emitted as the error of its result, to get the item again later.
 *
 * The deltas are appended to the queue again, unless newer ones are queued for their key. `cause` may say why.
 *
 * @example
 * ```ts
 * import { createDeltaFifo, RequeueError } from 'rx-informer/pipeline';
 *
 * declare const isReady: () => boolean;
 * const queue = createDeltaFifo();
 * queue.add({ metadata: { name: 'a' } });
 * queue.tryPop(() => {
 *   if (!isReady()) throw new RequeueError();
 * });
 * ```
 *
 * @see client-go: `ErrRequeue`, until v0.32
 */
export class RequeueError extends Error {
  override readonly name = 'RequeueError';

  constructor(cause?: unknown) {
    super('The item is to be processed again later', cause === undefined ? undefined : { cause });
  }
}

brand(RequeueError, 'RequeueError');
