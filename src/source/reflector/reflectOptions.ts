import type { SchedulerLike } from 'rxjs';
import type { OnError } from '../../api/errors/informerError.js';
import type { Trace } from '../../api/traceStep.js';
import { defaults } from '../../api/defaults.js';
import { checkOptions, type Complete, definedOf, type OptionRules, randomOf, rules } from '../../api/options.js';
import { schedulerOf } from '../../rx/schedulerOf.js';

/**
 * How fresh a list must be.
 *
 * - `'any'`: client-go's order. The first list may come from the server's cache at any version (`0`), every later one must be at least as new as the last version
 *   seen; only after a list failed because of its version is the most recent state requested. Cheapest for the server; the first list may be stale.
 * - `'mostRecent'`: every list reflects all writes before it.
 * - `{ notOlderThan }`: the first list is at least as new as this version, for example one saved by another process.
 * - `{ exact }`: the first list is the state at exactly this version; an answer with another version is reported and used.
 *
 * Later lists follow the order of `'any'`; with `notOlderThan`, and wherever a list has a limit, they state the match explicitly, so that they may be paginated.
 */
export type ListSemantics = 'any' | 'mostRecent' | { readonly notOlderThan: string } | { readonly exact: string };

/** Options of `reflect`. Durations are in milliseconds; `Infinity` disables a deadline. */
export interface ReflectOptions {
  /**
   * Objects per page of a list, `0` for one answer with everything. @defaultValue client-go's rules: 500, or everything at once when the list asks for a
   * version, since a limit would bypass the server's cache
   */
  readonly pageSize?: number | undefined;
  /**
   * `'watchList'` streams lists over a watch, `'list'` requests them in pages, `'auto'` streams them if the server can. client-go streams by default, too.
   * @defaultValue `'auto'`
   */
  readonly listStrategy?: 'auto' | 'list' | 'watchList' | undefined;
  /** How fresh a list must be. @defaultValue `'any'`, as in client-go */
  readonly listSemantics?: ListSemantics | undefined;
  /** A watch without a byte for this long is replaced. client-go leaves this to HTTP/2 pings. @defaultValue 75000 */
  readonly idleTimeoutMs?: number | undefined;
  /** The longest silence of a list, before and during its answer. @defaultValue 60000 */
  readonly listTimeoutMs?: number | undefined;
  /**
   * The delays between failing attempts. A Retry-After of the server, up to 60 s, takes their place, with up to a tenth of the first delay as jitter. The first 50
   * attempts without any answer are repeated after half of the first delay, prolonged by jitter: 0.4 to 0.8 s.
   */
  readonly backoff?: BackoffOptions | undefined;
  /** Each watch asks the server to close it after a random time between this and twice this, in whole seconds; at least 1,000. @defaultValue 300000, as in client-go */
  readonly watchTimeoutMs?: number | undefined;
  /**
   * By resource name, the time (of the scheduler) until which lists are not streamed, shared among the sources of one server. @defaultValue a map per
   * subscription
   *
   * @internal
   */
  readonly watchListRefusals?: Map<string, number> | undefined;
  /**
   * Lists again, with `'mostRecent'`, this long after each complete list; `0` for never. This repairs a cache that has missed something; a resync never does, since
   * it only emits the cache's content again. The watch continues until the new list is complete, however often that fails. `traceMetrics` and
   * `prometheusInformerMetrics` count the differences found. client-go has no such option. @defaultValue 0
   */
  readonly relistPeriodMs?: number | undefined;
  /** Called with every failure: `'stop'` ends the source with that error, any other result retries. @defaultValue retries always */
  readonly onError?: OnError | undefined;
  /** The source's name in a trace. @defaultValue the name of its resource */
  readonly name?: string | undefined;
  /**
   * Called with every step of objects: requests, their answers as they are decoded, and how they end; in an informer also the source events, the changes of the
   * cache and the deliveries. Without a trace there is no cost. If it throws, the error is reported (`ERR_HANDLER`) and it is
   * not called again.
   *
   * @example
   * ```ts
   * import { createClient, resources } from 'rx-informer';
   * import { listerWatcher, reflect } from 'rx-informer/pipeline';
   *
   * const pods = listerWatcher(createClient(), resources.core.v1.pods);
   * reflect(pods, { trace: (step) => console.log(step.at, step.stage) }).subscribe();
   * ```
   */
  readonly trace?: Trace | undefined;
  /** The clock of all timers. @defaultValue RxJS's `asyncScheduler` on a monotonic clock */
  readonly scheduler?: SchedulerLike | undefined;
  /** Random numbers from 0 up to 1, for the jitter of delays and watch timeouts. @defaultValue `Math.random` */
  readonly random?: (() => number) | undefined;
}

