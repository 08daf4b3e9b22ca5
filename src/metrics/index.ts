// Queues
export { queueMetrics, type QueueFigures, type QueueMetrics, type QueueMetricsOptions } from './queueMetrics.js';
export { prometheusQueueMetrics } from './prometheusQueueMetrics.js';

// Controllers
export { prometheusLeaderMetrics } from './prometheusLeaderMetrics.js';
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
export { traceMetrics } from './traceMetrics.js';
export type { InformerMetricsSink, RelistDifference } from './informerMetricsSink.js';

// Views
export { prometheusViewMetrics } from './prometheusViewMetrics.js';

// All
export type { PrometheusOptions } from './prometheusOptions.js';
export type { DurationFigures } from './figures.js';
