import { loadPrometheus, type PrometheusOptions, sum } from './prometheusOptions.js';
import type { QueueMetricsSink } from 'rx-informer/workqueue';
import { type QueueReadings, definedOf } from 'rx-informer/internal';
import type { LeaderMetricsSink } from '../leader/leaderElectionOptions.js';
import type { Collection } from 'rx-informer';
import { loadInspector } from './loadInspector.js';
import { defer, type MonoTypeOperatorFunction, tap } from 'rxjs';
import type { Outcome } from '../reconcile/outcome.js';

const reconcileBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.5, 2, 3, 5, 10, 30, 60,
];

const resultOf = (outcome: Extract<Outcome, { type: 'succeeded' | 'failed' }>): string =>
  outcome.type === 'failed' ? 'error' : outcome.requeueAfterMs === undefined ? 'success' : 'requeue_after';

/**
 * Registers controller-runtime's metrics of control loops with prom-client, which is loaded at the first call. Returns a function that makes an operator for the
 * outcomes of `reconcile` from the name of the controller.
 *
 * The metrics are `controller_runtime_reconcile_total` (by `result`: success, requeue_after or error), `controller_runtime_reconcile_errors_total`, `controller_runtime_terminal_reconcile_errors_total`,
 * `controller_runtime_reconcile_time_seconds` and `controller_runtime_active_workers`, all with the label `controller`. The outcomes pass unchanged.
 *
 * @example
 * ```ts
 * import { reconcile } from '@rx-informer/controller';
 * import { prometheusReconcileMetrics } from '@rx-informer/controller/metrics';
 *
 * const measured = await prometheusReconcileMetrics();
 * reconcile({ sources: [['default/web']], reconcile: async () => ({}) }).pipe(measured('websites')).subscribe();
 * ```
 *
 * @throws Error when prom-client is not installed, or when the registry has other metrics with these names.
 *
 * @see controller-runtime's `pkg/internal/controller/metrics`
 */
export async function prometheusReconcileMetrics(
  options: PrometheusOptions = {},
): Promise<(controller: string) => MonoTypeOperatorFunction<Outcome>> {
  const { counter, gauge, histogram } = await loadPrometheus('prometheusReconcileMetrics', options, ['controller']);
  const prefix = 'controller_runtime';
  const total = counter(`${prefix}_reconcile_total`, 'Number of ended calls of the reconcile function, by result', 'result');
  const errors = counter(`${prefix}_reconcile_errors_total`, 'Number of failed calls of the reconcile function');
  const terminal = counter(`${prefix}_terminal_reconcile_errors_total`, 'Number of calls after which a key was given up');
  const time = histogram(`${prefix}_reconcile_time_seconds`, 'Duration of calls of the reconcile function', reconcileBuckets);
  const active = gauge(`${prefix}_active_workers`, 'Number of running calls of the reconcile function');

  return (controller) => {
    const labels = { controller };
    for (const result of ['success', 'requeue_after', 'error']) total.inc({ controller, result }, 0);
    errors.inc(labels, 0);
    terminal.inc(labels, 0);
    active.inc(labels, 0);
    return (source) =>
      defer(() => {
        let running = 0;
        const note = (outcome: Outcome): void => {
          if (outcome.type === 'started') {
            running += 1;
            active.inc(labels);
          }
          if (outcome.type !== 'succeeded' && outcome.type !== 'failed') return;
          running -= 1;
          active.dec(labels);
          time.observe(labels, outcome.durationMs / 1000);
          if (outcome.type === 'failed') errors.inc(labels);
          if (outcome.type === 'failed' && outcome.isFinal === true) terminal.inc(labels);
          total.inc({ controller, result: resultOf(outcome) });
        };
        // When a loop is unsubscribed from, running calls emit no outcome.
        return source.pipe(tap({ next: note, finalize: () => active.dec(labels, running) }));
      });
  };
}

/** 1 microsecond to 1000 s: client-go's buckets without those too short for JavaScript. */
const buckets = [1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1, 10, 100, 1_000];

