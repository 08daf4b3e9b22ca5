// `npm run try`: runs the operator against an API server in this process, which simulates the controllers of a cluster. Ctrl-C ends it.
import { readFileSync, writeFileSync } from 'node:fs';
import { createInformer, resources } from 'rx-informer';
import { createManager } from '@rx-informer/controller/manager';
import { startApiServer, startWorkload } from '@rx-informer/api-server';
import { parse } from 'yaml';
import { type WebSite, websites } from '../src/webSite.js';
import { webSiteController } from '../src/webSiteController.js';

const server = await startApiServer();
const { client, kubeconfig } = server;
const workload = await startWorkload(client);
await client.create(resources.apiextensions.v1.customresourcedefinitions, websites.definition);
await client.create(websites, parse(readFileSync('crds/example.yaml', 'utf8')) as WebSite);
writeFileSync('kubeconfig.yaml', kubeconfig, { mode: 0o600 });
console.log('kubectl and rx-informer reach the server with --kubeconfig kubeconfig.yaml');

const sites = createInformer(client, websites);
sites.resource$.subscribe((event) => {
  if (event.type === 'synced') return;
  const { metadata, status } = event.object;
  console.log(event.type, metadata?.name, status?.conditions?.[0]?.message ?? '');
});
const manager = createManager({ client });
manager.add('websites', webSiteController);
await manager.run();
await sites.stop();
await workload.stop();
await server.close();
