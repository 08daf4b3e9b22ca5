import type { Observable, ObservableInput, SchedulerLike } from 'rxjs';
import type { ResourceChange, ResourceEvent } from '../../api/events.js';
import { type Complete, checkOptions, expectArgument, rules } from '../../api/options.js';
import { schedulerOf } from '../../rx/schedulerOf.js';
import type { QueueMetricsSink } from '../../workqueue/workQueue.js';
import type { RateLimiter } from '../../workqueue/rateLimiters.js';
import type { ReconcileRequest, ReconcileResult } from './reconcileRun.js';
import type { Trigger, TriggerError } from './trigger.js';

/**
 * What a source may emit: keys, the resource events or changes of the kind that is reconciled, or what `ownerKeys` and `mappedKeys` make of other kinds' events.
 */
export type SourceValue = string | ResourceEvent<unknown> | ResourceChange<unknown> | Trigger | TriggerError;

/**
 * A source of `reconcile`: a stream of keys or events, or a collection of the kind that is reconciled, an informer or a view, which is then waited for, too.
 */
export type ReconcileSource = ObservableInput<SourceValue> | SourceCollection;

/** A collection whose objects are reconciled: an informer or a view. */
export interface SourceCollection extends SyncedCache {
  readonly resource$: Observable<ResourceEvent<unknown>>;
}

/** A cache that must be complete before the first call; an informer is one. */
export interface SyncedCache {
  /** Settles (or emits, or completes) when the cache holds everything. */
  whenSynced(options?: { readonly signal?: AbortSignal }): ObservableInput<unknown>;
}

/** How a control loop works. */
export interface ReconcileConfig {
  /** Where the keys come from. The names of the sources, or their numbers, stand in the reasons. A failing source does not stop the others. */
  readonly sources: readonly ReconcileSource[] | Readonly<Record<string, ReconcileSource>>;
  /**
   * Brings the world in line with the object of a key. Its completion is success, and the last value it emits may ask to be called again; an error or
   * a throw is a failure. It is called for one key at a time, and for several keys at once up to `concurrent`.
   */
  reconcile(request: ReconcileRequest): ObservableInput<ReconcileResult | undefined> | ObservableInput<void>;
  /**
   * The caches that `reconcile` reads. It is not called before all of them are synced.
   *
   * @defaultValue none
   */
  readonly caches?: readonly SyncedCache[] | undefined;
  /**
   * How many keys are worked on at once; 1 or more.
   *
   * @defaultValue 1, as in controller-runtime
   */
  readonly concurrent?: number | undefined;
  /**
   * How long a failing key waits. It keeps its state between subscriptions.
   *
   * @defaultValue `defaultControllerRateLimiter()`, new for each subscription
   */
  readonly rateLimiter?: RateLimiter<string> | undefined;
  /**
   * Which triggers go first: the higher number.
   *
   * @defaultValue -100 for the first list and for resyncs, and 0 for everything else, as in controller-runtime
   */
  readonly priority?: ((trigger: Trigger, source: string) => number) | undefined;
  /**
   * So long a wait makes up for one level of priority, in milliseconds: with 600, what has a priority of -100 goes before new keys of priority 0 after a minute.
   *
   * @defaultValue absent: by priority alone, and every 100th turn for the one that waits longest
   */
  readonly agingMs?: number | undefined;
  /**
   * How fast keys of a source come in, by the name of the source, for example a `tokenBucket`. What comes faster waits, each key once.
   *
   * @defaultValue none
   */
  readonly limits?: Readonly<Record<string, RateLimiter<string>>> | undefined;
  /**
   * How long one call may be under way, in milliseconds, before the notification `stuck` names its key.
   *
   * @defaultValue `Infinity`
   */
  readonly stuckAfterMs?: number | undefined;
  /**
   * How long one call may take, in milliseconds. Past it the call is unsubscribed from, its signal aborts, and it counts as failed.
   * A promise cannot be stopped: a function that returns one must heed the signal, or it may still be at work when its key is called again.
   *
   * @defaultValue `Infinity`
   */
  readonly deadlineMs?: number | undefined;
  /**
   * Its first notification stops the loop gently: sources are left, what waits and what is under way is still done, retries and requeues are
   * dropped. Then the loop says `stopped` and completes.
   *
   * @defaultValue never: the loop ends when it is unsubscribed from, at once
   */
  readonly stop$?: Observable<unknown> | undefined;
  /**
   * How long a gentle stop may take, in milliseconds, before the calls under way are cut off.
   *
   * @defaultValue 30000, as in controller-runtime
   */
  readonly drainTimeoutMs?: number | undefined;
  /** What the loop is called in warnings and dumps. Default: the names of its sources. */
  readonly name?: string | undefined;
  /** Where the queue reports what happens in it, the longest-running key included. */
  readonly metrics?: QueueMetricsSink | undefined;
  /** @defaultValue a monotonic clock */
  readonly scheduler?: SchedulerLike | undefined;
}

/** A checked config, with the defaults filled in. */
export type ReconcileSettings = Omit<ReconcileConfig, 'sources'> &
  Complete<
    Pick<ReconcileConfig, 'caches' | 'concurrent' | 'deadlineMs' | 'limits' | 'stuckAfterMs' | 'drainTimeoutMs' | 'priority' | 'scheduler'>
  > & {
    readonly sources: readonly (readonly [name: string, source: ObservableInput<SourceValue>])[];
  };

function defaultPriority({ cause }: Trigger): number {
  return cause === 'initial' || cause === 'resync' ? -100 : 0;
}

function isCollection(source: unknown): source is SourceCollection {
  return typeof source === 'object' && source !== null && 'resource$' in source && 'whenSynced' in source;
}

/** A limit for no source would limit nothing. */
function expectSources(limits: Readonly<Record<string, unknown>>, sources: readonly (readonly [string, unknown])[]): void {
  const names = sources.map(([name]) => name);
  for (const [name, limiter] of Object.entries(limits)) {
    if (!names.includes(name))
      throw new TypeError(`Expected \`limits\` of \`reconcile\` to name sources (${names.join(', ')}), got ${JSON.stringify(name)}`);
    expectArgument('reconcile', `limits.${name}`, limiter, { ...rules.withMethods('when', 'forget'), expected: 'a rate limiter' });
  }
}

/** Checks a config and fills the defaults in. */
export function reconcileSettings(config: ReconcileConfig): ReconcileSettings {
  checkOptions('reconcile', config, {
    sources: rules.required(rules.either(rules.object, rules.listOf(rules.any, 'sources'))),
    reconcile: rules.required(rules.function),
    caches: rules.listOf(rules.withMethods('whenSynced'), 'caches'),
    concurrent: rules.number({ min: 1, integer: true }),
    rateLimiter: rules.withMethods('when', 'forget'),
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
  const { concurrent = 1, deadlineMs = Infinity, stuckAfterMs = Infinity, drainTimeoutMs = 30_000 } = config;
  const { caches = [], limits = {}, priority = defaultPriority } = config;
  const sources = Object.entries(config.sources) as readonly (readonly [string, ReconcileSource])[];
  expectSources(limits, sources);
  const collections = sources.map(([, source]) => source).filter(isCollection);
  return {
    ...config,
    sources: sources.map(([name, source]) => [name, isCollection(source) ? source.resource$ : source]),
    caches: [...new Set<SyncedCache>([...caches, ...collections])],
    ...{ concurrent, deadlineMs, stuckAfterMs, drainTimeoutMs, limits, priority },
    scheduler: schedulerOf(config.scheduler),
  };
}
