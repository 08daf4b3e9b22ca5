import type { Observable, SchedulerLike } from 'rxjs';
import type { QueueMetricsSink, QueueReadings } from '../workqueue/workQueue.js';
import { type DurationFigures, Durations, figuresEvery } from './figures.js';

/** The figures of one queue at one moment. */
export interface QueueFigures extends QueueReadings {
  /** How many items were accepted. */
  readonly adds: number;
  /** How many items were added with a delay or a rate limit. */
  readonly retries: number;
  /** How long items waited before they were taken. */
  readonly latency: DurationFigures;
  /** How long the work on items took. */
  readonly workDuration: DurationFigures;
}

/** Options of `queueMetrics`. */
export interface QueueMetricsOptions {
  /**
   * How often `figures$` emits, in milliseconds.
   *
   * @defaultValue 500, as client-go's queues refresh theirs
   */
  readonly intervalMs?: number | undefined;
  /** @defaultValue a monotonic clock */
  readonly scheduler?: SchedulerLike | undefined;
}

/** Collects the figures of one queue. */
export interface QueueMetrics {
  /** Pass it to the queue, or to `reconcile`, as `metrics`. */
  readonly sink: QueueMetricsSink;
  /** The figures now. */
  read(): QueueFigures;
  /** The figures on subscription, then periodically. No timer runs without a subscriber. */
  readonly figures$: Observable<QueueFigures>;
}

const nothing: QueueReadings = { depth: 0, processing: 0, unfinishedWorkMs: 0, longestRunningMs: 0, longestRunningItem: undefined };

/**
 * Shows the figures of one queue as an Observable.
 *
 * ```text
 * figures$   x----x----x----      on subscription, then every `intervalMs`; never completes
 * ```
 *
 * Each notification contains all figures since the queue was created.
 *
 * @example
 * ```ts
 * import { queueMetrics } from 'rx-informer/metrics';
 * import { createWorkQueue } from 'rx-informer/workqueue';
 *
 * const metrics = queueMetrics();
 * const queue = createWorkQueue<string>({ metrics: metrics.sink });
 * metrics.figures$.subscribe(({ depth, longestRunningItem }) => console.log(depth, longestRunningItem));
 * ```
 *
 * @throws TypeError when an option is wrong.
 *
 * @see client-go's `workqueue.MetricsProvider`
 */
export function queueMetrics(options: QueueMetricsOptions = {}): QueueMetrics {
  let readings = (): QueueReadings => nothing;
  let adds = 0;
  let retries = 0;
  const latency = new Durations();
  const workDuration = new Durations();
  const read = (): QueueFigures => ({ ...readings(), adds, retries, latency: latency.read(), workDuration: workDuration.read() });
  return {
    sink: {
      opened: (given) => (readings = given),
      adds: () => (adds += 1),
      retries: () => (retries += 1),
      latency: (ms) => latency.add(ms),
      workDuration: (ms) => workDuration.add(ms),
    },
    read,
    figures$: figuresEvery('queueMetrics', options, read),
  };
}
