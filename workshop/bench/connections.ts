import { startApiServer } from '@rx-informer/api-server';
import { type Benchmark, remark } from './benchmark.js';
import { megabytes, short } from './format.js';
import { interleaved } from './rounds.js';

const informers = 200;
const objects = 10;

/** The cost of 200 informers over HTTP/1.1, with one connection each, and over one HTTP/2 connection. */
export const connections: Benchmark = {
  name: 'connections',
  run: async () => {
    const server = await startApiServer({ tls: true });
    try {
      for (let at = 0; at < informers; at += 1) {
        for (let one = 0; one < objects; one += 1) {
          server.objects.put({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `settings-${one}`, namespace: `team-${at}` } });
        }
      }
      const { ca, clientCert, clientKey } = server.credentials;
      const options = { server: server.url, ca, clientCert, clientKey, informers };
      const results = await interleaved(
        { 'HTTP/2': { side: 'connections', options: { ...options, http2: true } }, 'HTTP/1.1': { side: 'connections', options } },
        { rounds: 3, show: ['syncMs', 'syncCpuMs', 'eventsMs', 'eventsCpuMs', 'descriptors', 'rss'] },
      );
      return (['HTTP/2', 'HTTP/1.1'] as const).map((name) => {
        const of = (figure: string): number => results.of(name, figure);
        const sync = `synced after ${short(of('syncMs'))} ms (cpu ${short(of('syncCpuMs'))} ms)`;
        const events = `a change of each after ${short(of('eventsMs'))} ms (cpu ${short(of('eventsCpuMs'))} ms)`;
        return remark(
          `${informers} informers over ${name}`,
          `${sync}, ${events}, ${short(of('descriptors'))} descriptors, ${megabytes(of('rss'))} of RSS`,
        );
      });
    } finally {
      await server.close();
    }
  },
};
