export { openTelemetryTrace, type OpenTelemetryTraceOptions } from './openTelemetryTrace.js';
