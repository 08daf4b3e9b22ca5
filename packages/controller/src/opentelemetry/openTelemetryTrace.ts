import {
  type Attributes,
  type HrTime,
  type Meter,
  metrics,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace as tracing,
  type Tracer,
} from '@opentelemetry/api';
import {
  type InformerReadings,
  type TraceEnd,
  type TraceLine,
  type TracePage,
  type TraceRequest,
  checkOptions,
  entryOf,
  messageOf,
  rules,
} from 'rx-informer/internal';
import type { Trace } from 'rx-informer/pipeline';
import { meteredTrace, type MeteredTrace } from '../metrics/traceMetrics.js';

/** The counters of a request. */
interface RequestSpan {
  readonly span: Span;
  items: number;
}

/** Converts a time of the scheduler, in milliseconds since 1970, to OpenTelemetry's format. */
function timeOf(at: number): HrTime {
  const seconds = Math.floor(at / 1_000);
  return [seconds, Math.round((at - seconds * 1_000) * 1_000_000)];
}

/** A span for each request of a source. @internal */
class RequestSpans {
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

type Read = () => InformerReadings;

/** The counters and histograms. */
function instrumentsOf(meter: Meter) {
  const seconds = (name: string, description: string) => meter.createHistogram(`rx_informer.${name}`, { description, unit: 's' });
  const count = (name: string, unit: string, description: string) => meter.createCounter(`rx_informer.${name}`, { description, unit });
  return {
    listDuration: seconds('list.duration', 'How long complete lists took'),
    listObjects: meter.createHistogram('rx_informer.list.objects', {
      description: 'How many objects complete lists had',
      unit: '{object}',
    }),
    watchDuration: seconds('watch.duration', 'How long watches lasted'),
    processing: seconds('processing.duration', 'How long events took through the cache'),
    events: count('watch.events', '{event}', 'How many events came on watches'),
    failures: count('failures', '{failure}', 'How many failures of the source there were'),
    differences: count('relist.differences', '{object}', 'In how many objects repeated lists differed from the cache'),
  };
}

/** The metrics of informers, computed from their trace. @internal */
class InformerInstruments {
  private readonly instruments: ReturnType<typeof instrumentsOf>;
  private readonly attributes: Attributes;
  private readonly traces = new Map<string, MeteredTrace>();
  private readonly readers = new Map<string, { readonly read: Read; readonly attributes: Attributes }>();

  constructor(meter: Meter, attributes: Attributes) {
    this.instruments = instrumentsOf(meter);
    this.attributes = attributes;
    this.observe(meter, 'objects', '{object}', 'How many objects the cache holds', ({ objects }) => objects);
    this.observe(meter, 'synced', '1', 'Whether the cache has been complete in this session', ({ synced }) => (synced ? 1 : 0));
    const stale = 'How long the cache has not been known to be current; 0 while a watch is open';
    this.observe(meter, 'stale', 's', stale, ({ staleMs }) => staleMs / 1_000);
    this.observe(meter, 'waiting', '{event}', 'How many events wait for handlers and consumers', ({ waiting }) =>
      waiting.reduce((sum, { events }) => sum + events, 0),
    );
  }

  readonly take: Trace = (step) => {
    const make = (): MeteredTrace =>
      this.traceOf({ ...this.attributes, 'rx_informer.name': step.name, 'rx_informer.resource': step.resource });
    const { trace, meters } = entryOf(this.traces, step.name, make);
    trace(step);
    // Its last request ends after the informer.
    if (meters.size === 0) this.traces.delete(step.name);
  };

  private observe(meter: Meter, name: string, unit: string, description: string, valueOf: (readings: InformerReadings) => number): void {
    meter.createObservableGauge(`rx_informer.${name}`, { description, unit }).addCallback((result) => {
      for (const { read, attributes } of this.readers.values()) result.observe(valueOf(read()), attributes);
    });
  }

  private traceOf(attributes: Attributes): MeteredTrace {
    const { listDuration, listObjects, watchDuration, processing, events, failures, differences } = this.instruments;
    return meteredTrace({
      opened: (name, read) => this.readers.set(name, { read, attributes }),
      closed: (name) => this.readers.delete(name),
      listed: (ms, objects) => {
        listDuration.record(ms / 1_000, attributes);
        listObjects.record(objects, attributes);
      },
      watched: (ms) => watchDuration.record(ms / 1_000, attributes),
      event: (type) => events.add(1, { ...attributes, 'rx_informer.event': type }),
      failure: (code) => failures.add(1, { ...attributes, 'error.type': code }),
      processed: (ms) => processing.record(ms / 1_000, attributes),
      difference: ({ type, reason, missed }) =>
        differences.add(1, { ...attributes, 'rx_informer.difference': type, 'rx_informer.reason': reason, 'rx_informer.missed': missed }),
    });
  }
}

/** Options of `openTelemetryTrace`. */
export interface OpenTelemetryTraceOptions {
  /**
   * The tracer for the spans.
   *
   * @defaultValue `trace.getTracer('rx-informer')` of the global provider
   */
  readonly tracer?: Tracer | undefined;
  /**
   * The meter for the metrics.
   *
   * @defaultValue `metrics.getMeter('rx-informer')` of the global provider
   */
  readonly meter?: Meter | undefined;
  /** Attributes of every span and every measurement, for example the cluster. @defaultValue none */
  readonly attributes?: Attributes | undefined;
}

/**
 * Makes the `trace` of informers and factories that reports to OpenTelemetry.
 *
 * ```text
 * steps     request  page  end   request  line  line  end
 * spans     [list pods------]    [watch pods--------]
 * ```
 *
 * - A span of the kind CLIENT for each request: `list pods`, `watchList pods`, `watch pods`, `probe pods`, with `rx_informer.name`,
 *   `rx_informer.scope`, `rx_informer.items` and `rx_informer.outcome`. That of a request which fails has the status ERROR and the exception.
 * - Histograms in seconds: `rx_informer.list.duration`, `rx_informer.watch.duration`, `rx_informer.processing.duration`; in objects:
 *   `rx_informer.list.objects`.
 * - Counters: `rx_informer.watch.events`, `rx_informer.failures` (by `error.type`), `rx_informer.relist.differences`.
 * - Gauges, read at each collection: `rx_informer.objects`, `rx_informer.synced`, `rx_informer.stale` (in seconds), `rx_informer.waiting`.
 *
 * Call it once, and pass the result to any number of informers with different names. Without an OpenTelemetry provider it does nothing.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { tracing } from 'rx-informer/pipeline';
 * import { openTelemetryTrace } from '@rx-informer/controller/opentelemetry';
 *
 * const trace = openTelemetryTrace({ attributes: { 'k8s.cluster.name': 'production' } });
 * createInformer(createClient(), resources.core.v1.pods, { parts: [tracing(trace)] }).start();
 * ```
 *
 * @throws TypeError when an option is wrong.
 */
export function openTelemetryTrace(options: OpenTelemetryTraceOptions = {}): Trace {
  checkOptions('openTelemetryTrace', options, { tracer: rules.object, meter: rules.object, attributes: rules.object });
  const { tracer = tracing.getTracer('rx-informer'), meter = metrics.getMeter('rx-informer'), attributes = {} } = options;
  const spans = new RequestSpans(tracer, attributes);
  const instruments = new InformerInstruments(meter, attributes);
  return (step) => {
    if (step.stage === 'request' || step.stage === 'page' || step.stage === 'line' || step.stage === 'end') spans.take(step);
    instruments.take(step);
  };
}
