import { fromEvent, merge, Subject } from 'rxjs';

import { createClient, isAlreadyExists, type KubeClient, resources } from '../../src/index.js';
import { type Outcome } from '../../src/controller/index.js';
import { startApiServer } from '../../src/testing/index.js';
import { type NameServer, runWebSiteOperator } from './runWebSiteOperator.js';
import { type WebSite, webSiteDefinition, websites } from './webSite.js';

const inDefault = { namespace: 'default' };
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A name server that only says what it would do. */
const nameServer: NameServer = {
  register: async (host) => console.log(`names: ${await Promise.resolve(host)} is registered`),
  unregister: async (host) => console.log(`names: ${await Promise.resolve(host)} is free again`),
};

function tell(outcome: Outcome): void {
  if (outcome.type === 'started')
    console.log(`${outcome.key}: ${outcome.reasons.map(({ source, cause }) => `${source} ${cause}`).join(', ')}`);
  if (outcome.type === 'failed') console.log(`${outcome.key}: failed, again in ${outcome.retryAfterMs ?? '-'} ms:`, outcome.error);
}

async function define(client: KubeClient): Promise<void> {
  try {
    await client.create(resources.apiextensions.v1.customresourcedefinitions, webSiteDefinition);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

/** What a user would do with kubectl, and what a deployment controller would. */
async function demonstrate(client: KubeClient): Promise<void> {
  const { deployments } = resources.apps.v1;
  const site: WebSite = { metadata: { name: 'hello', ...inDefault }, spec: { host: 'hello.example.com', image: 'nginx:1', replicas: 2 } };
  await client.create(websites, site);
  await pause(300);
  await client.status.patch(deployments, 'hello', 'merge', { status: { replicas: 2, readyReplicas: 2 } }, inDefault);
  await pause(200);
  console.log('status:', JSON.stringify((await client.get(websites, 'hello', inDefault)).status?.conditions?.[0]));
  console.log('somebody deletes the deployment');
  await client.delete(deployments, 'hello', inDefault);
  await pause(200);
  console.log('and then the site');
  await client.delete(websites, 'hello', inDefault);
  await pause(200);
}

const server = process.argv.includes('--cluster') ? undefined : await startApiServer();
const client = server?.client ?? createClient();
await define(client);

const done = new Subject<void>();
const stopped = new Promise<void>((resolve, reject) => {
  runWebSiteOperator(client, { nameServer, stop$: merge(done, fromEvent(process, 'SIGINT')) }).subscribe({
    next: tell,
    error: reject,
    complete: resolve,
  });
});
if (server !== undefined) {
  await demonstrate(client);
  done.next();
}
await stopped;
client.close();
await server?.close();
