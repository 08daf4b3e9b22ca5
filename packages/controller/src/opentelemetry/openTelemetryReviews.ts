import { type Context, context, SpanKind, SpanStatusCode, trace as tracing, type Tracer } from '@opentelemetry/api';
import { checkOptions, messageOf, rules } from 'rx-informer/internal';
import type { ReviewObserver } from '../webhooks/reviewObserver.js';

/** Options of `openTelemetryReviews`. */
export interface OpenTelemetryReviewsOptions {
  /**
   * The tracer for the spans.
   *
   * @defaultValue `trace.getTracer('rx-informer')` of the global provider
   */
  readonly tracer?: Tracer | undefined;
}

/** The context of the API server's request, from its header `traceparent` (W3C Trace Context). */
function parentOf(traceparent = ''): Context {
  const [, traceId, spanId, flags] = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined) return context.active();
  return tracing.setSpanContext(context.active(), { traceId, spanId, traceFlags: Number(`0x${flags ?? '00'}`), isRemote: true });
}

/**
 * Makes an observer for `webhookServer.observers` that reports each review as a span of the kind SERVER, with the name, the operation and the verdict. A failed one
 * has the status ERROR. It continues the trace of the API server, where that sends one.
 *
 * @example
 * ```ts
 * import { openTelemetryReviews } from '@rx-informer/controller/opentelemetry';
 * import { serveWebhooks } from '@rx-informer/controller/webhooks';
 *
 * serveWebhooks({ webhooks: [], observers: [openTelemetryReviews()] });
 * ```
 *
 * @throws TypeError when an option is wrong.
 */
export function openTelemetryReviews(options: OpenTelemetryReviewsOptions = {}): ReviewObserver {
  checkOptions('openTelemetryReviews', options, { tracer: rules.object });
  const { tracer = tracing.getTracer('rx-informer') } = options;
  return {
    ended({ webhook, operation, dryRun, verdict, at, durationMs, error, traceparent }) {
      const attributes = {
        'rx_informer.webhook': webhook,
        'rx_informer.operation': operation,
        'rx_informer.dry_run': dryRun,
        'rx_informer.verdict': verdict,
      };
      const span = tracer.startSpan(
        `review ${webhook}`,
        { kind: SpanKind.SERVER, startTime: new Date(at), attributes },
        parentOf(traceparent),
      );
      if (verdict === 'failed') span.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(error) });
      span.end(new Date(at + durationMs));
    },
  };
}