/** The delays before retries, in milliseconds. */
export interface BackoffOptions {
  /** The first delay, at least 1. @defaultValue 800, as in client-go */
  readonly initialMs?: number | undefined;
  /** The longest delay, before jitter. @defaultValue 30000, as in client-go */
  readonly maxMs?: number | undefined;
  /** The factor from each delay to the next, at least 1. @defaultValue 2, as in client-go */
  readonly factor?: number | undefined;
  /** Each delay is prolonged at random by up to this share of itself: by 1, a delay of 30 s becomes 30 to 60 s. @defaultValue 1, as in client-go */
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

/** The rules of the options of `reflect`, and their names. @internal */
export const reflectRules: OptionRules<ReflectOptions> = {
  pageSize: rules.number({ integer: true, min: 0 }),
  listStrategy: rules.oneOf('auto', 'list', 'watchList'),
  listSemantics: { expected: "'any', 'mostRecent', { notOlderThan: version } or { exact: version }", holds: isSemantics },
  idleTimeoutMs: atLeast1,
  listTimeoutMs: atLeast1,
  backoff: rules.object,
  watchTimeoutMs: rules.durationOf({ min: 1_000 }),
  watchListRefusals: { expected: 'a Map', holds: (value) => value instanceof Map },
  relistPeriodMs: rules.durationMs,
  onError: rules.function,
  name: rules.nonEmptyString,
  trace: rules.function,
  scheduler: rules.scheduler,
  random: rules.function,
};

type Given = 'pageSize' | 'watchListRefusals' | 'trace' | 'name';

/** What is no option; tests change it. */
type Fixed =
  'connectionRetries' | 'healthyWatchMs' | 'veryShortWatchMs' | 'watchListFirstFrameMs' | 'watchListMarkerMs' | 'watchListMemoryMs';

/** The options of a reflector, complete and checked. @internal */
export interface ReflectSettings
  extends Complete<Omit<ReflectOptions, Given | 'backoff'>>, Pick<ReflectOptions, Given>, Readonly<Record<Fixed, number>> {
  readonly backoff: Complete<BackoffOptions>;
  /** Whether a periodic list is made in parallel to the running watch, or replaces it, as for a source that cannot watch. */
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
  const maxMs = Math.max(defaults.backoff.maxMs, given.initialMs ?? defaults.backoff.initialMs);
  const backoff = { ...defaults.backoff, maxMs, ...definedOf(given) };
  if (backoff.maxMs >= backoff.initialMs) return backoff;
  throw new TypeError(`Expected \`maxMs\` of \`${owner}.backoff\` to be >= \`initialMs\` (${backoff.initialMs}), got ${backoff.maxMs}`);
}

/** The defaults. */
const usual = {
  /** Bookmarks arrive every 60 s. */
  idleTimeoutMs: 75_000,
  listTimeoutMs: defaults.listTimeoutMs,
  connectionRetries: defaults.connectionRetries,
  /** A watch that stayed open this long resets the backoff. */
  healthyWatchMs: 30_000,
  veryShortWatchMs: defaults.veryShortWatchMs,
  /** client-go draws `timeoutSeconds` from [300, 600). */
  watchTimeoutMs: 300_000,
  /** The longest silence of a streamed list (WatchList) after its headers. */
  watchListFirstFrameMs: 2_000,
  /** How long a streamed list may go on without a new key. */
  watchListMarkerMs: 10_000,
  /** How long a resource that cannot be streamed is listed instead. */
  watchListMemoryMs: 3_600_000,
  listStrategy: 'auto',
  listSemantics: 'any',
  onError: (): 'retry' => 'retry',
} as const;

/**
 * Checks the options of the function `owner`, and fills in the defaults.
 *
 * @throws TypeError that names the option, what was expected and what came. @internal
 */
export function reflectSettings(options: ReflectOptions, owner = 'reflect'): ReflectSettings {
  checkOptions(owner, options, reflectRules);
  const { listSemantics, listStrategy } = options;
  if (listStrategy === 'watchList' && typeof listSemantics === 'object' && 'exact' in listSemantics) {
    throw new TypeError(`Expected \`listStrategy\` of \`${owner}\` to be 'auto' or 'list', as \`listSemantics\` asks for an exact version`);
  }
  const given = definedOf(options);
  return {
    ...usual,
    ...given,
    relistPeriodMs: given.relistPeriodMs || Infinity,
    random: randomOf(given.random),
    backoff: backoffOf(owner, given.backoff),
    scheduler: schedulerOf(given.scheduler),
    relistBesideWatch: true,
  };
}
