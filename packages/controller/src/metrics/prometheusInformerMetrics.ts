import { loadPrometheus, type PrometheusOptions, sum } from './prometheusOptions.js';
import type { Resource } from 'rx-informer';
import { type InformerReadings, entryOf } from 'rx-informer/internal';
import type { Trace } from 'rx-informer/pipeline';
import { traceMetrics } from './traceMetrics.js';

const labelNames = ['name', 'group', 'version', 'resource'] as const;
type Label = (typeof labelNames)[number];
type Labels = Record<Label, string>;
type Prometheus = Awaited<ReturnType<typeof loadPrometheus<Label>>>;

const listBuckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60];
const itemBuckets = [1, 10, 100, 1_000, 10_000, 100_000];
const watchBuckets = [1, 10, 30, 60, 300, 600, 1_800, 3_600];
const processingBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];

/** The informers that have the same labels. */
interface Labelled {
  readonly labels: Labels;
  readonly informers: ReadonlyMap<string, () => InformerReadings>;
}

/** Registers the metrics that are read at each scrape, for all informers of the same labels together: also for those of several managers. */
function registerGauges({ scraped }: Prometheus, all: ReadonlySet<Labelled>): void {
  const gauge = (
    name: string,
    help: string,
    valueOf: (readings: InformerReadings) => number,
    combine?: (before: number, value: number) => number,
  ): void => {
    const valuesOf = ({ labels, informers }: Labelled) => [...informers.values()].map((read) => [labels, valueOf(read())] as const);
    scraped('gauge', name, help, () => [...all].flatMap(valuesOf), combine);
  };
  gauge('informer_store_resource_version', 'The version that the cache reflects', ({ resourceVersion }) => Number(resourceVersion));
  gauge('informer_store_objects', 'Number of cached objects', ({ objects }) => objects, sum);
  gauge('informer_synced', 'Whether the cache has been complete in this session', ({ synced }) => (synced ? 1 : 0), Math.min);
  gauge(
    'informer_stale_seconds',
    'How long the cache has not been known to be current; 0 while a watch is open',
    ({ staleMs }) => staleMs / 1000,
    Math.max,
  );
  gauge(
    'informer_queued_items',
    'Number of events queued for handlers and consumers',
    ({ waiting }) => waiting.map(({ events }) => events).reduce(sum, 0),
    sum,
  );
}

/** Registers the metrics that are counted when events happen. */
function registerCounters({ counter, gauge, histogram }: Prometheus) {
  return {
    lists: counter('reflector_lists_total', 'Number of lists begun'),
    listDuration: histogram('reflector_list_duration_seconds', 'Duration of complete lists', listBuckets),
    listItems: histogram('reflector_items_per_list', 'Number of objects in complete lists', itemBuckets),
    watches: counter('reflector_watches_total', 'Number of watches begun'),
    shortWatches: counter('reflector_short_watches_total', 'Number of watches closed within a second, before any event'),
    watchDuration: histogram('reflector_watch_duration_seconds', 'Duration of watches', watchBuckets),
    watchItems: histogram('reflector_items_per_watch', 'Number of events per watch', itemBuckets),
    version: gauge('reflector_last_resource_version', 'The version that the source has reached'),
    processing: histogram(
      'informer_processing_latency_seconds',
      'Time from a source event to the end of its processing by the cache and all synchronous subscribers',
      processingBuckets,
    ),
    events: counter('reflector_events_total', 'Number of events received on watches', 'type'),
    failures: counter('informer_failures_total', 'Number of failures of the source', 'code'),
    differences: counter(
      'informer_relist_differences_total',
      'Number of objects in which repeated lists differed from the cache; missed: the watch should have sent it',
      'reason',
      'type',
      'missed',
    ),
  };
}

/**
 * Registers the metrics of informers with prom-client, which is loaded at the first call. Returns a function that makes the trace of an informer, for `tracing`, from its
 * name.
 *
 * - Under client-go's names: `reflector_lists_total`, `reflector_list_duration_seconds`, `reflector_items_per_list`, `reflector_watches_total`,
 *   `reflector_short_watches_total`, `reflector_watch_duration_seconds`, `reflector_items_per_watch`, `reflector_last_resource_version`,
 *   `informer_queued_items`, `informer_processing_latency_seconds` and `informer_store_resource_version`.
 * - Beyond those: `reflector_events_total` (by `type`), `informer_store_objects`, `informer_synced`, `informer_stale_seconds`, `informer_failures_total` (by `code`) and
 *   `informer_relist_differences_total` (by `reason`, `type` and `missed`).
 *
 * All have the labels `name`, `group`, `version` and `resource`. Without a resource argument, group and resource are those of the informer, and `version` is
 * empty: for a factory, whose informers of one resource are counted together. Informers of the same labels are shown together, also those of several managers.
 * Gauges are read from the informers at each scrape, until they are stopped. Call the function once per informer or factory.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, createInformerFactory, resources } from 'rx-informer';
 * import { tracing } from 'rx-informer/pipeline';
 * import { prometheusInformerMetrics } from '@rx-informer/controller/metrics';
 *
 * const traceOf = await prometheusInformerMetrics();
 * const { pods } = resources.core.v1;
 * createInformer(createClient(), pods, { parts: [tracing(traceOf('all pods', pods))] }).start();
 * createInformerFactory(createClient(), { parts: [tracing(traceOf('the others'))] }).core.v1.services.start();
 * ```
 *
 * @throws Error when prom-client is not installed, or when the registry has other metrics with these names.
 *
 * @see client-go's `InformerMetricsProvider` and the `MetricsProvider` of its reflectors
 */
export async function prometheusInformerMetrics(
  options: PrometheusOptions = {},
): Promise<(name: string, resource?: Pick<Resource<unknown, never>, 'group' | 'version' | 'plural'>) => Trace> {
  const prometheus = await loadPrometheus('prometheusInformerMetrics', options, labelNames);
  const all = new Set<Labelled>();
  registerGauges(prometheus, all);
  const metrics = registerCounters(prometheus);

  const traceWith = (labels: Labels): Trace => {
    const informers = new Map<string, () => InformerReadings>();
    all.add({ labels, informers });
    return traceMetrics({
      opened: (name, read) => void informers.set(name, read),
      closed: (name) => void informers.delete(name),
      list: () => metrics.lists.inc(labels),
      listed: (ms, items) => {
        metrics.listDuration.observe(labels, ms / 1000);
        metrics.listItems.observe(labels, items);
      },
      watch: () => metrics.watches.inc(labels),
      watched: (ms, events, short) => {
        metrics.watchDuration.observe(labels, ms / 1000);
        metrics.watchItems.observe(labels, events);
        if (short) metrics.shortWatches.inc(labels);
      },
      event: (type) => metrics.events.inc({ ...labels, type }),
      resourceVersion: (reached) => metrics.version.set(labels, Number(reached)),
      failure: (code) => metrics.failures.inc({ ...labels, code }),
      processed: (ms) => metrics.processing.observe(labels, ms / 1000),
      difference: ({ type, reason, missed }) => metrics.differences.inc({ ...labels, type, reason, missed: String(missed) }),
    });
  };

  return (name, resource) => {
    if (resource !== undefined) return traceWith({ name, group: resource.group, version: resource.version, resource: resource.plural });
    const traces = new Map<string, Trace>();
    return (step) => {
      const trace = entryOf(traces, step.resource, () => {
        const [plural = '', ...group] = step.resource.split('.');
        return traceWith({ name, group: group.join('.'), version: '', resource: plural });
      });
      trace(step);
    };
  };
}
