export { queueMetrics, type DurationFigures, type QueueFigures, type QueueMetrics, type QueueMetricsOptions } from './queueMetrics.js';
export { prometheusQueueMetrics, type PrometheusQueueMetricsOptions } from './prometheusQueueMetrics.js';
