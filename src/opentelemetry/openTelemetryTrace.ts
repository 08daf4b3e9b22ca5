import { type Attributes, type Meter, metrics, trace as tracing, type Tracer } from '@opentelemetry/api';
import type { Trace } from '../api/events/traceStep.js';
import { checkOptions } from '../api/options/checkOptions.js';
import { rules } from '../api/options/rules.js';
import { InformerInstruments } from './informerInstruments.js';
import { RequestSpans } from './requestSpans.js';

/** Options of `openTelemetryTrace`. */
export interface OpenTelemetryTraceOptions {
  /**
   * Makes the spans.
   *
   * @defaultValue `trace.getTracer('rx-informer')` of the global provider
   */
  readonly tracer?: Tracer;
  /**
   * Makes the metrics.
   *
   * @defaultValue `metrics.getMeter('rx-informer')` of the global provider
   */
  readonly meter?: Meter;
  /** Attributes of every span and every measurement, for example the cluster. Default: nothing. */
  readonly attributes?: Attributes;
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
 * - Gauges, read at each collection: `rx_informer.objects`, `rx_informer.synced`, `rx_informer.waiting`.
 *
 * Call it once, and give the result to as many informers of different names as you like. Without a provider of OpenTelemetry it does nothing.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { openTelemetryTrace } from 'rx-informer/opentelemetry';
 *
 * const trace = openTelemetryTrace({ attributes: { 'k8s.cluster.name': 'production' } });
 * createInformer(createClient(), resources.core.v1.pods, { trace }).start();
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
