import { describe, expect, it } from '@jest/globals';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { AggregationTemporality, InMemoryMetricExporter, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { VirtualTimeScheduler } from 'rxjs';
import { createInformer } from 'rx-informer';
import { tracing } from 'rx-informer/pipeline';
import { openTelemetryTrace } from '../../src/opentelemetry/openTelemetryTrace.js';
import { advanceBy, FakeListerWatcher, pod } from 'rx-informer/testing';

/** The SDK of OpenTelemetry, with exporters that keep the data in memory. */
function sdk() {
  const spans = new InMemorySpanExporter();
  const tracing = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  const exporter = new InMemoryMetricExporter(AggregationTemporality.DELTA);
  const metering = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 2 ** 30 })] });
  return { spans, exporter, metering, tracer: tracing.getTracer('test'), meter: metering.getMeter('test') };
}

/** The metrics as lines: name, attributes without the name of the informer, and the value, or count and sum. */
async function linesOf({ exporter, metering }: ReturnType<typeof sdk>): Promise<string[]> {
  exporter.reset();
  await metering.forceFlush();
  const all = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics));
  return all.flatMap(({ descriptor, dataPoints }) =>
    dataPoints.map(({ attributes, value }) => {
      const { 'rx_informer.name': name, 'rx_informer.resource': resource, ...others } = attributes;
      const shown = typeof value === 'object' ? `${String(value.count)} of ${String(value.sum)}` : String(value);
      return [descriptor.name, String(name), String(resource), ...Object.values(others).map(String), shown].join(' ');
    }),
  );
}

describe('openTelemetryTrace', () => {
  it('makes a span of each request, and metrics of what they bring', async () => {
    const telemetry = sdk();
    const { spans, tracer, meter, metering } = telemetry;
    const scheduler = new VirtualTimeScheduler();
    const server = new FakeListerWatcher({ scheduler, latencyMs: 500, bookmarkIntervalMs: Infinity, resource: 'pods' });
    server.add(pod('a'));
    server.add(pod('b'));
    const informer = createInformer(server, {
      scheduler,
      random: () => 0,
      listStrategy: 'list',
      name: 'all pods',
      logger: { warn: () => undefined },
      parts: [tracing(openTelemetryTrace({ tracer, meter, attributes: { cluster: 'one' } }))],
    });
    informer.start();
    advanceBy(scheduler, 2_000);
    server.modify(pod('a'));
    advanceBy(scheduler, 1_000);
    server.reset();
    advanceBy(scheduler, 600);

    const [list, watch] = spans.getFinishedSpans();
    expect(list).toMatchObject({
      name: 'list pods',
      kind: SpanKind.CLIENT,
      startTime: [0, 0],
      endTime: [0, 500_000_000],
      status: { code: SpanStatusCode.UNSET },
      attributes: { cluster: 'one', 'rx_informer.name': 'all pods', 'rx_informer.items': 2, 'rx_informer.outcome': 'complete' },
    });
    expect(watch).toMatchObject({
      name: 'watch pods',
      status: { code: SpanStatusCode.ERROR, message: expect.stringContaining('ECONNRESET') },
      attributes: { 'rx_informer.items': 1, 'rx_informer.outcome': 'failed' },
      events: [{ name: 'exception' }],
    });
    expect(await linesOf(telemetry)).toEqual(
      expect.arrayContaining([
        'rx_informer.list.duration all pods pods one 1 of 0.5',
        'rx_informer.list.objects all pods pods one 1 of 2',
        'rx_informer.watch.events all pods pods one MODIFIED 1',
        'rx_informer.failures all pods pods one ERR_WATCH 1',
        'rx_informer.objects all pods pods one 2',
        'rx_informer.synced all pods pods one 1',
        'rx_informer.waiting all pods pods one 0',
      ]),
    );

    await informer.stop();
    expect((await linesOf(telemetry)).filter((line) => line.startsWith('rx_informer.objects'))).toEqual([]);
    await metering.shutdown();
  });

  it('tells informers of different names apart', async () => {
    const telemetry = sdk();
    const trace = openTelemetryTrace({ meter: telemetry.meter, tracer: telemetry.tracer });
    const informers = ['first', 'second'].map((name) => {
      const server = new FakeListerWatcher({ resource: 'pods' });
      server.add(pod('a'));
      return createInformer(server, { name, parts: [tracing(trace)] });
    });
    for (const informer of informers) informer.start();

    expect((await linesOf(telemetry)).filter((line) => line.startsWith('rx_informer.objects'))).toEqual([
      'rx_informer.objects first pods 1',
      'rx_informer.objects second pods 1',
    ]);
    await Promise.all(informers.map((informer) => informer.stop()));
    await telemetry.metering.shutdown();
  });

  it('does nothing where no provider is registered', () => {
    const informer = createInformer(new FakeListerWatcher(), { parts: [tracing(openTelemetryTrace())] });
    informer.start();
    expect(informer.hasSynced()).toBe(true);
    return informer.stop();
  });

  it('refuses options that it does not know', () => {
    expect(() => openTelemetryTrace({ tracr: {} } as never)).toThrow('`tracer`');
  });
});
