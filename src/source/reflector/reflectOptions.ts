import { asyncScheduler, type SchedulerLike } from 'rxjs';
import { defaults } from '../../api/defaults.js';
import type { InformerError } from '../../api/errors/informerError.js';
import type { Trace } from '../../api/events/traceStep.js';
import type { BackoffOptions } from './backoffDelay.js';
import type { ListSemantics } from '../pages/listSemantics.js';

/**
 * Options of {@link reflect}. Durations are in milliseconds; `Infinity` switches a deadline off.
 */
export interface ReflectOptions {
  /**
   * Objects per page of a list, `0` for one answer with everything. By default client-go's rules: 500, and everything at once where a limit would
   * bypass the server's cache, which is when a list asks for a version.
   */
  readonly pageSize?: number | undefined;
  /**
   * `'watchList'` streams lists over a watch, `'list'` asks for them page by page, `'auto'` (the default) streams them where the server can.
   * client-go's default is to stream as well.
   */
  readonly listStrategy?: 'auto' | 'list' | 'watchList' | undefined;
  /** How fresh a list has to be. Default `'any'`, as in client-go. */
  readonly listSemantics?: ListSemantics | undefined;
  /** A watch that brought no byte for this long is replaced. Default 75,000; client-go leaves this to HTTP/2 pings. */
  readonly idleTimeoutMs?: number | undefined;
  /** The longest silence of a list, before and inside its answer. Default 60,000. */
  readonly listTimeoutMs?: number | undefined;
  /** The waits between failing attempts. */
  readonly backoff?: BackoffOptions | undefined;
  /** A watch open for this long is proof of health even without an event: the next failure waits `backoff.initialMs` again. Default 30,000. */
  readonly healthyWatchMs?: number | undefined;
  /** A watch that was closed sooner and without any event counts as a failure. Default 1,000, as in client-go. */
  readonly veryShortWatchMs?: number | undefined;
  /** Each watch asks the server to close it after a time drawn from this many seconds to twice as many. Default 300, as in client-go. */
  readonly watchTimeoutSeconds?: number | undefined;
  /** How long a streamed list may stay without anything after its headers before it is listed instead. Default 2,000. */
  readonly watchListFirstFrameMs?: number | undefined;
  /** How long a streamed list may go on without its end and without a new key before it is listed instead. Default 10,000. */
  readonly watchListMarkerMs?: number | undefined;
  /** For how long it is remembered that the server cannot stream lists. Default one hour; client-go asks again each time. */
  readonly watchListMemoryMs?: number | undefined;
  /**
   * Where that is remembered: per name of a resource, the scheduler's time until which lists are not streamed. Hand in one map to let several
   * sources of one server learn from each other. By default each subscription has its own.
   */
  readonly watchListRefusals?: Map<string, number> | undefined;
  /**
   * List again, consistently, this long after each complete list; `0` (the default) for never. A cache that has missed something is repaired by it,
   * which a resync never does: that only tells the cache's own content again. What it found is in the figures of `informerMetrics`
   * (`differences.period`). client-go has nothing like it.
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
  /** The clock and all timers. Default `asyncScheduler`. */
  readonly scheduler?: SchedulerLike | undefined;
  /** Chance, from 0 up to 1, for the jitter of waits and watch timeouts. Default `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/**
 * The options of a session, complete and checked.
 *
 * @internal
 */
export interface ReflectSettings {
  readonly pageSize: number | undefined;
  readonly listStrategy: 'auto' | 'list' | 'watchList';
  readonly listSemantics: ListSemantics;
  readonly idleTimeoutMs: number;
  readonly listTimeoutMs: number;
  readonly backoff: { readonly initialMs: number; readonly maxMs: number; readonly factor: number; readonly jitter: number };
  readonly healthyWatchMs: number;
  readonly veryShortWatchMs: number;
  readonly watchTimeoutSeconds: number;
  readonly watchListFirstFrameMs: number;
  readonly watchListMarkerMs: number;
  readonly watchListMemoryMs: number;
  readonly watchListRefusals: Map<string, number> | undefined;
  readonly relistPeriodMs: number;
  readonly onError: (error: InformerError) => 'retry' | 'stop';
  readonly internalErrorRetryMs: number;
  readonly trace: Trace | undefined;
  readonly name: string | undefined;
  readonly scheduler: SchedulerLike;
  readonly random: () => number;
}

function expected(name: string, what: string, value: unknown): TypeError {
  const got = typeof value === 'number' ? String(value) : ((JSON.stringify(value) as string | undefined) ?? typeof value);
  return new TypeError(`Expected \`${name}\` to be ${what}, got ${got}`);
}

function numberOf(name: string, value: unknown, fallback: number, least: number, what: string): number {
  if (value === undefined) return fallback;
  if (typeof value !== 'number' || Number.isNaN(value) || value < least) throw expected(name, what, value);
  return value;
}

function durationOf(name: string, value: unknown, fallback: number, least = 1): number {
  return numberOf(name, value, fallback, least, `a number of milliseconds >= ${least}`);
}

function backoffOf(options: BackoffOptions = {}): ReflectSettings['backoff'] {
  const { initialMs, maxMs, factor, jitter } = defaults.backoff;
  const initial = durationOf('backoff.initialMs', options.initialMs, initialMs);
  const longest = durationOf('backoff.maxMs', options.maxMs, Math.max(maxMs, initial));
  if (!Number.isFinite(initial)) throw expected('backoff.initialMs', 'finite', initial);
  if (longest < initial || !Number.isFinite(longest))
    throw expected('backoff.maxMs', `finite and >= \`backoff.initialMs\` (${initial})`, longest);
  return {
    initialMs: initial,
    maxMs: longest,
    factor: numberOf('backoff.factor', options.factor, factor, 1, 'a number >= 1'),
    jitter: numberOf('backoff.jitter', options.jitter, jitter, 0, 'a number >= 0'),
  };
}

function semanticsOf(value: unknown): ListSemantics {
  if (value === undefined) return 'any';
  if (value === 'any' || value === 'mostRecent') return value;
  const what = "'any', 'mostRecent', { notOlderThan: version } or { exact: version }";
  if (typeof value !== 'object' || value === null) throw expected('listSemantics', what, value);
  const { notOlderThan, exact } = value as { readonly notOlderThan?: unknown; readonly exact?: unknown };
  if (typeof notOlderThan === 'string' && notOlderThan !== '' && exact === undefined) return { notOlderThan };
  if (typeof exact === 'string' && exact !== '' && exact !== '0' && notOlderThan === undefined) return { exact };
  throw expected('listSemantics', what, value);
}

function integerOf(name: string, value: unknown, least: number): number | undefined {
  if (value === undefined) return undefined;
  if (!Number.isSafeInteger(value) || (value as number) < least) throw expected(name, `an integer >= ${least}`, value);
  return value as number;
}

function strategyOf(value: unknown, semantics: ListSemantics): ReflectSettings['listStrategy'] {
  const strategy = value ?? 'auto';
  if (strategy !== 'auto' && strategy !== 'list' && strategy !== 'watchList')
    throw expected('listStrategy', "'auto', 'list' or 'watchList'", value);
  if (strategy === 'watchList' && typeof semantics === 'object' && 'exact' in semantics) {
    throw expected('listStrategy', "'auto' or 'list', as `listSemantics` asks for an exact version", value);
  }
  return strategy;
}

function nameOf(value: unknown): string | undefined {
  if (value !== undefined && (typeof value !== 'string' || value === '')) throw expected('name', 'a non-empty string', value);
  return value;
}

function functionOf<F>(name: string, value: F | undefined, fallback: F): F {
  if (value === undefined) return fallback;
  if (typeof value !== 'function') throw expected(name, 'a function', value);
  return value;
}

/**
 * Checks the options and fills in the defaults.
 *
 * @throws TypeError that names the option, what was expected and what came.
 * @internal
 */
export function reflectSettings(options: ReflectOptions): ReflectSettings {
  const listSemantics = semanticsOf(options.listSemantics);
  const { scheduler = asyncScheduler, watchListRefusals } = options;
  if (typeof scheduler.schedule !== 'function' || typeof scheduler.now !== 'function')
    throw expected('scheduler', 'an RxJS scheduler', scheduler);
  if (watchListRefusals !== undefined && !(watchListRefusals instanceof Map))
    throw expected('watchListRefusals', 'a Map', watchListRefusals);
  return {
    pageSize: integerOf('pageSize', options.pageSize, 0),
    listStrategy: strategyOf(options.listStrategy, listSemantics),
    listSemantics,
    idleTimeoutMs: durationOf('idleTimeoutMs', options.idleTimeoutMs, defaults.idleTimeoutMs),
    listTimeoutMs: durationOf('listTimeoutMs', options.listTimeoutMs, defaults.listTimeoutMs),
    backoff: backoffOf(options.backoff),
    healthyWatchMs: durationOf('healthyWatchMs', options.healthyWatchMs, defaults.healthyWatchMs, 0),
    veryShortWatchMs: durationOf('veryShortWatchMs', options.veryShortWatchMs, defaults.veryShortWatchMs),
    watchTimeoutSeconds: integerOf('watchTimeoutSeconds', options.watchTimeoutSeconds, 1) ?? defaults.watchTimeoutMinSeconds,
    watchListFirstFrameMs: durationOf('watchListFirstFrameMs', options.watchListFirstFrameMs, defaults.watchListFirstFrameMs),
    watchListMarkerMs: durationOf('watchListMarkerMs', options.watchListMarkerMs, defaults.watchListMarkerMs),
    watchListMemoryMs: durationOf('watchListMemoryMs', options.watchListMemoryMs, defaults.watchListMemoryMs, 0),
    watchListRefusals,
    relistPeriodMs: durationOf('relistPeriodMs', options.relistPeriodMs, 0, 0),
    onError: functionOf('onError', options.onError, () => 'retry'),
    internalErrorRetryMs: durationOf('internalErrorRetryMs', options.internalErrorRetryMs, 0, 0),
    trace: functionOf('trace', options.trace, undefined),
    name: nameOf(options.name),
    scheduler,
    random: functionOf('random', options.random, Math.random),
  };
}
