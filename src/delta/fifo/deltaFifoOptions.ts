import type { Observable, SchedulerLike } from 'rxjs';
import type { InformerError } from '../../api/errors/informerError.js';
import type { DeltaCompression } from './compressDeltas.js';
import type { OptionRules } from '../../api/options/optionRule.js';
import { rules } from '../../api/options/rules.js';
import type { KnownObjects } from './knownObjects.js';
import { queueRules } from './deltaFifoStore.js';

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
  /** The clock of `retryDelayMs`. Default: RxJS's `asyncScheduler` on a monotonic clock. */
  readonly scheduler?: SchedulerLike | undefined;
  /** What the objects are, for messages; `objects` by default. */
  readonly resource?: string | undefined;
}

/** The rules of the options of `deltaFifo`. @internal */
export const deltaFifoRules: OptionRules<DeltaFifoOptions<never>> = {
  ...queueRules,
  scopes: rules.iterable,
  resync$: rules.observable,
  concurrent: rules.number({ min: 1, integer: true, infinite: true }),
  retryOnError: rules.boolean,
  retryDelayMs: rules.durationMs,
  scheduler: rules.scheduler,
  resource: rules.string,
};
