import type { Observable, ObservableInput, SchedulerLike } from 'rxjs';
import { checkOptions, type Complete, expectArgument, rules, schedulerOf } from 'rx-informer/internal';
import type { QueueMetricsSink, RateLimiter } from 'rx-informer/workqueue';
import type { ReconcileRequest, ReconcileResult } from './reconcileRun.js';
import type { SourceValue, Trigger } from './trigger.js';

/**
 * A source of `reconcile`: an Observable of keys or events, or a collection (informer or view) of the reconciled kind, whose sync is then awaited as well.
 */
export type ReconcileSource = ObservableInput<SourceValue> | SourceCollection;

/** A collection whose objects are reconciled, or trigger what is: an informer, a view, or what `owns` and `mapsTo` make of one. */
export interface SourceCollection extends SyncedCache {
  readonly resource$: Observable<SourceValue>;
}

/** A cache that must be complete before the first call; an informer is one. */
export interface SyncedCache {
  /** Resolves (or emits, or completes) when the cache is complete. */
  whenSynced(options?: { readonly signal?: AbortSignal | undefined }): ObservableInput<unknown>;
}

/** The options of a control loop. */
export interface ReconcileConfig {
  /** The sources of keys. Reasons contain their names, or their numbers. A failing source does not stop the others. */
  readonly sources: readonly ReconcileSource[] | Readonly<Record<string, ReconcileSource>>;
  /**
   * Makes the actual state match the object of a key. Completion is success, and the last value may request another call; an error or
   * an exception is a failure. Calls for one key never overlap; up to `concurrent` different keys run at once.
   */
  reconcile(request: ReconcileRequest): ObservableInput<ReconcileResult | undefined> | ObservableInput<void>;
  /**
   * The caches that `reconcile` reads. The first call waits until all of them have synced.
   *
   * @defaultValue none
   */
  readonly caches?: readonly SyncedCache[] | undefined;
  /**
   * How many keys are processed at once; 1 or more.
   *
   * @defaultValue 1, as in controller-runtime
   */
  readonly concurrent?: number | undefined;
  /**
   * The backoff of failing keys. It keeps its state between subscriptions.
   *
   * @defaultValue `defaultControllerRateLimiter()`, new for each subscription
   */
  readonly rateLimiter?: RateLimiter<string> | undefined;
  /**
   * How often a key is tried before it is given up, until its next trigger; 1 or more. A `terminal` error gives it up at once.
   *
   * @defaultValue `Infinity`
   */
  readonly attempts?: number | undefined;
  /**
   * The priority of a trigger: higher numbers go first.
   *
   * @defaultValue -100 for the first list and for resyncs, and 0 for everything else, as in controller-runtime
   */
  readonly priority?: ((trigger: Trigger, source: string) => number) | undefined;
  /**
   * The waiting time that equals one level of priority, in milliseconds: with 600, a key of priority -100 precedes new keys of priority 0 after a minute.
   *
   * @defaultValue none: by priority alone, but every 100th call is for the key that has waited longest
   */
  readonly agingMs?: number | undefined;
  /**
   * Limits the rate of keys from a source, by the name of the source, for example by a `tokenBucket`. Excess keys are queued, each once. A limiter that counts
   * by key forgets one that has succeeded or was given up.
   *
   * @defaultValue none
   */
  readonly limits?: Readonly<Record<string, RateLimiter<string>>> | undefined;
  /**
   * How long a call may run, in milliseconds, before the notification `stuck` names its key.
   *
   * @defaultValue `Infinity`
   */
  readonly stuckAfterMs?: number | undefined;
  /**
   * The deadline of a call, in milliseconds. After it the call is unsubscribed from, its signal aborts, and it counts as failed.
   * A promise cannot be stopped: a function that returns one must observe the signal, or it may overlap with the next call for its key.
   *
   * @defaultValue `Infinity`
   */
  readonly deadlineMs?: number | undefined;
  /**
   * The first notification stops the loop gently: sources are unsubscribed from, queued and running keys are finished, retries and requeues are
   * dropped. Then the loop emits `stopped` and completes.
   *
   * @defaultValue never: the loop ends when it is unsubscribed from, at once
   */
  readonly stop$?: Observable<unknown> | undefined;
  /**
   * How long a gentle stop may take, in milliseconds, before running calls are aborted.
   *
   * @defaultValue 30000, as in controller-runtime
   */
  readonly drainTimeoutMs?: number | undefined;
  /** The loop's name in warnings and dumps. @defaultValue the names of its sources */
  readonly name?: string | undefined;
  /** Gets the metrics of the queue, including the longest-running key. @defaultValue none */
  readonly metrics?: QueueMetricsSink | undefined;
  /** @defaultValue a monotonic clock */
  readonly scheduler?: SchedulerLike | undefined;
}

