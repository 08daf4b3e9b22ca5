import { type Observable, type SchedulerLike, isObservable } from 'rxjs';
import type { OnError } from '../api/errors/informerError.js';
import type { Indexers, NoInference } from '../cache/store/store.js';
import { type ListerWatcherOptions, listerWatcherRules } from '../source/listerWatcher.js';
import { type ReflectOptions, reflectRules } from '../source/reflector/reflectOptions.js';
import type { Logger } from './session/errorReporter.js';
import type { InformerPart } from './parts/part.js';
import { type OptionRules, rules } from '../api/options.js';

/** Options of every informer. Durations are in milliseconds. */
export interface InformerOptions<T, U = T> extends Pick<
  ReflectOptions,
  'pageSize' | 'listStrategy' | 'idleTimeoutMs' | 'relistPeriodMs' | 'backoff' | 'random'
> {
  /** The informer's name in messages. @defaultValue the name of its resource */
  readonly name?: string | undefined;
  /** Index functions by name. Every informer also has the index `namespace`, unless one of that name is given. */
  readonly indexers?: Indexers<NoInference<U>> | undefined;
  /** Makes the cached value of an object; must return an object. Runs once per version. The client's `replace` refuses its results. */
  readonly transform?: ((object: T) => U) | undefined;
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
  readonly onError?: OnError | undefined;
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
  /** What not every informer has: results of `warmStart`, `verification`, `readYourWrites`, `sharding`, `tracing` and `requests`. Their order does not matter. */
  readonly parts?: readonly InformerPart[] | undefined;
}

/** Options of an informer on a resource of an API server. */
export interface ResourceInformerOptions<T, U = T>
  extends InformerOptions<T, U>, Pick<ListerWatcherOptions, 'labelSelector' | 'fieldSelector' | 'managedFields'> {
  /**
   * One namespace, several, or an Observable of several; all when absent or empty. When the Observable removes a namespace, its objects are deleted; when it adds
   * one, its objects are added.
   */
  // eslint-disable-next-line rxjs-x/finnish -- a text, a list or an Observable
  readonly namespace?: string | readonly string[] | Observable<readonly string[]> | undefined;
}

/** Options of an informer over source events: without those of lists and watches. */
export interface SourceInformerOptions<T, U = T> extends Omit<
  InformerOptions<T, U>,
  'pageSize' | 'listStrategy' | 'idleTimeoutMs' | 'relistPeriodMs' | 'backoff' | 'random'
> {
  /** The plural of the objects, for messages, for example `pods`. @defaultValue `objects` */
  readonly resource?: string | undefined;
  /** The scopes that must be complete before the informer has synced, if the source has several. */
  readonly scopes?: readonly string[] | undefined;
}

/** Whether a value is a list of namespaces. One with `''`, all namespaces, beside others would read the others twice. @internal */
export const areNamespaces = (value: unknown): boolean =>
  Array.isArray(value) && value.every((name: unknown) => typeof name === 'string' && (name !== '' || value.length === 1));

const isPart = (value: unknown): boolean => typeof (value as Partial<InformerPart> | null)?.part === 'string';

const ownRules = {
  name: rules.nonEmptyString,
  indexers: rules.object,
  transform: rules.function,
  resyncPeriodMs: rules.durationMs,
  idleGraceMs: rules.durationMs,
  freeze: rules.boolean,
  onError: rules.function,
  logger: rules.withMethods('warn'),
  scheduler: rules.scheduler,
  parts: rules.listOf({ expected: '', holds: isPart }, 'parts, as `warmStart()` returns one'),
};

const { pageSize, listStrategy, idleTimeoutMs, relistPeriodMs, backoff, random } = reflectRules;

/** The rules of the options of an informer over a lister-watcher. @internal */
export const informerRules: OptionRules<InformerOptions<never>> = {
  ...{ pageSize, listStrategy, idleTimeoutMs, relistPeriodMs, backoff, random },
  ...ownRules,
};

/** The rules of the options of an informer over source events. @internal */
export const sourceInformerRules: OptionRules<SourceInformerOptions<never>> = {
  ...ownRules,
  resource: rules.string,
  scopes: rules.listOf(rules.string, 'strings'),
};

const { labelSelector, fieldSelector, managedFields } = listerWatcherRules;

/** The rules of the options of an informer on a resource. Selectors are checked by their parsers. @internal */
export const resourceInformerRules: OptionRules<ResourceInformerOptions<never>> = {
  ...informerRules,
  namespace: {
    expected: "a namespace, a list of at least one and none of them '' beside others, or an Observable of lists",
    holds: (value) => typeof value === 'string' || (areNamespaces(value) && (value as unknown[]).length > 0) || isObservable(value),
  },
  ...{ labelSelector, fieldSelector, managedFields },
};
