import { createClient, createInformerFactory, resources } from 'rx-informer';
import { reconcile } from '@rx-informer/controller';
import { startApiServer, startWorkload } from '@rx-informer/api-server';
import { serviceBackends } from './serviceBackends.js';

const { services, nodes, pods } = resources.core.v1;
const namespace = 'default';
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const server = process.argv.includes('--cluster') ? undefined : await startApiServer();
const client = server?.client ?? createClient();
const workload = server === undefined ? undefined : await startWorkload(client, { nodes: 3, kubelet: { startMs: 300 } });

const factory = createInformerFactory(client);
const { rows, readyPerZone } = serviceBackends(factory);

// A control loop over a view: it is called with the key of each changed row.
const printing = reconcile({
  sources: [rows.resource$],
  caches: [rows],
  reconcile: ({ key }) => {
    const row = rows.indexer.getByKey(key);
    console.log(row === undefined ? `${key} is gone` : `${key} ${row.ready}/${row.pods} ready on ${row.nodes.join(', ') || 'no node'}`);
    return Promise.resolve();
  },
}).subscribe();
readyPerZone.index$.subscribe({ next: (totals) => console.log('ready per zone:', Object.fromEntries(totals)), error: console.error });

if (server !== undefined) {
  for (const [at, zone] of ['north', 'south', 'south'].entries()) {
    const name = (await client.list(nodes)).items[at]?.metadata?.name ?? '';
    await client.patch(nodes, name, 'merge', { metadata: { labels: { 'topology.kubernetes.io/zone': zone } } });
  }
  await client.create(services, { metadata: { name: 'web', namespace }, spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } });
  for (let at = 0; at < 4; at += 1) {
    await client.create(pods, {
      metadata: { name: `web-${at}`, namespace, labels: { app: 'web' } },
      spec: { containers: [{ name: 'main', image: 'nginx:1' }] },
    });
  }
  await pause(2_500);
  console.log(rows.explain('default/web:south'));
  printing.unsubscribe();
  await rows.stop();
  await readyPerZone.stop();
  await factory.shutdown();
  await workload?.stop();
  client.close();
  await server.close();
}
