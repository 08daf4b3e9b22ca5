import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createManualClock } from 'rx-informer/testing';
import { createApiServer, type ApiServer } from '../src/createApiServer.js';
import type { ApiServerOptions } from '../src/apiServerOptions.js';
import { send } from './support/httpClient.js';
import { definitionOf } from './support/definitionOf.js';

const secret = (name: string, rest: object = {}): { apiVersion: string; kind: string; metadata: { name: string } } => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, ...rest },
});
const names = (server: ApiServer): readonly unknown[] =>
  server.objects.list({ apiVersion: 'v1', kind: 'Secret' }).map(({ metadata }) => metadata?.name);

async function withServer(options: ApiServerOptions, work: (server: ApiServer) => Promise<void> | void): Promise<void> {
  const server = await createApiServer(options);
  await work(server);
  await server.close();
}

describe('createApiServer', () => {
  it('starts in less than 100 ms of processor time (row 111)', async () => {
    await withServer({}, () => undefined);
    const times: number[] = [];
    for (let run = 0; run < 5; run += 1) {
      const begun = process.cpuUsage();
      const server = await createApiServer();
      const { user, system } = process.cpuUsage(begun);
      times.push((user + system) / 1_000);
      await server.close();
    }
    expect(Math.min(...times)).toBeLessThan(100);
  });

  it('runs many servers side by side that know nothing of each other (row 112)', async () => {
    const servers = await Promise.all(Array.from({ length: 20 }, () => createApiServer()));
    for (const [at, server] of servers.entries()) server.objects.put(secret(`s${String(at)}`));
    expect(servers.map(names)).toEqual(servers.map((_, at) => [`s${String(at)}`]));
    expect(new Set(servers.map(({ port }) => port)).size).toBe(20);
    await Promise.all(servers.map((server) => server.close()));
  });

  it('does the same in every run, given a seed and a clock (row 112)', async () => {
    const run = async (seed: string): Promise<unknown> => {
      let seen: unknown;
      await withServer({ seed, clock: createManualClock(Date.UTC(2026, 0, 1)) }, async (server) => {
        await send(server, '/api/v1/namespaces/default/secrets', { method: 'POST', body: { metadata: { generateName: 'x-' } } });
        seen = server.objects.list({ apiVersion: 'v1', kind: 'Secret' });
      });
      return seen;
    };
    const [first, second, other] = [await run('a'), await run('a'), await run('b')];
    expect(first).toEqual(second);
    expect(first).not.toEqual(other);
    expect(first).toMatchObject([{ metadata: { creationTimestamp: '2026-01-01T00:00:00Z' } }]);
  });

  it('goes back to a snapshot, its version included, or to the start under new versions (row 112)', async () => {
    await withServer({}, async (server) => {
      server.objects.put(secret('a'));
      const snapshot = server.snapshot();
      server.objects.put([secret('b'), secret('c')]);
      server.objects.delete(secret('a'));
      const late = server.snapshot().resourceVersion;
      server.restore(snapshot);
      expect([names(server), server.snapshot().resourceVersion]).toEqual([['a'], snapshot.resourceVersion]);
      server.restore(snapshot);
      server.reset();
      expect(names(server)).toEqual([]);
      expect(server.snapshot().resourceVersion).toBeGreaterThan(snapshot.resourceVersion);
      expect(late).toBeGreaterThan(snapshot.resourceVersion);
      const { json } = await send(server, '/api/v1/namespaces');
      expect(json.items.map(({ metadata }) => metadata.name)).toContain('default');
    });
  });

  it('records the requests it has answered and the writes it has done', async () => {
    await withServer({}, async (server) => {
      const { activity } = server;
      activity.clear();
      await send(server, '/api/v1/namespaces/default/secrets?dryRun=All', {
        method: 'POST',
        body: secret('dry'),
        headers: { 'user-agent': 'me' },
      });
      await send(server, '/api/v1/namespaces/default/secrets', { method: 'POST', body: secret('a') });
      await send(server, '/apis/apps/v1/namespaces/default/deployments/d/scale');
      expect(activity.requests).toMatchObject([
        {
          method: 'POST',
          verb: 'create',
          resource: 'secrets',
          namespace: 'default',
          name: '',
          query: 'dryRun=All',
          userAgent: 'me',
          code: 201,
        },
        { verb: 'create', code: 201 },
        { verb: 'get', resource: 'deployments.apps', name: 'd', subresource: 'scale', code: 404 },
      ]);
      expect(activity.writes).toMatchObject([
        { type: 'ADDED', resource: 'secrets', namespace: 'default', name: 'a', object: { kind: 'Secret', apiVersion: 'v1' } },
      ]);
    });
  });

  it('remembers fewer writes where their objects are large', async () => {
    const server = await createApiServer();
    server.activity.clear();
    const value = 'x'.repeat(1024 * 1024);
    const names = Array.from({ length: 80 }, (_, at) => `c${String(at)}`);
    server.objects.put(names.map((name) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } })));
    const { writes } = server.activity;
    expect([writes.length >= 31, writes.length <= 64]).toEqual([true, true]);
    expect(writes.map(({ name }) => name)).toEqual(names.slice(-writes.length));
    await server.close();
  });

  it('draws another name when the first is taken (row 63)', async () => {
    const server = await createApiServer();
    const { random } = server.cluster;
    const suffixes = ['aaaaa', 'aaaaa', 'bbbbb'];
    random.suffix = () => suffixes.shift() ?? 'bbbbb';
    const create = (): ReturnType<typeof send> =>
      send(server, '/api/v1/namespaces/default/secrets', { method: 'POST', body: { metadata: { generateName: 'x-' } } });
    expect([(await create()).json.metadata.name, (await create()).json.metadata.name]).toEqual(['x-aaaaa', 'x-bbbbb']);
    const { json } = await create();
    expect(json).toMatchObject({ code: 409, reason: 'AlreadyExists', details: { retryAfterSeconds: 1 } });
    expect(json.message).toBe('secrets "x-bbbbb" already exists, the server was not able to generate a unique name for the object');
    await server.close();
  });

  it.each([
    [{ port: -1 }, 'Expected `port` to be an integer from 0 to 65535, got -1'],
    [{ port: 1.5 }, 'Expected `port` to be an integer from 0 to 65535, got 1.5'],
    [{ profile: '2.0' }, 'Expected `profile` to be one of'],
    [{ historyLimit: 0 }, 'Expected `historyLimit` to be an integer at least 1, got 0'],
    [{ bookmarkIntervalMs: 0 }, 'Expected `bookmarkIntervalMs` to be a number at least 1, got 0'],
    [{ gracefulDeletionMs: -1 }, 'Expected `gracefulDeletionMs` to be a number at least 0, got -1'],
  ])('refuses %j', async (options, message) => {
    await expect(createApiServer(options as ApiServerOptions)).rejects.toThrow(TypeError);
    await expect(createApiServer(options as ApiServerOptions)).rejects.toThrow(message);
  });

  it('says when its port is taken', async () => {
    await withServer({}, async ({ port }) => {
      await expect(createApiServer({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    });
  });
});

describe('createApiServer with a file', () => {
  let folder: string;
  let file: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'rx-informer-spec-'));
    file = join(folder, 'data');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('goes on after a restart with the same objects and versions, and expires what is older', async () => {
    let version = 0;
    let before: unknown;
    await withServer({ file, seed: 1 }, async (server) => {
      server.objects.put([secret('a'), secret('b'), secret('c')]);
      server.objects.put(secret('b', { annotations: { x: 'ü' } }));
      server.objects.delete(secret('a'));
      await send(server, '/api/v1/namespaces/default/secrets/c', { method: 'DELETE' });
      version = server.snapshot().resourceVersion;
      before = server.objects.list({ apiVersion: 'v1', kind: 'Secret' });
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await withServer({ file, seed: 1 }, async (server) => {
      expect(server.snapshot().resourceVersion).toBe(version);
      expect(server.objects.list({ apiVersion: 'v1', kind: 'Secret' })).toEqual(before);
      const old = await send(server, `/api/v1/secrets?watch=true&resourceVersion=${String(version - 1)}`);
      expect(old.text).toContain(`too old resource version: ${String(version - 1)} (${String(version)})`);
      const [{ metadata }] = server.objects.put(secret('d')) as [{ metadata: { uid: string; resourceVersion: string } }];
      expect(metadata.resourceVersion).toBe(String(version + 1));
      expect(JSON.stringify(before)).not.toContain(metadata.uid);
    });
  });

  it('passes over a line that a killed process left unfinished', async () => {
    await withServer({ file }, (server) => void server.objects.put(secret('late')));
    truncateSync(file, statSync(file).size - 10);
    await withServer({ file }, (server) => {
      expect(names(server)).toEqual(['b', 'd']);
      server.objects.put(secret('later'));
    });
    await withServer({ file }, (server) => expect(names(server)).toEqual(['b', 'd', 'later']));
  });

  it('keeps what a restore made', async () => {
    await withServer({ file }, (server) => {
      const snapshot = server.snapshot();
      server.objects.put(secret('undone'));
      server.restore(snapshot);
    });
    await withServer({ file }, (server) => expect(names(server)).toEqual(['b', 'd', 'later']));
  });

  it('refuses a file that is not its own, and leaves it as it is', async () => {
    const foreign = join(folder, 'foreign');
    writeFileSync(foreign, 'hello\n');
    await expect(createApiServer({ file: foreign })).rejects.toThrow(
      `Expected ${JSON.stringify(foreign)} to be a file that the API server wrote`,
    );
    expect(readFileSync(foreign, 'utf8')).toBe('hello\n');
    const broken = join(folder, 'broken');
    writeFileSync(broken, readFileSync(file, 'utf8'));
    appendFileSync(broken, 'nonsense\n{"bucket":"/secrets"}\n');
    await expect(createApiServer({ file: broken })).rejects.toThrow(/Expected line \d+ of .* to be a change that the API server wrote/);
  });

  it('serves custom resources again that were defined before', async () => {
    const definition = definitionOf('Widget', [{ name: 'v1', served: true, storage: true }]);
    const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } };
    await withServer({ file }, (server) => void server.objects.put([definition, widget]));
    await withServer({ file }, async (server) => {
      expect(server.objects.get(widget)).toMatchObject(widget);
      expect((await send(server, '/apis/example.com/v1')).code).toBe(200);
    });
  });
});
