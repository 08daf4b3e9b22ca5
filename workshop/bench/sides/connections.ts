import { readdirSync } from 'node:fs';
import { filter, firstValueFrom } from 'rxjs';
import { createClient, createInformer, resources } from 'rx-informer';
import { Meter } from '../meter.js';

/** The connections to the server. */
export interface ConnectionsSide {
  readonly server: string;
  readonly ca: string;
  readonly clientCert: string;
  readonly clientKey: string;
  readonly informers: number;
  readonly http2?: boolean;
}

const descriptors = (): number => readdirSync('/proc/self/fd').length;

/** One informer for each of many namespaces: until all have synced, and until each has seen a change. */
export async function run({ informers: count, ...options }: ConnectionsSide): Promise<object> {
  const client = createClient(options);
  await client.list(resources.core.v1.configmaps, { namespace: 'team-0' });
  const before = descriptors();
  const meter = new Meter();
  const namespaces = Array.from({ length: count }, (_, at) => `team-${at}`);
  const informers = namespaces.map((namespace) => createInformer(client, resources.core.v1.configmaps, { namespace }));
  await Promise.all(informers.map((informer) => informer.whenSynced()));
  const sync = meter.times();
  const used = descriptors() - before;
  meter.restart();
  const value = String(process.pid);
  const seen = informers.map((informer) =>
    firstValueFrom(informer.resource$.pipe(filter((event) => event.type === 'updated' && event.object.data?.['value'] === value)), {
      defaultValue: undefined,
    }),
  );
  const body = { data: { value } };
  await Promise.all(namespaces.map((namespace) => client.patch(resources.core.v1.configmaps, 'settings-0', 'merge', body, { namespace })));
  await Promise.all(seen);
  const events = meter.times();
  const { peakRss } = meter.memory();
  for (const informer of informers) await informer.stop();
  client.close();
  return {
    syncMs: sync.wallMs,
    syncCpuMs: sync.cpuMs,
    eventsMs: events.wallMs,
    eventsCpuMs: events.cpuMs,
    descriptors: used,
    rss: peakRss,
  };
}