/**
 * Registers client-go's work queue metrics with prom-client, which is loaded at the first call. Returns a function that makes the sink of a queue from
 * its name.
 *
 * The metrics are `workqueue_depth`, `workqueue_adds_total`, `workqueue_queue_duration_seconds`, `workqueue_work_duration_seconds`,
 * `workqueue_unfinished_work_seconds`, `workqueue_longest_running_processor_seconds` and `workqueue_retries_total`, all with the label
 * `name`. Queues of the same name are shown together. Gauges are read from them at each scrape, until they are shut down.
 *
 * @example
 * ```ts
 * import { prometheusQueueMetrics } from '@rx-informer/controller/metrics';
 * import { createWorkQueue } from 'rx-informer/workqueue';
 *
 * const metricsOf = await prometheusQueueMetrics();
 * const queue = createWorkQueue<string>({ metrics: metricsOf('websites') });
 * ```
 *
 * @throws Error when prom-client is not installed, or when the registry has other metrics with these names.
 *
 * @see client-go's `workqueue.SetProvider`
 */
export async function prometheusQueueMetrics(options: PrometheusOptions = {}): Promise<(name: string) => QueueMetricsSink> {
  const { counter, histogram, scraped } = await loadPrometheus('prometheusQueueMetrics', options, ['name']);
  const readers = new Map<() => QueueReadings, string>();
  const gauge = (name: string, help: string, valueOf: (readings: QueueReadings) => number, combine = sum): void => {
    scraped('gauge', name, help, () => [...readers].map(([read, queue]) => [{ name: queue }, valueOf(read())]), combine);
  };
  gauge('workqueue_depth', 'Number of queued items', ({ depth }) => depth);
  gauge('workqueue_unfinished_work_seconds', 'Total age of all work in progress', (readings) => readings.unfinishedWorkMs / 1000);
  gauge(
    'workqueue_longest_running_processor_seconds',
    'The age of the oldest work under way',
    (readings) => readings.longestRunningMs / 1000,
    Math.max,
  );
  const adds = counter('workqueue_adds_total', 'Number of items added');
  const retries = counter('workqueue_retries_total', 'Number of items added with a delay or rate limited');
  const latency = histogram('workqueue_queue_duration_seconds', 'Time that items waited in the queue', buckets);
  const work = histogram('workqueue_work_duration_seconds', 'Duration of the work on items', buckets);

  return (name) => ({
    opened: (read) => void readers.set(read, name),
    closed: (read) => void readers.delete(read),
    adds: () => adds.inc({ name }),
    retries: () => retries.inc({ name }),
    latency: (ms) => latency.observe({ name }, ms / 1000),
    workDuration: (ms) => work.observe({ name }, ms / 1000),
  });
}

/**
 * Registers client-go's metrics of leader election with prom-client, which it loads at the first call: `leader_election_master_status` and
 * `leader_election_slowpath_total`, with the label `name`, which is the lease.
 *
 * @example
 * ```ts
 * import { createClient } from 'rx-informer';
 * import { electLeader } from '@rx-informer/controller';
 * import { prometheusLeaderMetrics } from '@rx-informer/controller/metrics';
 *
 * const metrics = await prometheusLeaderMetrics();
 * electLeader(createClient(), { lease: { namespace: 'default', name: 'pod-labeler' }, metrics }).start();
 * ```
 *
 * @throws Error when prom-client is not installed, or when the registry has other metrics with these names.
 */
export async function prometheusLeaderMetrics(options: PrometheusOptions = {}): Promise<LeaderMetricsSink> {
  const { counter, gauge } = await loadPrometheus('prometheusLeaderMetrics', options, ['name']);
  const status = gauge('leader_election_master_status', 'Whether this process leads: 1 or 0');
  const slow = counter('leader_election_slowpath_total', 'Number of renewals that had to read the lease first');
  return {
    leading: (name, isLeading) => status.set({ name }, isLeading ? 1 : 0),
    slowPath: (name) => slow.inc({ name }),
  };
}

/** A collection that counts what it computes: any view. */
export interface MeasuredView extends Collection<unknown> {
  /** Counters since it was created: of values, and the total time of all computations. */
  counters(): {
    readonly computed: number;
    readonly unchanged: number;
    readonly failed: number;
    readonly changes: number;
    readonly durationMs: number;
  };
}

