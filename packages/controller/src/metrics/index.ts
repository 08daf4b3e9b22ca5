// Queues
export {
  type MeasuredView,
  prometheusLeaderMetrics,
  prometheusQueueMetrics,
  prometheusViewMetrics,
  prometheusWarnings,
  type PrometheusWarningsOptions,
} from './prometheusMetrics.js';

// Controllers
export { prometheusReconcileMetrics } from './prometheusMetrics.js';

// Informers
export { prometheusInformerMetrics, type LabelledResource } from './prometheusInformerMetrics.js';
export { combineTraces } from './combineTraces.js';
export { type InformerMetricsSink, type RelistDifference, traceMetrics } from './traceMetrics.js';

// Webhooks
export { prometheusWebhookMetrics } from './prometheusWebhookMetrics.js';

// All
export type { PrometheusOptions } from './prometheusOptions.js';
