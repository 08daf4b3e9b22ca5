import { asyncScheduler, type Observable, type ObservableInput, type SchedulerLike } from 'rxjs';

import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import { expectNumber } from '../../workqueue/expectNumber.js';
import type { QueueMetricsSink } from '../../workqueue/queueMetricsSink.js';
import type { RateLimiter } from '../../workqueue/rateLimiter.js';
import type { ReconcileRequest, ReconcileResult } from './reconcileRun.js';
import type { Trigger, TriggerError } from './trigger.js';

/**
 * What a source may emit: keys, the resource events of the kind that is reconciled, or what `owned` and `mapped` make of other kinds' events.
 */
export type SourceValue = string | ResourceEvent<unknown> | Trigger | TriggerError;

/**
 * A cache that must be complete before the first call; an informer is one.
 */
export interface SyncedCache {
  /** Settles (or emits, or completes) when the cache holds everything. */
  whenSynced(options?: { readonly signal?: AbortSignal }): ObservableInput<unknown>;
}

/**
 * How a control loop works.
 */
export interface ReconcileConfig {
  /** Where the keys come from. The names of the sources, or their numbers, stand in the reasons. A failing source does not stop the others. */
  readonly sources: readonly ObservableInput<SourceValue>[] | Readonly<Record<string, ObservableInput<SourceValue>>>;
  /**
   * Brings the world in line with what a key says. Its completion is success, and the last value it emits may ask to be called again; an error or
   * a throw is a failure. It is called for one key at a time, and for several keys at once up to `concurrency`.
   */
  reconcile(request: ReconcileRequest): ObservableInput<ReconcileResult | undefined> | ObservableInput<void>;
  /**
   * The caches that `reconcile` reads. It is not called before all of them are synced.
   *
   * @defaultValue none
   */
  readonly caches?: readonly SyncedCache[];
  /**
   * How many keys are worked on at once; 1 or more.
   *
   * @defaultValue 1, as in controller-runtime
   */
  readonly concurrency?: number;
  /**
   * How long a failing key waits. It keeps its state between subscriptions.
   *
   * @defaultValue `defaultControllerRateLimiter()`, new for each subscription
   */
  readonly rateLimiter?: RateLimiter<string>;
  /**
   * Which triggers go first: the higher number.
   *
   * @defaultValue -100 for the first list and for resyncs, and 0 for everything else, as in controller-runtime
   */
  readonly priority?: (trigger: Trigger, source: string) => number;
  /**
   * How long one call may take, in milliseconds. Past it the call is unsubscribed from, its signal aborts, and it counts as failed.
   * Nobody can stop a promise: a function that returns one must heed the signal, or it may still be at work when its key is called again.
   *
   * @defaultValue `Infinity`
   */
  readonly deadlineMs?: number;
  /**
   * Its first notification stops the loop gently: sources are left, what waits and what is under way is still done, retries and requeues are
   * dropped. Then the loop says `stopped` and completes.
   *
   * @defaultValue never: the loop ends when it is unsubscribed from, at once
   */
  readonly stop$?: Observable<unknown>;
  /**
   * How long a gentle stop may take, in milliseconds, before the calls under way are cut off.
   *
   * @defaultValue 30000, as in controller-runtime
   */
  readonly drainTimeoutMs?: number;
  /** Where the queue reports what happens in it, the longest-running key included. */
  readonly metrics?: QueueMetricsSink;
  /** @defaultValue `asyncScheduler` */
  readonly scheduler?: SchedulerLike;
}

/** A config whose numbers have been checked, with the defaults filled in. */
export type ReconcileSettings = ReconcileConfig &
  Required<Pick<ReconcileConfig, 'caches' | 'concurrency' | 'deadlineMs' | 'drainTimeoutMs' | 'priority' | 'scheduler'>>;

const lowPriority = -100;

function defaultPriority({ cause }: Trigger): number {
  return cause === 'initial' || cause === 'resync' ? lowPriority : 0;
}

/**
 * Checks a config and fills the defaults in.
 */
export function reconcileSettings(config: ReconcileConfig): ReconcileSettings {
  if (typeof config.reconcile !== 'function')
    throw new TypeError(`Expected \`reconcile\` to be a function, got ${typeof config.reconcile}`);
  if (typeof config.sources !== 'object')
    throw new TypeError(`Expected \`sources\` to be an array or an object, got ${typeof config.sources}`);
  return {
    ...config,
    caches: config.caches ?? [],
    concurrency: expectNumber('concurrency', config.concurrency ?? 1, { min: 1, integer: true }),
    deadlineMs: expectNumber('deadlineMs', config.deadlineMs ?? Infinity, { above: 0, infinite: true }),
    drainTimeoutMs: expectNumber('drainTimeoutMs', config.drainTimeoutMs ?? 30_000, { min: 0, infinite: true }),
    priority: config.priority ?? defaultPriority,
    scheduler: config.scheduler ?? asyncScheduler,
  };
}
