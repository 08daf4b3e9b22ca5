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

/** Options of an informer's DeltaFIFO. */
export type InformerDeltaFifoOptions<T> = Pick<DeltaFifoOptions<T>, 'compress' | 'concurrent' | 'retryDelayMs'>;

/** Options of every informer. Durations are in milliseconds. */
export interface InformerOptions<T, U = T> extends Omit<
  ReflectOptions,
  'onError' | 'internalErrorRetryMs' | 'watchTimeoutMs' | 'watchListRefusals'
> {
  /** The informer's name in messages. @defaultValue the name of its resource */
  readonly name?: string | undefined;
  /** Index functions by name. Every informer also has the index `namespace`, unless one of that name is given. */
  readonly indexers?: Indexers<NoInference<U>> | undefined;
  /** Makes the cached value of an object; must return an object. Runs once per version. The client's `replace` refuses its results. */
  readonly transform?: ((object: T) => U) | undefined;
  /**
   * Puts a DeltaFIFO before the cache, instead of applying each change and each list at once: a list then changes the cache object by object, and
   * `synced` follows its last one. `true` uses the defaults of `deltaFifo`, which replaces `scanToIndex`.
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
   * How long the informer keeps running after its last subscriber has left.
   *
   * @defaultValue 0
   */
  readonly idleGraceMs?: number | undefined;
  /**
   * Freezes cached objects deeply, so that a mutation throws where it happens. Without it, objects do not share equal parts.
   * @defaultValue true
   */
  readonly freeze?: boolean | undefined;
  /** Called with every failure: `'stop'` ends the informer with that error, any other result continues. */
  readonly onError?: ((error: InformerError) => 'retry' | 'stop' | undefined) | undefined;
  /**
   * Gets warnings, and a line for each failure that a person can fix: once per minute and cause, with the number of lines left out. `error$` emits every
   * failure. @defaultValue the console, if neither `onError` nor a subscriber of `error$` gets the failure
   */
  readonly logger?: Logger | undefined;
  /**
   * The clock of all timers.
   *
   * @defaultValue timers of the runtime, on a monotonic clock
   */
  readonly scheduler?: SchedulerLike | undefined;
}

/** Options of an informer on a resource of an API server. */
export interface ResourceInformerOptions<T, U = T>
  extends
    InformerOptions<T, U>,
    Pick<ListerWatcherOptions, 'labelSelector' | 'fieldSelector' | 'managedFields' | 'metadataOnly' | 'tweakListOptions' | 'watchList'> {
  /**
   * One namespace, several, or an Observable of several; all when absent or empty. When the Observable removes a namespace, its objects are deleted; when it adds
   * one, its objects are added.
   */
  // eslint-disable-next-line rxjs-x/finnish -- a text, a list or an Observable
  readonly namespace?: string | readonly string[] | Observable<readonly string[]> | undefined;
  /**
   * Whether `lister` shows the client's own writes as soon as the server has answered them, until the cache has them. `indexer` and all observables are
   * unaffected. Writes that the selectors exclude are not shown; `tweakListOptions` is called once to learn the selectors.
   *
   * `maxEntries` limits how many writes, and how many deletions, are shown while the cache falls behind. Beyond it the oldest are forgotten, which is reported
   * (`ERR_OVERFLOW`). By default there is no limit.
   * @defaultValue false
   */
  readonly readYourWrites?: boolean | { readonly maxEntries?: number | undefined } | undefined;
  /**
   * Starts with the cache that an earlier run has saved, and saves it for the next one. Until the first list is complete, or the watch from the saved version
   * is open, reads return the saved objects, in the state `restored`; nothing is emitted.
   */
  readonly warmStart?: WarmStartOptions | undefined;
  /**
   * Compares the cache with the server automatically, as `verify()` does: after an outage in which connections were refused, after a warm start, and on a
   * schedule if `everyMs` is set. A difference is reported (`ERR_DRIFT`), and everything is listed again. @defaultValue only with `warmStart`
   */
  readonly verification?: VerificationOptions | undefined;
  /**
   * Only the objects of a shard, as returned by `joinShards` of `@rx-informer/controller`. Other objects are dropped before they are parsed. An object that leaves the shard
   * is deleted with `reason: 'moved'`; objects that enter it are listed.
   */
  readonly shard?: ShardSelection | undefined;
}

/** Options of an informer over source events: without those of lists and watches. */
export interface SourceInformerOptions<T, U = T> extends Omit<
  InformerOptions<T, U>,
  Exclude<keyof ReflectOptions, 'scheduler' | 'onError' | 'trace' | 'name'>
> {
  /** The plural of the objects, for messages, for example `pods`. @defaultValue `objects` */
  readonly resource?: string | undefined;
  /** The scopes that must be complete before the informer has synced, if the source has several. */
  readonly scopes?: readonly string[] | undefined;
  /**
   * Shows the saved cache of an earlier run, in the state `restored`, until the source's first list is complete, and saves the cache for
   * the next run. If the source reports that the user is forbidden to read (`isForbidden`), the saved cache is not shown, and is cleared.
   *
   * Needs `resource`. The selection of a source is unknown: use a separate store for every user, scope and selection of fields, because
   * informers with the same store and `resource` show each other's saved cache.
   */
  readonly warmStart?: WarmStartOptions | undefined;
}

/** A list with `''`, all namespaces, beside others would read the others twice. */
const isNamespaces = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((name: unknown) => typeof name === 'string' && (name !== '' || value.length === 1));

const ownRules = {
  name: rules.nonEmptyString,
  indexers: rules.object,
  transform: rules.function,
  deltaFifo: rules.either(rules.boolean, rules.object),
  resyncPeriodMs: rules.durationMs,
  idleGraceMs: rules.durationMs,
  freeze: rules.boolean,
  onError: rules.function,
  logger: rules.withMethods('warn'),
  scheduler: rules.scheduler,
  trace: rules.function,
};

const { internalErrorRetryMs, watchTimeoutMs, watchListRefusals, ...ownReflectRules } = reflectRules;

/** The rules of the options of an informer over a lister-watcher. @internal */
export const informerRules: OptionRules<InformerOptions<never>> = { ...ownReflectRules, ...ownRules };

/** The rules of the options of an informer over source events. @internal */
export const sourceInformerRules: OptionRules<SourceInformerOptions<never>> = {
  ...ownRules,
  resource: rules.string,
  scopes: rules.listOf(rules.string, 'strings'),
  warmStart: rules.object,
};

const { labelSelector, fieldSelector, managedFields, metadataOnly, tweakListOptions, watchList } = listerWatcherRules;

/** The rules of the options of an informer on a resource. Selectors are checked by their parsers. @internal */
export const resourceInformerRules: OptionRules<ResourceInformerOptions<never>> = {
  ...informerRules,
  namespace: {
    expected: "a namespace, a list of at least one and none of them '' beside others, or an Observable of lists",
    holds: (value) => typeof value === 'string' || isNamespaces(value) || isObservable(value),
  },
  ...{ labelSelector, fieldSelector, managedFields, metadataOnly, tweakListOptions, watchList },
  readYourWrites: rules.either(rules.boolean, rules.object),
  warmStart: rules.object,
  verification: rules.object,
  shard: {
    expected: 'a shard by uid or namespace, as `joinShards` returns it',
    holds: (value) => {
      const { by = '', shard$ } = (value ?? {}) as Partial<ShardSelection>;
      return ['uid', 'namespace'].includes(by) && isObservable(shard$);
    },
  },
};
