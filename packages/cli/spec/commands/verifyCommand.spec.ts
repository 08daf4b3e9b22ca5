import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { resources } from 'rx-informer';
import { runCli } from '../../src/runCli.js';
import { startApiServer, type TestApiServer } from '@rx-informer/api-server';
import { FakeTerminal } from '../fakeTerminal.js';

describe('rx-informer verify', () => {
  let server: TestApiServer;
  beforeEach(async () => {
    server = await startApiServer();
  });
  afterEach(() => server.close());

  const run = async (...args: readonly string[]): Promise<{ code: number; out: string; err: string }> => {
    const terminal = new FakeTerminal();
    return { code: await runCli(['verify', ...args, '--server', server.url], terminal), ...terminal.written };
  };

  it.each([[[]], [['--contents']]])('says with %j that cache and server agree', async (flags) => {
    const { code, out, err } = await run('namespaces', '--after', '1ms', ...flags);
    expect(err).toBe('rx-informer: following namespaces for 0.001 s, then comparing them with the server\n');
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^the cache and the server agree in 4 namespaces after 0 changes, at resource version \d+\n$/),
    ]);
  });

  it('says in what they differ, with exit code 1', async () => {
    const { client, faults } = server;
    const { configmaps } = resources.core.v1;
    const { metadata } = await client.create(configmaps, { metadata: { name: 'lost', namespace: 'default' } });
    // The first list has old content with the current version, which a server must never return.
    faults.inject({ type: 'answer', code: 400, verb: 'watch', count: 1 });
    const body = { kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: metadata?.resourceVersion ?? '' }, items: [] };
    faults.inject({
      type: 'answer',
      code: 200,
      verb: 'list',
      resource: 'configmaps',
      body: JSON.stringify(body),
      contentType: 'application/json',
      count: 1,
    });
    const { code, out, err } = await run('configmaps', '--after', '1ms');
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/^missing {2}default\/lost: only the server has it, at resource version \d+\n$/),
    ]);
    expect(err).toMatch(/rx-informer: the cache and the server differ in 1 of 1 configmaps after 0 changes/);
  });

  it('ends without a comparison when it is interrupted', async () => {
    const terminal = new FakeTerminal();
    const ended = runCli(['verify', 'pods', '--after', '1h', '--server', server.url], terminal);
    await terminal.shows(/following pods for 3600 s/);
    terminal.pressInterrupt();
    expect([await ended, terminal.written.out]).toEqual([130, '']);
  });
});
