import { loadPrometheus, type PrometheusOptions } from './prometheusOptions.js';

import type { QueueMetricsSink, QueueReadings } from '../workqueue/queueMetricsSink.js';

/** 1 microsecond to 1000 s: client-go's buckets without those that no JavaScript program can fill. */
const buckets = [1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1, 10, 100, 1_000];

/**
 * Registers client-go's work queue metrics with prom-client, which it loads at the first call, and returns what makes a sink for a queue by
 * its name.
 *
 * The metrics are `workqueue_depth`, `workqueue_adds_total`, `workqueue_queue_duration_seconds`, `workqueue_work_duration_seconds`,
 * `workqueue_unfinished_work_seconds`, `workqueue_longest_running_processor_seconds` and `workqueue_retries_total`, all with the label
 * `name`. What changes while nothing happens is read from the queues at each scrape.
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
 * @throws Error when prom-client is not installed, or when the registry has metrics of somebody else under these names.
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
