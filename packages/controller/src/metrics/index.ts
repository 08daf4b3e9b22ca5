// Queues
export {
  prometheusLeaderMetrics,
  prometheusQueueMetrics,
  prometheusViewMetrics,
  prometheusWarnings,
  prometheusReconcileMetrics,
} from './prometheusMetrics.js';

// Controllers

// Informers
export { prometheusInformerMetrics } from './prometheusInformerMetrics.js';
export { combineTraces } from './combineTraces.js';
export { type InformerMetricsSink, traceMetrics } from './traceMetrics.js';

// Webhooks
export { prometheusWebhookMetrics } from './prometheusWebhookMetrics.js';

// All
