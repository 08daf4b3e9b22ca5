import type { Attributes, Meter } from '@opentelemetry/api';
import type { InformerReadings, Trace } from '../api/events/traceStep.js';
import { traceMetrics } from '../metrics/traceMetrics.js';
import { entryOf } from '../api/entryOf.js';

type Read = () => InformerReadings;

/** What is counted as it happens. */
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

/** The metrics of informers, made of their trace. @internal */
export class InformerInstruments {
  private readonly instruments: ReturnType<typeof instrumentsOf>;
  private readonly attributes: Attributes;
  private readonly traces = new Map<string, Trace>();
  private readonly readers = new Map<string, { readonly read: Read; readonly attributes: Attributes }>();

  constructor(meter: Meter, attributes: Attributes) {
    this.instruments = instrumentsOf(meter);
    this.attributes = attributes;
    this.observe(meter, 'objects', '{object}', 'How many objects the cache holds', ({ objects }) => objects);
    this.observe(meter, 'synced', '1', 'Whether the cache has been complete in this session', ({ synced }) => (synced ? 1 : 0));
    this.observe(meter, 'waiting', '{event}', 'How many events wait for handlers and consumers', ({ waiting }) =>
      waiting.reduce((sum, { events }) => sum + events, 0),
    );
  }

  readonly take: Trace = (step) => {
    const make = (): Trace => this.traceOf({ ...this.attributes, 'rx_informer.name': step.name, 'rx_informer.resource': step.resource });
    entryOf(this.traces, step.name, make)(step);
  };

  private observe(meter: Meter, name: string, unit: string, description: string, valueOf: (readings: InformerReadings) => number): void {
    meter.createObservableGauge(`rx_informer.${name}`, { description, unit }).addCallback((result) => {
      for (const { read, attributes } of this.readers.values()) result.observe(valueOf(read()), attributes);
    });
  }

  private traceOf(attributes: Attributes): Trace {
    const { listDuration, listObjects, watchDuration, processing, events, failures, differences } = this.instruments;
    return traceMetrics({
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
