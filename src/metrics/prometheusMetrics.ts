import { loadPrometheus, type PrometheusOptions } from './prometheusOptions.js';
import type { QueueMetricsSink, QueueReadings } from '../workqueue/workQueue.js';
import type { LeaderMetricsSink } from '../controller/leader/leaderElectionOptions.js';
import type { View } from '../views/view.js';
import { diagnose } from '../api/running/diagnose.js';

/** 1 microsecond to 1000 s: client-go's buckets without those too short for JavaScript. */
const buckets = [1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1, 10, 100, 1_000];

/**
 * Registers client-go's work queue metrics with prom-client, which is loaded at the first call. Returns a function that makes the sink of a queue from
 * its name.
 *
 * The metrics are `workqueue_depth`, `workqueue_adds_total`, `workqueue_queue_duration_seconds`, `workqueue_work_duration_seconds`,
 * `workqueue_unfinished_work_seconds`, `workqueue_longest_running_processor_seconds` and `workqueue_retries_total`, all with the label
 * `name`. Gauges are read from the queues at each scrape.
 *
 * @example
 * ```ts
 * import { prometheusQueueMetrics } from 'rx-informer/metrics';
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
  const readers = new Map<string, () => QueueReadings>();
  const gauge = (name: string, help: string, valueOf: (readings: QueueReadings) => number): void => {
    scraped('gauge', name, help, () => [...readers].map(([queue, read]) => [{ name: queue }, valueOf(read())]));
  };
  gauge('workqueue_depth', 'How many items wait in the queue', ({ depth }) => depth);
  gauge('workqueue_unfinished_work_seconds', 'The ages of all work under way, added up', (readings) => readings.unfinishedWorkMs / 1000);
  gauge(
    'workqueue_longest_running_processor_seconds',
    'The age of the oldest work under way',
    (readings) => readings.longestRunningMs / 1000,
  );
  const adds = counter('workqueue_adds_total', 'How many items were accepted');
  const retries = counter('workqueue_retries_total', 'How many items were added for later or rate limited');
  const latency = histogram('workqueue_queue_duration_seconds', 'How long items waited before they were taken', buckets);
  const work = histogram('workqueue_work_duration_seconds', 'How long the work on items took', buckets);

  return (name) => ({
    opened: (read) => void readers.set(name, read),
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
 * import { electLeader } from 'rx-informer/controller';
 * import { prometheusLeaderMetrics } from 'rx-informer/metrics';
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
  const slow = counter('leader_election_slowpath_total', 'How many renewals had to read the lease first');
  return {
    leading: (name, isLeading) => status.set({ name }, isLeading ? 1 : 0),
    slowPath: (name) => slow.inc({ name }),
  };
}

/** The metrics read from a view at each scrape: name, help text, and value. */
const counters: readonly (readonly [name: string, help: string, valueOf: (view: View<unknown>) => number])[] = [
  ['view_computed_total', 'How many values have been computed', (view) => view.counters().computed],
  ['view_unchanged_total', 'How many computed values were equal to the one before', (view) => view.counters().unchanged],
  ['view_failed_total', 'How many computations have failed', (view) => view.counters().failed],
  ['view_changes_total', 'How many changes have been emitted', (view) => view.counters().changes],
  ['view_compute_seconds_total', 'How long all computations took', (view) => view.counters().durationMs / 1000],
];
const gauges: typeof counters = [
  ['view_objects', 'How many values the view holds', (view) => view.indexer.listKeys().length],
  ['view_synced', 'Whether the view is complete', (view) => (view.hasSynced() ? 1 : 0)],
  ['view_degraded_keys', 'How many keys fail, or are claimed by several objects', (view) => view.health().degraded.length],
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
 * import { prometheusViewMetrics } from 'rx-informer/metrics';
 * import { groupObjects } from 'rx-informer/views';
 *
 * const addView = await prometheusViewMetrics();
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * const remove = addView(groupObjects(pods, ({ spec }) => spec?.nodeName, { name: 'pods by node' }));
 * ```
 *
 * @throws Error when prom-client is not installed, or when the registry has other metrics with these names.
 */
export async function prometheusViewMetrics(options: PrometheusOptions = {}): Promise<(view: View<unknown>) => () => void> {
  const { scraped } = await loadPrometheus('prometheusViewMetrics', options, ['name']);
  const views = new Map<string, View<unknown>>();
  for (const [type, all] of [['counter', counters] as const, ['gauge', gauges] as const])
    for (const [name, help, valueOf] of all)
      scraped(type, name, help, () => [...views.values()].map((view) => [{ name: view.name }, valueOf(view)]));
  return (view) => {
    views.set(view.name, view);
    return () => {
      if (views.get(view.name) === view) views.delete(view.name);
    };
  };
}

/**
 * Registers the warnings of `diagnose` with prom-client: `rx_informer_warning` is 1 for each warning, with the labels `code`, `kind` and `name`. Each scrape
 * calls `diagnose`.
 *
 * @example
 * ```ts
 * import { prometheusWarnings } from 'rx-informer/metrics';
 *
 * await prometheusWarnings();
 * ```
 *
 * @throws Error when prom-client is not installed, or when the registry has another metric with this name.
 */
export async function prometheusWarnings(options: PrometheusOptions = {}): Promise<void> {
  const { scraped } = await loadPrometheus('prometheusWarnings', options, ['code', 'kind', 'name']);
  scraped('gauge', 'rx_informer_warning', 'What diagnose() warns of: 1 while it does', () =>
    diagnose().map(({ code, subject: { kind, name } }) => [{ code, kind, name }, 1]),
  );
}
