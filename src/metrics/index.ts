// Queues
export { queueMetrics, type QueueFigures, type QueueMetrics, type QueueMetricsOptions } from './queueMetrics.js';
export { prometheusQueueMetrics, type PrometheusQueueMetricsOptions } from './prometheusQueueMetrics.js';

// Controllers
export { prometheusLeaderMetrics, type PrometheusLeaderMetricsOptions } from './prometheusLeaderMetrics.js';
export { prometheusReconcileMetrics, type PrometheusReconcileMetricsOptions } from './prometheusReconcileMetrics.js';

// Informers
export {
  informerMetrics,
  type DifferenceFigures,
  type InformerFigures,
  type InformerMetrics,
  type InformerMetricsOptions,
} from './informerMetrics.js';
export { prometheusInformerMetrics, type LabelledResource, type PrometheusInformerMetricsOptions } from './prometheusInformerMetrics.js';
export { traceMetrics } from './traceMetrics.js';
export type { InformerMetricsSink, RelistDifference } from './informerMetricsSink.js';

// Views
export { prometheusViewMetrics, type PrometheusViewMetricsOptions } from './prometheusViewMetrics.js';

// Several
export type { DurationFigures } from './durations.js';
