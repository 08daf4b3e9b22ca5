import type { Registry } from 'prom-client';

/** The metrics of a registry, as Prometheus scrapes them. */
export interface PrometheusText {
  readonly contentType: string;
  read(): Promise<string>;
}

/** Reads a registry, by default that of prom-client. */
export async function prometheusText(registry?: Registry): Promise<PrometheusText> {
  const { register } = await import('prom-client');
  const read = registry ?? register;
  return { contentType: read.contentType, read: () => read.metrics() };
}