/** The metrics read from a view at each scrape. */
const viewMetrics: readonly (readonly [type: 'counter' | 'gauge', name: string, help: string, valueOf: (view: MeasuredView) => number])[] =
  [
    ['counter', 'view_computed_total', 'Number of values computed', (view) => view.counters().computed],
    ['counter', 'view_unchanged_total', 'Number of computed values equal to the previous one', (view) => view.counters().unchanged],
    ['counter', 'view_failed_total', 'Number of failed computations', (view) => view.counters().failed],
    ['counter', 'view_changes_total', 'Number of changes emitted', (view) => view.counters().changes],
    ['counter', 'view_compute_seconds_total', 'Total duration of all computations', (view) => view.counters().durationMs / 1000],
    ['gauge', 'view_objects', 'Number of values in the view', (view) => view.indexer.listKeys().length],
    ['gauge', 'view_synced', 'Whether the view is complete', (view) => (view.hasSynced() ? 1 : 0)],
    ['gauge', 'view_degraded_keys', 'Number of keys that fail or are claimed by several objects', (view) => view.health().degraded.length],
  ];

/**
 * Registers the metrics of live views with prom-client, which is loaded at the first call. Returns a function that adds a view.
 *
 * - Counted since the view was made: `view_computed_total`, `view_unchanged_total` (computed, and equal to the value before), `view_failed_total`,
 *   `view_changes_total` and `view_compute_seconds_total`.
 * - Current values: `view_objects`, `view_synced` and `view_degraded_keys`.
 *
 * All have the label `name`, the name of the view; of two views with one name, the last one is shown. They are read from the views at each scrape, so that
 * they add no cost to computations. The function returned for a view removes it.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { prometheusViewMetrics } from '@rx-informer/controller/metrics';
 * import { groupObjects } from '@rx-informer/views';
 *
 * const addView = await prometheusViewMetrics();
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * const remove = addView(groupObjects(pods, ({ spec }) => spec?.nodeName, { name: 'pods by node' }));
 * ```
 *
 * @throws Error when prom-client is not installed, or when the registry has other metrics with these names.
 */
export async function prometheusViewMetrics(options: PrometheusOptions = {}): Promise<(view: MeasuredView) => () => void> {
  const { scraped } = await loadPrometheus('prometheusViewMetrics', options, ['name']);
  const views = new Map<string, MeasuredView>();
  for (const [type, name, help, valueOf] of viewMetrics)
    scraped(type, name, help, () => [...views.values()].map((view) => [{ name: view.name }, valueOf(view)]));
  return (view) => {
    views.set(view.name, view);
    return () => {
      if (views.get(view.name) === view) views.delete(view.name);
    };
  };
}

/** Options of `prometheusWarnings`. */
export interface PrometheusWarningsOptions extends PrometheusOptions {
  /** How long an informer may be behind, in milliseconds. @defaultValue that of `diagnose`, and in a manager its own */
  readonly staleAfterMs?: number | undefined;
}

/**
 * Registers the warnings of `diagnose` of `@rx-informer/inspector`, an optional peer, with prom-client: `rx_informer_warning` is 1 for each warning, with the labels `code`, `kind` and `name`. Each scrape
 * calls `diagnose`.
 *
 * @example
 * ```ts
 * import { prometheusWarnings } from '@rx-informer/controller/metrics';
 *
 * await prometheusWarnings();
 * ```
 *
 * @throws Error when prom-client or `@rx-informer/inspector` is not installed, or when the registry has another metric with this name.
 */
export async function prometheusWarnings({ staleAfterMs, ...options }: PrometheusWarningsOptions = {}): Promise<void> {
  const { scraped } = await loadPrometheus('prometheusWarnings', options, ['code', 'kind', 'name']);
  const { diagnose } = await loadInspector('prometheusWarnings');
  scraped('gauge', 'rx_informer_warning', 'What diagnose() warns of: 1 while it does', () =>
    diagnose(definedOf({ staleAfterMs })).map(({ code, subject: { kind, name } }) => [{ code, kind, name }, 1]),
  );
}
