import { type Attributes, type HrTime, type Span, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import type { TraceEnd, TraceLine, TracePage, TraceRequest } from '../api/events/traceStep.js';
import { messageOf } from '../api/errors/messageOf.js';

/** The numbers of a request under way. */
interface RequestSpan {
  readonly span: Span;
  items: number;
}

/** A time of the scheduler, which counts milliseconds since 1970, as OpenTelemetry has it. */
function timeOf(at: number): HrTime {
  const seconds = Math.floor(at / 1_000);
  return [seconds, Math.round((at - seconds * 1_000) * 1_000_000)];
}

/** A span for each request of a source, from its sending to its end. @internal */
export class RequestSpans {
  private readonly tracer: Tracer;
  private readonly attributes: Attributes;
  private readonly open = new Map<string, RequestSpan>();

  constructor(tracer: Tracer, attributes: Attributes) {
    this.tracer = tracer;
    this.attributes = attributes;
  }

  take(step: TraceRequest | TracePage | TraceLine | TraceEnd): void {
    const key = `${step.name}\n${step.scope}\n${String(step.id)}`;
    if (step.stage === 'request') {
      this.open.set(key, this.begin(step));
      return;
    }
    const request = this.open.get(key);
    if (request === undefined) return;
    if (step.stage === 'page') request.items += step.items.length;
    else if (step.stage === 'line') request.items += 1;
    else {
      this.open.delete(key);
      this.end(request, step);
    }
  }

  private begin({ at, name, resource, scope, verb, request }: TraceRequest): RequestSpan {
    const span = this.tracer.startSpan(`${verb} ${resource}`, {
      kind: SpanKind.CLIENT,
      startTime: timeOf(at),
      attributes: {
        ...this.attributes,
        'rx_informer.name': name,
        'rx_informer.resource': resource,
        'rx_informer.verb': verb,
        ...(scope !== '' && { 'rx_informer.scope': scope }),
        ...(request.resourceVersion !== undefined && { 'rx_informer.resource_version': request.resourceVersion }),
      },
    });
    return { span, items: 0 };
  }

  private end({ span, items }: RequestSpan, { at, outcome, error }: TraceEnd): void {
    span.setAttribute('rx_informer.outcome', outcome);
    span.setAttribute('rx_informer.items', items);
    if (outcome === 'failed') {
      span.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(error) });
      if (error instanceof Error) span.recordException(error, timeOf(at));
    }
    span.end(timeOf(at));
  }
}
