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

/** Loads prom-client, and says where to register. @internal */
export async function loadPrometheus(
  owner: string,
  options: PrometheusOptions,
): Promise<typeof Prometheus & { readonly registers: Prometheus.Registry[] }> {
  checkOptions(owner, options, { register: rules.object });
  const prometheus = await import('prom-client');
  return { ...prometheus, registers: [options.register ?? prometheus.register] };
}
