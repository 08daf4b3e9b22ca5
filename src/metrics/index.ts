// Queues
export { queueMetrics, type QueueFigures, type QueueMetrics, type QueueMetricsOptions } from './queueMetrics.js';
export { prometheusLeaderMetrics, prometheusQueueMetrics, prometheusViewMetrics, prometheusWarnings } from './prometheusMetrics.js';

// Controllers
export { prometheusReconcileMetrics } from './prometheusReconcileMetrics.js';

// Informers
export {
  informerMetrics,
  type DifferenceFigures,
  type InformerFigures,
  type InformerMetrics,
  type InformerMetricsOptions,
} from './informerMetrics.js';
export { prometheusInformerMetrics, type LabelledResource } from './prometheusInformerMetrics.js';
export { type InformerMetricsSink, type RelistDifference, traceMetrics } from './traceMetrics.js';

// Views

// Warnings

// All
export type { PrometheusOptions } from './prometheusOptions.js';
export type { DurationFigures } from './figures.js';
