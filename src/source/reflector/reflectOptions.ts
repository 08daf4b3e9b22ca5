import type { SchedulerLike } from 'rxjs';
import type { InformerError } from '../../api/errors/informerError.js';
import type { Trace } from '../../api/traceStep.js';
import { defaults } from '../../api/defaults.js';
import { checkOptions, definedOf, type OptionRules, rules } from '../../api/options.js';
import { schedulerOf } from '../../rx/schedulerOf.js';

/**
 * How fresh a list has to be.
 *
 * - `'any'`: client-go's ladder. The first list takes whatever the server has in its cache (version `0`), every later one at least the last version
 *   seen; only a list that fails because of its version asks for the most recent state. Cheapest for the server; the first list may be stale.
 * - `'mostRecent'`: every list is consistent with all writes before it.
 * - `{ notOlderThan }`: the first list is at least as new as this version, for example the one another process has saved.
 * - `{ exact }`: the first list is the state at exactly this version; a server that answers with another one is reported, and its answer used.
 *
 * Lists after the first follow the ladder of `'any'`; with `notOlderThan` they say so explicitly, and may then come in pages.
 */
export type ListSemantics = 'any' | 'mostRecent' | { readonly notOlderThan: string } | { readonly exact: string };

/** Options of {@link reflect}. Durations are in milliseconds; `Infinity` switches a deadline off. */
export interface ReflectOptions {
  /**
   * Objects per page of a list, `0` for one answer with everything. By default client-go's rules: 500, and everything at once where a limit would
   * bypass the server's cache, which is when a list asks for a version.
   */
  readonly pageSize?: number | undefined;
  /**
   * `'watchList'` streams lists over a watch, `'list'` requests them page by page, `'auto'` (the default) streams them where the server can.
   * client-go's default is to stream as well.
   */
  readonly listStrategy?: 'auto' | 'list' | 'watchList' | undefined;
  /** How fresh a list has to be. Default `'any'`, as in client-go. */
  readonly listSemantics?: ListSemantics | undefined;
  /** A watch that brought no byte for this long is replaced. Default 75,000; client-go leaves this to HTTP/2 pings. */
  readonly idleTimeoutMs?: number | undefined;
  /** The longest silence of a list, before and inside its answer. Default 60,000. */
  readonly listTimeoutMs?: number | undefined;
  /** The waits between failing attempts. A wait that the server asks for (Retry-After) is obeyed up to 60 s, whatever is set here. */
  readonly backoff?: BackoffOptions | undefined;
  /** A watch open for this long is proof of health even without an event: the next failure waits `backoff.initialMs` again. Default 30,000. */
  readonly healthyWatchMs?: number | undefined;
  /** A watch that was closed sooner and without any event counts as a failure. Default 1,000, as in client-go. */
  readonly veryShortWatchMs?: number | undefined;
  /** Each watch asks the server to close it after a time drawn from this to twice as long, in whole seconds; at least 1,000. Default 300,000, as in client-go. */
  readonly watchTimeoutMs?: number | undefined;
  /** How long a streamed list may stay without anything after its headers before it is listed instead. Default 2,000. */
  readonly watchListFirstFrameMs?: number | undefined;
  /** How long a streamed list may go on without its end and without a new key before it is listed instead. Default 10,000. */
  readonly watchListMarkerMs?: number | undefined;
  /** For how long a server that cannot stream lists is not tried again. Default one hour; client-go tries each time. */
  readonly watchListMemoryMs?: number | undefined;
  /**
   * Where that is remembered: per name of a resource, the scheduler's time until which lists are not streamed. Hand in one map to let several
   * sources of one server learn from each other. By default each subscription has its own.
   */
  readonly watchListRefusals?: Map<string, number> | undefined;
  /**
   * List again, consistently, this long after each complete list; `0` (the default) for never. A cache that has missed something is repaired by it,
   * which a resync never does: that only emits the cache's own content again. The watch goes on until the new list is complete, however often that
   * fails. What it found is in the figures of `informerMetrics` (`differences.period`). client-go has nothing like it.
   */
  readonly relistPeriodMs?: number | undefined;
  /** Called with every failure: `'stop'` ends the source with that error, `'retry'` (the default) goes on. */
  readonly onError?: ((error: InformerError) => 'retry' | 'stop') | undefined;
  /**
   * For how long an ERROR event with code 500 inside a watch is answered with another watch, after a backoff, instead of a list; counted from the
   * first of a row. Default 0 (never), as in client-go.
   */
  readonly internalErrorRetryMs?: number | undefined;
  /** What the source is called in a trace. Default: what it lists. */
  readonly name?: string | undefined;
  /**
   * Takes every step of objects on their way: the requests, their answers as they are decoded, and how they end; in an informer also the events of
   * the source, the changes of the cache and the deliveries. Where there is none it costs nothing. One that throws is reported (`ERR_HANDLER`) and
   * not called again.
   *
   * @example
   * ```ts
   * import { createClient, createInformer, resources } from 'rx-informer';
   *
   * const pods = createInformer(createClient(), resources.core.v1.pods, {
   *   trace: (step) => {
   *     if (step.stage === 'line') console.log(step.at, 'a line of watch', step.id, step.event.type);
   *     else if (step.stage === 'delivery') console.log(step.at, step.event.type, 'goes to', step.to);
   *     else console.log(step.at, step.stage);
   *   },
   * });
   * pods.resource$.subscribe();
   * ```
   */
  readonly trace?: Trace | undefined;
  /** The clock and all timers. Default: RxJS's `asyncScheduler` on a monotonic clock. */
  readonly scheduler?: SchedulerLike | undefined;
  /** Chance, from 0 up to 1, for the jitter of waits and watch timeouts. Default `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** How long to wait before trying again, in milliseconds. */
export interface BackoffOptions {
  /** The first wait, at least 1. Default 800, as in client-go. */
  readonly initialMs?: number | undefined;
  /** The longest wait, before jitter. Default 30,000, as in client-go. */
  readonly maxMs?: number | undefined;
  /** By what each wait is longer than the one before it, at least 1. Default 2, as in client-go. */
  readonly factor?: number | undefined;
  /** Each wait is prolonged by up to this share of itself, by chance. Default 1, as in client-go: a wait of 30 s becomes one of 30 to 60 s. */
  readonly jitter?: number | undefined;
}

const atLeast1 = rules.durationOf({ min: 1, infinite: true });

function isSemantics(value: unknown): boolean {
  if (value === 'any' || value === 'mostRecent') return true;
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 1) return false;
  const { notOlderThan, exact } = value as { readonly notOlderThan?: unknown; readonly exact?: unknown };
  const version = notOlderThan ?? exact;
  return typeof version === 'string' && version !== '' && exact !== '0';
}

