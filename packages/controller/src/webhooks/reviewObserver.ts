/** A finished review, for metrics, traces and logs. */
export interface ReviewReport {
  /** The name of the webhook, for example `validate.v1.websites.example.com`. */
  readonly webhook: string;
  /** CREATE, UPDATE, DELETE, or the version that objects were converted to. */
  readonly operation: string;
  readonly dryRun: boolean;
  /** `failed`: the call or the conversion has failed; a refusal by the function is `denied`. */
  readonly verdict: 'allowed' | 'denied' | 'failed' | 'converted';
  /** The HTTP status code; 200 for refusals, too. */
  readonly code: number;
  /** When it began, in milliseconds since 1970 by the scheduler. */
  readonly at: number;
  readonly durationMs: number;
  /** The failure. */
  readonly error?: unknown;
  /** The trace context of the API server's request (W3C), if it sent one. */
  readonly traceparent?: string | undefined;
}

/** Gets the reviews of a webhook server; `prometheusWebhookMetrics` and `openTelemetryReviews` make one. Both methods are optional. */
export interface ReviewObserver {
  /** A review has begun. */
  began?(webhook: string): void;
  /** A review has ended. */
  ended?(report: ReviewReport): void;
}
