export { openTelemetryTrace } from './openTelemetryTrace.js';
export type { OpenTelemetryTraceOptions } from './openTelemetryTrace.js';
