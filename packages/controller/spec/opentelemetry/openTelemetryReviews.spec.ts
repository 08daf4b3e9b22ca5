import { describe, expect, it } from '@jest/globals';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { openTelemetryReviews } from '../../src/opentelemetry/openTelemetryReviews.js';

describe('openTelemetryReviews', () => {
  it("makes a span of each review, in the API server's trace", () => {
    const exporter = new InMemorySpanExporter();
    const tracer = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).getTracer('test');
    const observer = openTelemetryReviews({ tracer });
    const report = { webhook: 'w', operation: 'CREATE', dryRun: true, at: 1_000, durationMs: 20 };
    const [traceId, parent] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
    observer.ended?.({ ...report, verdict: 'denied', code: 200, traceparent: `00-${traceId}-${parent}-01` });
    observer.ended?.({ ...report, verdict: 'failed', code: 500, error: new Error('too fast'), traceparent: 'unknown' });
    const [denied, failed] = exporter.getFinishedSpans();
    expect(denied).toMatchObject({
      name: 'review w',
      kind: SpanKind.SERVER,
      startTime: [1, 0],
      endTime: [1, 20_000_000],
      status: { code: SpanStatusCode.UNSET },
      attributes: {
        'rx_informer.webhook': 'w',
        'rx_informer.operation': 'CREATE',
        'rx_informer.dry_run': true,
        'rx_informer.verdict': 'denied',
      },
      parentSpanContext: { traceId, spanId: parent, isRemote: true },
    });
    expect(failed).toMatchObject({ status: { code: SpanStatusCode.ERROR, message: 'too fast' } });
    expect(failed?.parentSpanContext).toBeUndefined();
  });

  it('refuses options that it does not know', () => {
    expect(() => openTelemetryReviews({ tracr: {} } as never)).toThrow('`tracer`');
  });
});
