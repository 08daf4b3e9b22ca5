export { openTelemetryTrace, type OpenTelemetryTraceOptions } from './openTelemetryTrace.js';
export { openTelemetryReviews, type OpenTelemetryReviewsOptions } from './openTelemetryReviews.js';
