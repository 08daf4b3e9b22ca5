import type * as Prometheus from 'prom-client';
import { checkOptions, rules } from 'rx-informer/internal';
import { notInstalled } from './loadInspector.js';

/** Options of the functions that register metrics with prom-client. */
export interface PrometheusOptions {
  /**
   * The registry for the metrics.
   *
   * @defaultValue the default registry of prom-client
   */
  readonly register?: Prometheus.Registry | undefined;
}

/** Makes metrics with the same labels in one registry. */
interface Registrar<L extends string> {
  /** A counter that has `more` labels. */
  readonly counter: <M extends string = never>(name: string, help: string, ...more: readonly M[]) => Prometheus.Counter<L | M>;
  readonly gauge: (name: string, help: string) => Prometheus.Gauge<L>;
  readonly histogram: (name: string, help: string, buckets: number[]) => Prometheus.Histogram<L>;
  /** A metric whose values are read at each scrape. Of several values with the same labels, `combine` makes one: by default, the last one is shown. */
  readonly scraped: (
    type: 'counter' | 'gauge',
    name: string,
    help: string,
    read: () => Iterable<readonly [Record<L, string>, number]>,
    combine?: (before: number, value: number) => number,
  ) => void;
}

/** Combines the values of what has the same labels. @internal */
export const sum = (one: number, other: number): number => one + other;

/** A metric of a registry, and the functions that read its values at each scrape. */
interface Registered {
  readonly metric: unknown;
  readonly reads: Set<() => Iterable<readonly [object, number]>>;
}

type Holder = Prometheus.Registry & { [registered]?: Map<string, Registered> | undefined };

/** The member of a registry with the metrics registered by this package; shared by both module formats. */
const registered: unique symbol = Symbol.for('rx-informer.metrics');

/** The metric of a name in the registry, created by `make` if it is new: several managers of one process share the metrics. */
function registeredIn(registry: Holder, name: string, make: (reads: Registered['reads']) => unknown): Registered {
  const all = registry[registered] ?? new Map<string, Registered>();
  registry[registered] = all;
  const known = all.get(name);
  // The registry may have been cleared.
  if (known !== undefined && registry.getSingleMetric(name) === known.metric) return known;
  const reads: Registered['reads'] = new Set();
  const made = { metric: make(reads), reads };
  all.set(name, made);
  return made;
}

async function loadPromClient(): Promise<typeof Prometheus> {
  try {
    return await import('prom-client');
  } catch (cause) {
    throw notInstalled('What makes metrics for Prometheus', 'prom-client', cause);
  }
}

/** Loads prom-client, for metrics with these labels. @internal */
export async function loadPrometheus<L extends string>(
  owner: string,
  options: PrometheusOptions,
  labelNames: readonly L[],
): Promise<Registrar<L>> {
  checkOptions(owner, options, { register: rules.object });
  const { Counter, Gauge, Histogram, register } = await loadPromClient();
  const registry: Holder = options.register ?? register;
  const common = { labelNames, registers: [registry] };
  const once = <M>(name: string, make: () => M): M => registeredIn(registry, name, make).metric as M;
  return {
    counter: (name, help, ...more) => once(name, () => new Counter({ ...common, labelNames: [...labelNames, ...more], name, help })),
    gauge: (name, help) => once(name, () => new Gauge({ ...common, name, help })),
    histogram: (name, help, buckets) => once(name, () => new Histogram({ ...common, name, help, buckets })),
    scraped(type, name, help, read, combine = (_, value) => value) {
      const make = (reads: Registered['reads']): unknown => {
        function collect(this: Prometheus.Counter<L> | Prometheus.Gauge<L>): void {
          this.reset();
          const values = new Map<string, readonly [Record<L, string>, number]>();
          for (const [labels, value] of [...reads].flatMap((each) => [...each()] as [Record<L, string>, number][])) {
            const key = JSON.stringify(labels);
            const before = values.get(key);
            values.set(key, [labels, before === undefined ? value : combine(before[1], value)]);
          }
          for (const [labels, value] of values.values()) {
            if ('set' in this) this.set(labels, value);
            else this.inc(labels, value);
          }
        }
        return type === 'gauge' ? new Gauge({ ...common, name, help, collect }) : new Counter({ ...common, name, help, collect });
      };
      registeredIn(registry, name, make).reads.add(read);
    },
  };
}

/** Reads the metrics of a registry, by default that of prom-client, as Prometheus scrapes them. @internal */
export async function prometheusText(
  registry?: Prometheus.Registry,
): Promise<{ readonly contentType: string; readonly read: () => Promise<string> }> {
  const { register } = await loadPromClient();
  const read = registry ?? register;
  return { contentType: read.contentType, read: () => read.metrics() };
}