/** What each option of `reflect` has to be; also the list of their names. @internal */
export const reflectRules: OptionRules<ReflectOptions> = {
  pageSize: rules.number({ integer: true, min: 0 }),
  listStrategy: rules.oneOf('auto', 'list', 'watchList'),
  listSemantics: { expected: "'any', 'mostRecent', { notOlderThan: version } or { exact: version }", holds: isSemantics },
  idleTimeoutMs: atLeast1,
  listTimeoutMs: atLeast1,
  backoff: rules.object,
  healthyWatchMs: rules.durationMs,
  veryShortWatchMs: atLeast1,
  watchTimeoutMs: rules.durationOf({ min: 1_000 }),
  watchListFirstFrameMs: atLeast1,
  watchListMarkerMs: atLeast1,
  watchListMemoryMs: rules.durationMs,
  watchListRefusals: { expected: 'a Map', holds: (value) => value instanceof Map },
  relistPeriodMs: rules.durationMs,
  onError: rules.function,
  internalErrorRetryMs: rules.durationMs,
  name: rules.nonEmptyString,
  trace: rules.function,
  scheduler: rules.scheduler,
  random: rules.function,
};

type Given = 'pageSize' | 'watchListRefusals' | 'trace' | 'name';

/** The options of a reflector, complete and checked. @internal */
export interface ReflectSettings
  extends
    Required<{ readonly [Name in keyof Omit<ReflectOptions, Given | 'backoff'>]: NonNullable<ReflectOptions[Name]> }>,
    Pick<ReflectOptions, Given> {
  readonly backoff: { readonly [Name in keyof Required<BackoffOptions>]: number };
  readonly scheduler: SchedulerLike;
  /** Whether a periodic list is made beside the watch, or in its place, as a source does that cannot watch. */
  readonly relistBesideWatch: boolean;
}

const backoffRules: OptionRules<BackoffOptions> = {
  initialMs: rules.durationOf({ min: 1 }),
  maxMs: rules.durationOf({ min: 1 }),
  factor: rules.number({ min: 1 }),
  jitter: rules.number({ min: 0 }),
};

function backoffOf(owner: string, given: BackoffOptions = {}): ReflectSettings['backoff'] {
  checkOptions(`${owner}.backoff`, given, backoffRules);
  const initialMs = given.initialMs ?? defaults.backoff.initialMs;
  const maxMs = given.maxMs ?? Math.max(defaults.backoff.maxMs, initialMs);
  if (maxMs < initialMs) {
    throw new TypeError(`Expected \`maxMs\` of \`${owner}.backoff\` to be >= \`initialMs\` (${initialMs}), got ${maxMs}`);
  }
  return { initialMs, maxMs, factor: given.factor ?? defaults.backoff.factor, jitter: given.jitter ?? defaults.backoff.jitter };
}

const { idleTimeoutMs, listTimeoutMs, healthyWatchMs, veryShortWatchMs, watchTimeoutMs } = defaults;
const { watchListFirstFrameMs, watchListMarkerMs, watchListMemoryMs } = defaults;

/** What is taken for an option that is not given. */
const usual = {
  ...{
    idleTimeoutMs,
    listTimeoutMs,
    healthyWatchMs,
    veryShortWatchMs,
    watchTimeoutMs,
    watchListFirstFrameMs,
    watchListMarkerMs,
    watchListMemoryMs,
  },
  listStrategy: 'auto',
  listSemantics: 'any',
  relistPeriodMs: 0,
  internalErrorRetryMs: 0,
  onError: (): 'retry' => 'retry',
} as const;

/**
 * Checks the options of the function `owner`, and fills in the defaults.
 *
 * @throws TypeError that names the option, what was expected and what came. @internal
 */
export function reflectSettings(options: ReflectOptions, owner = 'reflect'): ReflectSettings {
  checkOptions(owner, options, reflectRules);
  const { listSemantics = 'any', listStrategy = 'auto' } = options;
  if (listStrategy === 'watchList' && typeof listSemantics === 'object' && 'exact' in listSemantics) {
    throw new TypeError(`Expected \`listStrategy\` of \`${owner}\` to be 'auto' or 'list', as \`listSemantics\` asks for an exact version`);
  }
  const given = definedOf(options);
  const { random = Math.random } = given;
  return {
    ...usual,
    ...given,
    random,
    backoff: backoffOf(owner, given.backoff),
    scheduler: schedulerOf(given.scheduler),
    relistBesideWatch: true,
  };
}
