import type * as Prometheus from 'prom-client';
import { checkOptions } from '../api/options/checkOptions.js';
import { rules } from '../api/options/rules.js';

/** Options of the functions that register metrics with prom-client. */
export interface PrometheusOptions {
  /**
   * Where the metrics are registered.
   *
   * @defaultValue the default registry of prom-client
   */
  readonly register?: Prometheus.Registry;
}

/** Makes metrics with the same labels in one registry. */
interface Registrar<L extends string> {
  /** A counter that has `more` labels. */
  readonly counter: <M extends string = never>(name: string, help: string, ...more: readonly M[]) => Prometheus.Counter<L | M>;
  readonly gauge: (name: string, help: string) => Prometheus.Gauge<L>;
  readonly histogram: (name: string, help: string, buckets: number[]) => Prometheus.Histogram<L>;
  /** A metric whose values are read at each scrape. */
  readonly scraped: (
    type: 'counter' | 'gauge',
    name: string,
    help: string,
    read: () => Iterable<readonly [Record<L, string>, number]>,
  ) => void;
}

/** Loads prom-client, for metrics with these labels. @internal */
export async function loadPrometheus<L extends string>(
  owner: string,
  options: PrometheusOptions,
  labelNames: readonly L[],
): Promise<Registrar<L>> {
  checkOptions(owner, options, { register: rules.object });
  const { Counter, Gauge, Histogram, register } = await import('prom-client');
  const common = { labelNames, registers: [options.register ?? register] };
  return {
    counter: (name, help, ...more) => new Counter({ ...common, labelNames: [...labelNames, ...more], name, help }),
    gauge: (name, help) => new Gauge({ ...common, name, help }),
    histogram: (name, help, buckets) => new Histogram({ ...common, name, help, buckets }),
    scraped(type, name, help, read) {
      function collect(this: Prometheus.Counter<L> | Prometheus.Gauge<L>): void {
        this.reset();
        for (const [labels, value] of read()) {
          if ('set' in this) this.set(labels, value);
          else this.inc(labels, value);
        }
      }
      if (type === 'gauge') new Gauge({ ...common, name, help, collect });
      else new Counter({ ...common, name, help, collect });
    },
  };
}