/** A checked config, with the defaults filled in. */
export type ReconcileSettings = Omit<ReconcileConfig, 'sources'> &
  Complete<
    Pick<
      ReconcileConfig,
      'caches' | 'concurrent' | 'attempts' | 'name' | 'deadlineMs' | 'limits' | 'stuckAfterMs' | 'drainTimeoutMs' | 'priority' | 'scheduler'
    >
  > & {
    readonly sources: readonly (readonly [name: string, source: ObservableInput<SourceValue>])[];
  };

function defaultPriority({ cause }: Trigger): number {
  return cause === 'initial' || cause === 'resync' ? -100 : 0;
}

function isCollection(source: unknown): source is SourceCollection {
  return typeof source === 'object' && source !== null && 'resource$' in source && 'whenSynced' in source;
}

const severalSources = {
  expected: 'an object of sources such as { pods: informer }, or a list of sources',
  // The fields of a single source would be taken for sources.
  holds: (value: unknown) => Array.isArray(value) || (rules.object.holds(value) && !isCollection(value) && !rules.observable.holds(value)),
};

/** Throws for a limit of an unknown source. */
function expectSources(limits: Readonly<Record<string, unknown>>, sources: readonly (readonly [string, unknown])[]): void {
  const names = sources.map(([name]) => name);
  for (const [name, limiter] of Object.entries(limits)) {
    if (!names.includes(name))
      throw new TypeError(`Expected \`limits\` of \`reconcile\` to name sources (${names.join(', ')}), got ${JSON.stringify(name)}`);
    expectArgument('reconcile', `limits.${name}`, limiter, { ...rules.withMethods('when', 'forget'), expected: 'a rate limiter' });
  }
}

/** Checks a config, and fills in the defaults. */
export function reconcileSettings(config: ReconcileConfig): ReconcileSettings {
  checkOptions('reconcile', config, {
    sources: rules.required(severalSources),
    reconcile: rules.required(rules.function),
    caches: rules.listOf(rules.withMethods('whenSynced'), 'caches'),
    concurrent: rules.number({ min: 1, integer: true }),
    rateLimiter: rules.withMethods('when', 'forget'),
    attempts: rules.either(rules.number({ min: 1, integer: true }), {
      expected: 'Infinity',
      holds: (value: unknown) => value === Infinity,
    }),
    priority: rules.function,
    deadlineMs: rules.durationOf({ above: 0, infinite: true }),
    agingMs: rules.durationOf({ above: 0 }),
    limits: rules.object,
    stuckAfterMs: rules.durationOf({ above: 0, infinite: true }),
    stop$: rules.observable,
    drainTimeoutMs: rules.durationMs,
    name: rules.nonEmptyString,
    metrics: rules.object,
    scheduler: rules.scheduler,
  });
  const { concurrent = 1, attempts = Infinity, deadlineMs = Infinity, stuckAfterMs = Infinity, drainTimeoutMs = 30_000 } = config;
  const { caches = [], limits = {}, priority = defaultPriority } = config;
  const sources = Object.entries(config.sources) as readonly (readonly [string, ReconcileSource])[];
  expectSources(limits, sources);
  const { name = sources.map(([source]) => source).join(', ') || 'loop' } = config;
  const collections = sources.map(([, source]) => source).filter(isCollection);
  return {
    ...config,
    sources: sources.map(([name, source]) => [name, isCollection(source) ? source.resource$ : source]),
    caches: [...new Set<SyncedCache>([...caches, ...collections])],
    ...{ name, concurrent, attempts, deadlineMs, stuckAfterMs, drainTimeoutMs, limits, priority },
    scheduler: schedulerOf(config.scheduler),
  };
}
