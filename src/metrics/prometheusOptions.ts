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

/** prom-client, and where to register. */
type LoadedPrometheus = typeof Prometheus & {
  readonly registers: Prometheus.Registry[];
  /** Registers a metric whose values are read at each scrape. */
  readonly scraped: <L extends string>(
    metric: { readonly type?: 'counter' | 'gauge'; readonly name: string; readonly help: string; readonly labelNames: readonly L[] },
    read: () => Iterable<readonly [labels: Record<L, string>, value: number]>,
  ) => void;
};

/** Loads prom-client, and says where to register. @internal */
export async function loadPrometheus(owner: string, options: PrometheusOptions): Promise<LoadedPrometheus> {
  checkOptions(owner, options, { register: rules.object });
  const prometheus = await import('prom-client');
  const registers = [options.register ?? prometheus.register];
  return {
    ...prometheus,
    registers,
    scraped: ({ type = 'gauge', ...metric }, read) => {
      const common = { ...metric, registers };
      if (type === 'gauge')
        new prometheus.Gauge({
          ...common,
          collect() {
            this.reset();
            for (const [labels, value] of read()) this.set(labels, value);
          },
        });
      else
        new prometheus.Counter({
          ...common,
          collect() {
            this.reset();
            for (const [labels, value] of read()) this.inc(labels, value);
          },
        });
    },
  };
}
