// Runs the operator as two replicas with an embedded API server, and kills one of them; or (--cluster) one replica in the cluster of the
// kubeconfig.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { isAlreadyExists, type KubeClient, createClient, resources } from 'rx-informer';
import { startApiServer } from '@rx-informer/api-server';
import { type WebSite, websites } from './webSite.js';

const inDefault = { namespace: 'default' };
const { deployments } = resources.apps.v1;
const { leases } = resources.coordination.v1;
const fileAt = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

async function define(client: KubeClient): Promise<void> {
  try {
    await client.create(resources.apiextensions.v1.customresourcedefinitions, websites.definition);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

function startReplica(name: string, server: string): ChildProcess {
  const args = ['--import', fileAt('../../workshop/tools/register-ts-node.mjs'), fileAt('replica.ts'), server];
  return spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, HOSTNAME: name } });
}

/** Repeats a request until it has a result. */
async function eventually<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const answer = await ask().catch(() => undefined);
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const readyOf = async (client: KubeClient, status: string): Promise<string | undefined> => {
  const [condition] = (await client.get(websites, 'hello', inDefault)).status?.conditions ?? [];
  return condition?.status === status ? condition.message : undefined;
};

/** The actions of a user with kubectl, of a deployment controller, and unwanted changes. */
async function demonstrate(client: KubeClient, replicas: Map<string, ChildProcess>): Promise<void> {
  const leader = (): Promise<string> =>
    eventually(async () => {
      const name = (await client.get(leases, 'website-operator', inDefault)).spec?.holderIdentity ?? '';
      return replicas.has(name) ? name : undefined;
    });
  const site: WebSite = { metadata: { name: 'hello', ...inDefault }, spec: { host: 'hello.example.com', image: 'nginx:1', replicas: 2 } };
  await client.create(websites, site);
  console.log('status:', await eventually(() => readyOf(client, 'False')));
  await client.status.patch(deployments, 'hello', 'merge', { status: { replicas: 2, readyReplicas: 2 } }, inDefault);
  console.log('status:', await eventually(() => readyOf(client, 'True')));

  const first = await leader();
  console.log(`${first} leads: it is killed, and somebody deletes the deployment`);
  const killedAt = performance.now();
  replicas.get(first)?.kill('SIGKILL');
  replicas.delete(first);
  await client.delete(deployments, 'hello', inDefault);
  await eventually(() => client.get(deployments, 'hello', inDefault));
  const seconds = ((performance.now() - killedAt) / 1000).toFixed(1);
  console.log(`${await leader()} leads, and the deployment is there again, ${seconds} s after the kill`);

  console.log('and now the site is deleted');
  await client.delete(websites, 'hello', inDefault);
  await eventually(async () => ((await client.list(websites, inDefault)).items.length === 0 ? true : undefined));
}

if (process.argv.includes('--cluster')) {
  const client = createClient();
  await define(client);
  client.close();
  process.argv.splice(2);
  await import('./replica.js');
} else {
  const server = await startApiServer();
  await define(server.client);
  const replicas = new Map(['replica-1', 'replica-2'].map((name) => [name, startReplica(name, server.url)]));
  await demonstrate(server.client, replicas);
  for (const replica of replicas.values()) {
    replica.kill('SIGTERM');
    await once(replica, 'exit');
    console.log('exit code:', replica.exitCode);
  }
  await server.close();
}
