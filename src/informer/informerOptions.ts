import { type Observable, type SchedulerLike, isObservable } from 'rxjs';
import type { InformerError } from '../api/errors/informerError.js';
import type { Indexers, NoInference } from '../cache/store/store.js';
import type { ShardSelection } from '../source/shardedSource.js';
import { type ListerWatcherOptions, listerWatcherRules } from '../source/listerWatcher.js';
import { type ReflectOptions, reflectRules } from '../source/reflector/reflectOptions.js';
import type { DeltaFifoOptions } from '../delta/fifo/deltaProcessor.js';
import type { Logger } from './session/errorReporter.js';
import type { VerificationOptions } from './verify/verification.js';
import type { WarmStartOptions } from './warm/snapshotStore.js';
import { type OptionRules, rules } from '../api/options.js';

/** How an informer works through a DeltaFIFO. */
export type InformerDeltaFifoOptions<T> = Pick<DeltaFifoOptions<T>, 'compress' | 'concurrent' | 'retryDelayMs'>;

/** Options of every informer. Durations are in milliseconds. */
export interface InformerOptions<T, U = T> extends Omit<ReflectOptions, 'onError'> {
  /** What the informer is called in messages; what it lists by default. */
  readonly name?: string | undefined;
  /** Index functions by name, beside the index `namespace`, which every informer has unless one of that name is given. */
  readonly indexers?: Indexers<NoInference<U>> | undefined;
  /** Makes the cached value of an object; it must return an object. Runs once per version. What it returns, the client's `replace` refuses. */
  readonly transform?: ((object: T) => U) | undefined;
  /** What the cache holds from the start, for example what an earlier run has saved: the first list brings what has changed since. */
  readonly initialObjects?: Iterable<U> | undefined;
  /**
   * Puts a DeltaFIFO before the cache instead of taking each change and each list at once: a list then changes the cache object by object, and
   * `synced` follows its last one. `true` for the defaults of `deltaFifo`, which stands in the place of `scanToIndex` then.
   *
   * @defaultValue false
   */
  readonly deltaFifo?: boolean | InformerDeltaFifoOptions<T> | undefined;
  /**
   * How often every cached object is emitted again as a `resync` update; `0` for never, otherwise at least 1,000.
   *
   * @defaultValue 0
   */
  readonly resyncPeriodMs?: number | undefined;
  /**
   * How long the informer goes on after its last subscriber has left.
   *
   * @defaultValue 0
   */
  readonly idleGraceMs?: number | undefined;
  /**
   * Freezes cached objects whole, so that a mutation throws where it happens. Default: `true`, but for a `transform` or a source of one's own in production.
   * Objects that are not frozen do not share the parts in which they are equal.
   */
  readonly freeze?: boolean | undefined;
  /** Called with every failure: `'stop'` ends the informer with that error, anything else goes on. */
  readonly onError?: ((error: InformerError) => 'retry' | 'stop' | undefined) | undefined;
  /**
   * Gets a line for each failure that a person can act on, once per minute and cause with the number of those left out, and warnings. `error$` has
   * every failure. Default: the console, for failures that are not observed.
   */
  readonly logger?: Logger | undefined;
  /**
   * The clock and all timers.
   *
   * @defaultValue timers of the runtime, on a clock that never goes back
   */
  readonly scheduler?: SchedulerLike | undefined;
}

/** Options of an informer on a resource of an API server. */
export interface ResourceInformerOptions<T, U = T>
  extends
    InformerOptions<T, U>,
    Pick<ListerWatcherOptions, 'labelSelector' | 'fieldSelector' | 'managedFields' | 'metadataOnly' | 'tweakListOptions' | 'watchList'> {
  /**
   * One namespace, several, or an Observable of several; all when absent or empty. From a namespace that leaves, everything is deleted;
   * everything in one that enters is added.
   */
  // eslint-disable-next-line rxjs-x/finnish -- a text, a list or an Observable
  readonly namespace?: string | readonly string[] | Observable<readonly string[]> | undefined;
  /**
   * Whether `lister` shows the client's own writes from the moment the server has answered them, until the cache has caught up. `indexer` and all
   * streams stay as they are. Writes that the selectors leave out do not show; `tweakListOptions` is asked once what it makes of the selectors.
   * Default `false`.
   */
  readonly readYourWrites?: boolean | undefined;
  /**
   * Begins with the cache that an earlier run has saved, and saves it for the next one. Until the first list is complete, or the watch from the saved version
   * is open, reads see what was saved, in the state `restored`; nothing is emitted.
   */
  readonly warmStart?: WarmStartOptions | undefined;
  /**
   * Compares the cache with the server by itself, as `verify()` does: once after an outage in which connections were refused, after a warm start, and on a
   * schedule where `everyMs` says so. A difference is reported (`ERR_DRIFT`), and everything is listed again. Default: with `warmStart` only.
   */
  readonly verification?: VerificationOptions | undefined;
  /**
   * Only the objects of a shard: what `joinShards` of `rx-informer/controller` returns. Other objects are dropped before they are parsed. What moves out is deleted with
   * `reason: 'moved'`; what moves in comes by a list.
   */
  readonly shard?: ShardSelection | undefined;
}

/** Options of an informer over source events: what concerns lists and watches is the source's. */
export interface SourceInformerOptions<T, U = T> extends Omit<
  InformerOptions<T, U>,
  Exclude<keyof ReflectOptions, 'scheduler' | 'onError' | 'trace' | 'name'>
> {
  /** What the objects are, for messages, for example `pods`. Default `objects`. */
  readonly resource?: string | undefined;
  /** The scopes to wait for before the informer has synced, where the source has several. */
  readonly scopes?: readonly string[] | undefined;
}

const isNamespaces = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((name: unknown) => typeof name === 'string');

const ownRules = {
  name: rules.nonEmptyString,
  indexers: rules.any,
  transform: rules.function,
  initialObjects: rules.iterable,
  deltaFifo: rules.either(rules.boolean, rules.object),
  resyncPeriodMs: rules.durationMs,
  idleGraceMs: rules.durationMs,
  freeze: rules.boolean,
  onError: rules.function,
  logger: rules.withMethods('warn'),
  scheduler: rules.scheduler,
  trace: rules.function,
};

/** The rules of the options of an informer over a lister-watcher. @internal */
export const informerRules: OptionRules<InformerOptions<never>> = { ...reflectRules, ...ownRules };

/** The rules of the options of an informer over source events. @internal */
export const sourceInformerRules: OptionRules<SourceInformerOptions<never>> = {
  ...ownRules,
  resource: rules.string,
  scopes: rules.listOf(rules.string, 'strings'),
};

const { labelSelector, fieldSelector, managedFields, metadataOnly, tweakListOptions, watchList } = listerWatcherRules;

/** The rules of the options of an informer on a resource. Selectors are checked where they are parsed. @internal */
export const resourceInformerRules: OptionRules<ResourceInformerOptions<never>> = {
  ...informerRules,
  namespace: {
    expected: 'a string, a list of at least one string, or an Observable of lists',
    holds: (value) => typeof value === 'string' || isNamespaces(value) || isObservable(value),
  },
  ...{ labelSelector, fieldSelector, managedFields, metadataOnly, tweakListOptions, watchList },
  readYourWrites: rules.boolean,
  warmStart: rules.object,
  verification: rules.object,
  shard: rules.object,
};
