/** A finished review, for metrics, traces and logs. */
export type ReviewReport = Readonly<{
  /** The name of the webhook, for example `validate.v1.websites.example.com`. */
  webhook: string;
  /** CREATE, UPDATE, DELETE, or the version that objects were converted to. */
  operation: string;
  dryRun: boolean;
  /** `failed`: the call or the conversion has failed; a refusal by the function is `denied`. */
  verdict: 'allowed' | 'denied' | 'failed' | 'converted';
  /** The HTTP status code; 200 for refusals, too. */
  code: number;
  /** When it began, in milliseconds since 1970 by the scheduler. */
  at: number;
  durationMs: number;
  /** The failure. */
  error?: unknown;
  /** The trace context of the API server's request (W3C), if it sent one. */
  traceparent?: string | undefined;
}>;

/** Gets the reviews of a webhook server; `prometheusWebhookMetrics` and `openTelemetryReviews` make one. Both methods are optional. */
export type ReviewObserver = Readonly<{
  /** A review has begun. */
  began?(webhook: string): void;
  /** A review has ended. */
  ended?(report: ReviewReport): void;
}>;
