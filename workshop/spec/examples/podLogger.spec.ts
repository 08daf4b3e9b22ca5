import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runPodLogger } from '../../../examples/pod-logger/podLogger.js';
import { resources, type V1Pod } from 'rx-informer';
import { startApiServer, type TestApiServer } from '@rx-informer/api-server';

const { pods } = resources.core.v1;
const inDefault = { namespace: 'default' };
const podOf = (name: string): V1Pod => ({ metadata: { name, ...inDefault }, spec: { containers: [{ name: 'main', image: 'nginx' }] } });

let server: TestApiServer;
beforeEach(async () => {
  server = await startApiServer();
});
afterEach(() => server.close());

describe('examples/pod-logger', () => {
  it('logs the pods that are there, and the life of those that come', async () => {
    const { client } = server;
    await client.create(pods, podOf('old'));
    const lines: string[] = [];
    let gone: () => void = () => undefined;
    const isGone = new Promise<void>((resolve) => {
      gone = resolve;
    });
    const stop = await runPodLogger(client, (line) => {
      lines.push(line);
      if (line.endsWith('is gone')) gone();
    });
    expect(lines).toEqual(['default/old was there: Pending', '1 pods are in the cache']);
    await client.create(pods, podOf('new'));
    await client.status.patch(pods, 'new', 'merge', { status: { phase: 'Running' } }, inDefault);
    await client.delete(pods, 'new', { ...inDefault, gracePeriodSeconds: 0 });
    await isGone;
    await stop();
    expect(lines.slice(2)).toEqual(['default/new was created: Pending', 'default/new is Running, was Pending', 'default/new is gone']);
  });
});
