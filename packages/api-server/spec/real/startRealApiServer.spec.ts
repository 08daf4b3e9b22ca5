import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { startRealApiServer } from '../../src/real/startRealApiServer.js';
import { startEitherApiServer } from '../../src/startEitherApiServer.js';

const leftovers = (): readonly string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('rx-informer-real-'));

describe('startRealApiServer', () => {
  it.each([
    [{ asets: '/x' }, 'Unknown option `asets` of `startRealApiServer`; did you mean `assets`?'],
    [{ assets: 7 }, 'Expected `assets` of `startRealApiServer` to be a non-empty string, got 7'],
    [{ apiServerArgs: '--v=1' }, 'Expected `apiServerArgs` of `startRealApiServer` to be a list of arguments, got "--v=1"'],
    [
      { startTimeoutMs: '1s' },
      'Expected `startTimeoutMs` of `startRealApiServer` to be a number of milliseconds >= 0 or Infinity, got "1s"',
    ],
  ])('refuses %j', async (options, message) => {
    await expect(startRealApiServer(options as object)).rejects.toThrow(new TypeError(message));
  });

  it('says what a program printed that does not start, and leaves nothing behind', async () => {
    const assets = mkdtempSync(join(tmpdir(), 'rx-informer-binaries-'));
    for (const name of ['etcd', 'kube-apiserver'])
      writeFileSync(join(assets, name), '#!/bin/sh\necho "no $0 today"\nexit 3\n', { mode: 0o755 });
    const before = leftovers();
    await expect(startRealApiServer({ assets })).rejects.toThrow(
      /^Expected .*etcd to serve, but it ended with 3\. It printed:\nno .*etcd today\n$/,
    );
    expect(leftovers()).toEqual(before);
    rmSync(assets, { recursive: true });
  });

  it('gives up on a program that does not become ready, and ends it', async () => {
    const assets = mkdtempSync(join(tmpdir(), 'rx-informer-binaries-'));
    for (const name of ['etcd', 'kube-apiserver']) writeFileSync(join(assets, name), '#!/bin/sh\nexec sleep 600\n', { mode: 0o755 });
    await expect(startRealApiServer({ assets, startTimeoutMs: 100 })).rejects.toThrow(/etcd to serve, but it was not ready after 100 ms/);
    rmSync(assets, { recursive: true });
  });
});

describe('startEitherApiServer', () => {
  const withEnvironment = async (value: string, body: () => Promise<void>): Promise<void> => {
    const before = process.env['API_SERVER'];
    process.env['API_SERVER'] = value;
    try {
      await body();
    } finally {
      if (before === undefined) delete process.env['API_SERVER'];
      else process.env['API_SERVER'] = before;
    }
  };

  it('starts an embedded one, unless API_SERVER says real', async () => {
    await withEnvironment('embedded', async () => {
      const server = await startEitherApiServer({ embedded: { profile: 'gate-off' } });
      expect(server.url).toMatch(/^http:/);
      await server.close();
    });
    await withEnvironment('real', () =>
      expect(startEitherApiServer({ real: { assets: '/nowhere' } })).rejects.toThrow(/in the folder "\/nowhere"/),
    );
  });

  it('refuses another value', async () => {
    await withEnvironment('Real', () =>
      expect(startEitherApiServer()).rejects.toThrow('Expected API_SERVER to be "embedded" or "real", got "Real"'),
    );
  });
});
