import type { Observable, ObservableInput, SchedulerLike } from 'rxjs';
import { brand } from '../../api/brand.js';
import type { InformerError } from '../../api/errors/informerError.js';
import type { Deltas } from '../../api/events.js';
import { type OptionRules, rules } from '../../api/options.js';
import type { Store } from '../../cache/store/store.js';
import type { Trampoline } from '../../rx/trampoline.js';
import { type DeltaCompression, deltaCompressions } from './compressDeltas.js';

/**
 * The objects that the consumer of a queue has already: usually the store that it keeps.
 *
 * @see client-go: `KeyListerGetter`
 */
export type KnownObjects<T> = Pick<Store<T>, 'listKeys' | 'getByKey'>;

/** What a queue offers to its process. */
export interface ProcessContext {
  /** Reports a failure that concerns a part of the item only: the item counts as processed. */
  readonly report: (error: InformerError) => void;
  /** Calls a function when what the process has returned has been emitted: from then on the function may subscribe. */
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

/** Options of `deltaFifo`. */
export interface DeltaFifoOptions<T> {
  /** The key of an object. By default its namespace and name. */
  readonly keyFunc?: ((object: T) => string) | undefined;
  /**
   * What the process has: a list deletes what it has and the list has not, and `resync$` queues all of it. By default the process's own
   * `knownObjects`, and where it has none, the last object handed to it under each key.
   */
  readonly knownObjects?: KnownObjects<T> | undefined;
  /** Default `'duplicateDeletes'`, the only compression that client-go has. */
  readonly compress?: DeltaCompression | undefined;
  /**
   * The scopes whose lists must be complete before the first list counts as processed. Read anew at every completed list, so a live Set may change;
   * the list of a scope that is not in it is its last one. By default the scopes that have appeared.
   */
  readonly scopes?: Iterable<string> | undefined;
  /** Each notification queues every known object as `Sync`, unless news of it waits. Nothing is queued before the first list is processed. */
  readonly resync$?: Observable<unknown> | undefined;
  /** How many items may be processed at once, never two of one key. Default 1, as in client-go. */
  readonly concurrent?: number | undefined;
  /** Whether an item whose process failed comes back as if with a `RequeueError`. Default false. */
  readonly retryOnError?: boolean | undefined;
  /** How long an item that comes back waits at least, in milliseconds. Default 1,000. */
  readonly retryDelayMs?: number | undefined;
  /**
   * Called for objects without a key (`ERR_KEY`), failing processes (`ERR_HANDLER`) and what processes report. The item is lost, unless it comes
   * back; everything else goes on. Without it, the first error of something lost ends the result.
   */
  readonly onError?: ((error: InformerError) => void) | undefined;
  /** The turns in which items are processed, one each: those of the graph that the store belongs to. By default an item is processed at once. */
  readonly trampoline?: Trampoline | undefined;
  /** The clock of `retryDelayMs`. Default: RxJS's `asyncScheduler` on a monotonic clock. */
  readonly scheduler?: SchedulerLike | undefined;
  /** What the objects are, for messages; `objects` by default. */
  readonly resource?: string | undefined;
}

/** The rules of the options that both forms of the queue have. */
export const queueRules: OptionRules<Pick<DeltaFifoOptions<never>, 'keyFunc' | 'knownObjects' | 'compress' | 'onError'>> = {
  keyFunc: rules.function,
  knownObjects: rules.withMethods('listKeys', 'getByKey'),
  compress: rules.oneOf(...deltaCompressions),
  onError: rules.function,
};

/** The rules of the options of `deltaFifo`. @internal */
export const deltaFifoRules: OptionRules<DeltaFifoOptions<never>> = {
  ...queueRules,
  scopes: rules.iterable,
  resync$: rules.observable,
  concurrent: rules.number({ min: 1, integer: true, infinite: true }),
  retryOnError: rules.boolean,
  retryDelayMs: rules.durationMs,
  trampoline: rules.withMethods('run', 'settle', 'tell', 'after'),
  scheduler: rules.scheduler,
  resource: rules.string,
};

/**
 * What the process of a DeltaFIFO throws, or its result fails with, to get the item again later.
 *
 * The deltas go back to the end of the queue, unless something newer is queued for their key by then. `cause` may say why.
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
