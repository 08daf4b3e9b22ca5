export { openTelemetryTrace } from './openTelemetryTrace.js';
export { openTelemetryReviews } from './openTelemetryReviews.js';
