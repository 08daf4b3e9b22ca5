import { createInformer, resources } from 'rx-informer';
import { startApiServer } from '@rx-informer/api-server';
import { runPodPrinter } from './podPrinter.js';

const { pods } = resources.core.v1;
const inDefault = { namespace: 'default' };
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const server = await startApiServer();
const { client } = server;
const podOf = (name: string, image: string) => ({ metadata: { name, ...inDefault }, spec: { containers: [{ name: 'main', image }] } });
await client.create(pods, podOf('was-there', 'nginx:1'));

const stop = await runPodPrinter(createInformer(client, pods, inDefault), {
  workers: 2,
  sync: (key, pod) => {
    if (pod === undefined) console.log(`${key} is gone`);
    else if (pod.spec?.containers[0]?.image === 'broken') throw new Error('the image is broken');
    else console.log(`${key} runs ${pod.spec?.containers[0]?.image ?? 'nothing'}`);
    return Promise.resolve();
  },
  giveUp: (key, error) => console.log(`${key} is given up:`, (error as Error).message),
});

// Sample data: a pod that is created, changed and deleted, and one whose processing fails.
await client.create(pods, podOf('web', 'nginx:1'));
await pause(50);
await client.patch(pods, 'web', 'merge', { spec: { containers: [{ name: 'main', image: 'nginx:2' }] } }, inDefault);
await client.create(pods, podOf('bad', 'broken'));
await pause(50);
await client.delete(pods, 'web', { ...inDefault, gracePeriodSeconds: 0 });
await pause(400);

await stop();
await server.close();
