import { once } from 'node:events';
import { createClient, resources } from 'rx-informer';
import { startApiServer } from '@rx-informer/api-server';
import { runPodLogger } from './podLogger.js';

const { pods } = resources.core.v1;
const inDefault = { namespace: 'default' };
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const server = process.argv.includes('--cluster') ? undefined : await startApiServer();
const client = server?.client ?? createClient();
await server?.client.create(pods, {
  metadata: { name: 'was-there', ...inDefault },
  spec: { containers: [{ name: 'main', image: 'nginx:1' }] },
});

const stop = await runPodLogger(client, console.log);

if (server === undefined) {
  await once(process, 'SIGINT');
} else {
  // Sample data: the life of a pod.
  await client.create(pods, { metadata: { name: 'web', ...inDefault }, spec: { containers: [{ name: 'main', image: 'nginx:1' }] } });
  await pause(100);
  await client.status.patch(pods, 'web', 'merge', { status: { phase: 'Running' } }, inDefault);
  await pause(100);
  await client.delete(pods, 'web', { ...inDefault, gracePeriodSeconds: 0 });
  await pause(100);
}
await stop();
client.close();
await server?.close();
