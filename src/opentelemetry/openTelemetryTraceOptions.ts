import type { Attributes, Meter, Tracer } from '@opentelemetry/api';

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
