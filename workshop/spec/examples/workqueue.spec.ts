import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { runPodPrinter } from '../../../examples/workqueue/podPrinter.js';
import { createInformer, resources, type V1Pod } from 'rx-informer';
import { startApiServer, type TestApiServer } from '@rx-informer/api-server';

const { pods } = resources.core.v1;
const inDefault = { namespace: 'default' };
const podOf = (name: string): V1Pod => ({ metadata: { name, ...inDefault }, spec: { containers: [{ name: 'main', image: 'nginx' }] } });

let server: TestApiServer;
beforeEach(async () => {
  server = await startApiServer();
});
afterEach(() => server.close());

describe('examples/workqueue', () => {
  it('reads the newest state of every pod that comes, changes or goes (EX-01, EX-04)', async () => {
    const { client } = server;
    await client.create(pods, podOf('old'));
    let seen: (line: string) => void = () => undefined;
    const lines: string[] = [];
    const until = (expected: string): Promise<void> =>
      new Promise((resolve) => {
        if (lines.includes(expected)) resolve();
        seen = (line) => (line === expected ? resolve() : undefined);
      });
    const informer = createInformer(client, pods, inDefault);
    const stop = await runPodPrinter(informer, {
      workers: 2,
      sync: (key, pod) => {
        const line = `${key} ${pod?.metadata?.labels?.['v'] ?? (pod === undefined ? 'gone' : 'plain')}`;
        lines.push(line);
        seen(line);
        return Promise.resolve();
      },
      giveUp: () => undefined,
    });
    await until('default/old plain');
    await client.patch(pods, 'old', 'merge', { metadata: { labels: { v: '2' } } }, inDefault);
    await until('default/old 2');
    await client.delete(pods, 'old', { ...inDefault, gracePeriodSeconds: 0 });
    await until('default/old gone');
    await stop();
    await client.create(pods, podOf('late'));
    expect(lines.filter((line) => line.includes('late'))).toEqual([]);
  });

  it('tries a failing pod five times more, and then gives it up (EX-02)', async () => {
    const { client } = server;
    let calls = 0;
    let giveUp: (key: string, error: unknown) => void = () => undefined;
    const givenUp = new Promise((resolve) => (giveUp = (key, error) => resolve([key, error])));
    const sync = (): Promise<void> => {
      calls += 1;
      return Promise.reject(new Error('no luck'));
    };
    const stop = await runPodPrinter(createInformer(client, pods, inDefault), {
      workers: 1,
      sync,
      giveUp: (...failed) => giveUp(...failed),
    });
    await client.create(pods, podOf('bad'));
    expect(await givenUp).toEqual(['default/bad', new Error('no luck')]);
    await stop();
    expect(calls).toBe(6);
  });
});
