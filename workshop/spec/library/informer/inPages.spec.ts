import 'fake-indexeddb/auto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { BehaviorSubject, lastValueFrom, takeWhile } from 'rxjs';
import type { V1ConfigMap } from 'rx-informer';
import type { snapshotDatabase } from 'rx-informer/browser';
import type * as Package from 'rx-informer';
import type * as Pipeline from 'rx-informer/pipeline';
import { startApiServer, type TestApiServer } from '@rx-informer/api-server';
import { forPages } from '../../../tools/forPages.js';

const namespace = 'default';
const named = (name: string, color: string): V1ConfigMap => ({ metadata: { name, namespace, labels: { color } }, data: { color } });

let folder: string;
let edition: typeof Package &
  Pick<typeof Pipeline, 'readYourWrites' | 'requests' | 'sharding' | 'tracing' | 'verifyInformer' | 'warmStart'> & {
    readonly snapshotDatabase: typeof snapshotDatabase;
  };
let server: TestApiServer;
let client: Package.KubeClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rx-informer-spec-'));
  const contents =
    "export * from './src/index.js'; export { snapshotDatabase } from './src/browser.js'; export { readYourWrites, requests, sharding, tracing, verifyInformer, warmStart } from './src/pipeline.js';";
  const { outputFiles } = await build({
    ...{
      stdin: { contents, resolveDir: process.cwd() },
      bundle: true,
      format: 'esm',
      platform: 'browser',
      write: false,
      logLevel: 'silent',
    },
    plugins: [forPages],
  });
  const file = join(folder, 'page.mjs');
  await writeFile(file, outputFiles[0]?.contents ?? '');
  edition = (await import(pathToFileURL(file).href)) as typeof edition;
});

afterAll(() => rm(folder, { recursive: true }));

beforeEach(async () => {
  server = await startApiServer();
  client = edition.createClient({ server: server.url });
});

afterEach(async () => {
  client.close();
  await server.close();
});

describe('the edition for pages', () => {
  it('has a cache that follows its server, with frozen objects that share what has not changed', async () => {
    const { configmaps } = edition.resources.core.v1;
    const first = await client.create(configmaps, named('first', 'red'));
    const informer = edition.createInformer(client, configmaps, { namespace, labelSelector: 'color in (red, blue)' });
    const seen: string[] = [];
    const handler = informer.addEventHandler({
      onAdd: ({ data }) => seen.push(`added ${data?.['color'] ?? ''}`),
      onUpdate: (_, { data }) => seen.push(`updated ${data?.['color'] ?? ''}`),
      onDelete: ({ metadata }) => seen.push(`deleted ${metadata?.name ?? ''}`),
    });
    await informer.whenSynced();
    await handler.whenSynced();
    const before = informer.lister.get('default/first');
    expect(before).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1', data: { color: 'red' } });
    expect(before?.metadata).not.toHaveProperty('managedFields');
    expect(Object.isFrozen(before?.data)).toBe(true);

    const changed = lastValueFrom(informer.resource$.pipe(takeWhile(({ type }) => type !== 'updated')), { defaultValue: undefined });
    await client.replace(configmaps, { ...first, metadata: { ...first.metadata, annotations: { seen: 'yes' } } });
    await changed;
    expect(informer.lister.get('default/first')?.data).toBe(before?.data);
    expect(await edition.verifyInformer(informer)).toMatchObject({ isConsistent: true, count: 1 });
    expect(informer.lister.list('color=red')).toHaveLength(1);

    const gone = lastValueFrom(informer.resource$.pipe(takeWhile(({ type }) => type !== 'deleted')), { defaultValue: undefined });
    await client.delete(configmaps, 'first', { namespace });
    await gone;
    await informer.stop();
    expect(seen).toEqual(['added red', 'updated red', 'deleted first']);
  });

  it('begins with what an earlier page has saved', async () => {
    const { configmaps } = edition.resources.core.v1;
    await client.create(configmaps, named('first', 'red'));
    const make = (): Package.SharedInformer<V1ConfigMap> =>
      edition.createInformer(client, configmaps, { namespace, parts: [edition.warmStart(edition.snapshotDatabase('ada/configmaps'))] });
    const earlier = make();
    await earlier.whenSynced();
    await earlier.stop();
    await earlier.stopped;

    const informer = make();
    const restored: unknown[] = [];
    informer.health$.subscribe(({ state }) => {
      if (state === 'restored') restored.push(informer.lister.get('default/first')?.data);
    });
    await informer.whenSynced();
    await informer.stop();
    await informer.stopped;
    expect(restored).toEqual([{ color: 'red' }]);
  });

  it('loads the rest of the client when it is asked for', async () => {
    const { configmaps } = edition.resources.core.v1;
    expect((await client.discovery.find('cm')).plural).toBe('configmaps');
    await client.create(configmaps, named('one', 'red'));
    await client.patch(configmaps, 'one', 'merge', { data: { color: 'blue' } }, { namespace });
    expect((await client.list(configmaps, { namespace })).items.map(({ data }) => data)).toContainEqual({ color: 'blue' });
    await expect(client.get(configmaps, 'none', { namespace })).rejects.toThrow('not found');
    await expect(client.status.get(edition.resources.core.v1.namespaces, namespace)).resolves.toMatchObject({ kind: 'Namespace' });
  });

  it('has every part, as in Node', async () => {
    const { configmaps } = edition.resources.core.v1;
    const stages = new Set<string>();
    const shard$ = new BehaviorSubject({ slots: new Set(Array.from({ length: 128 }, (_, slot) => slot)) });
    const informer = edition.createInformer(client, configmaps, {
      namespace,
      resyncPeriodMs: 60_000,
      parts: [
        edition.sharding({ by: 'uid', shard$ }),
        edition.readYourWrites(),
        edition.tracing(({ stage }) => stages.add(stage)),
        edition.requests({ listSemantics: 'mostRecent' }),
      ],
    });
    await informer.whenSynced();
    await client.create(configmaps, named('own', 'red'));
    expect(informer.lister.get('default/own')?.data).toEqual({ color: 'red' });
    await informer.stop();
    const none = edition.createInformer(client, configmaps, {
      namespace,
      parts: [edition.sharding({ by: 'uid', shard$: new BehaviorSubject({ slots: new Set<number>() }) })],
    });
    const half = [0, 64].map((from) => new Set(Array.from({ length: 64 }, (_, slot) => from + slot)));
    const parts = half.map((slots) =>
      edition.createInformer(client, configmaps, { parts: [edition.sharding({ by: 'uid', shard$: new BehaviorSubject({ slots }) })] }),
    );
    await Promise.all([none, ...parts].map((each) => each.whenSynced()));
    const all = (await client.list(configmaps)).items.length;
    const [one = 0, other = 0] = parts.map((each) => each.indexer.listKeys().length);
    expect([none.indexer.listKeys().length, one + other]).toEqual([0, all]);
    await Promise.all([none, ...parts].map((each) => each.stop()));
    expect([...stages]).toEqual(expect.arrayContaining(['opened', 'request', 'source', 'cache', 'closed']));
  });

  it('takes no kubeconfig', () => {
    expect(() => edition.createClient()).toThrow('Expected `server`: kubeconfigs are supported in Node only');
    expect(() => edition.createClient({ server: server.url, context: 'kind' })).toThrow('context');
  });

  it('hides the token that it sends, and every piece of it', async () => {
    const token = 'a-token-of-twenty-four-characters';
    const quoting = (): Promise<Response> =>
      Promise.resolve(
        new Response(`no user has ${token}, nor ${token.slice(5, 20)}`, { status: 403, headers: { 'content-type': 'text/plain' } }),
      );
    const refused = edition.createClient({ server: server.url, token, fetch: quoting });
    await expect(refused.get(edition.resources.core.v1.pods, 'web', { namespace })).rejects.toThrow('no user has ***, nor ***');
  });

  describe('of another origin than its server', () => {
    const { location } = globalThis as { location?: unknown };
    beforeEach(() => {
      Object.assign(globalThis, { location: { origin: 'http://page.example' } });
    });
    afterEach(() => {
      Object.assign(globalThis, { location });
    });

    const failing = (isAlive: boolean): typeof fetch =>
      ((_url: string, { mode }: RequestInit) =>
        mode === 'no-cors' && isAlive ? Promise.resolve(new Response()) : Promise.reject(new TypeError('Failed to fetch'))) as typeof fetch;
    const failureOf = async (own: typeof fetch, url = 'http://server.example'): Promise<unknown> =>
      edition
        .createClient({ server: url, fetch: own })
        .get(edition.resources.core.v1.pods, 'web', { namespace })
        .catch((error: unknown) => error);

    it('tells a refused CORS request from a dead server', async () => {
      expect(await failureOf(failing(true))).toMatchObject({
        code: 'ERR_CORS',
        message: expect.stringContaining('without CORS headers for pages of http://page.example') as unknown,
      });
      expect(await failureOf(failing(false))).toMatchObject({
        code: 'ERR_REQUEST',
        message: expect.stringContaining('Failed to fetch') as unknown,
      });
    });

    it('asks nothing of its own origin, nor after an answer has begun', async () => {
      expect(await failureOf(failing(true), 'http://page.example/k8s')).toMatchObject({ code: 'ERR_REQUEST' });
      const cut = new ReadableStream({ pull: () => Promise.reject(new TypeError('network error')) });
      const modes: unknown[] = [];
      const cutting = ((_url: string, { mode }: RequestInit) => {
        modes.push(mode);
        return Promise.resolve(new Response(cut, { headers: { 'content-type': 'application/json' } }));
      }) as typeof fetch;
      expect(await failureOf(cutting)).toMatchObject({ code: 'ERR_REQUEST', message: expect.stringContaining('network error') as unknown });
      expect(modes).toEqual([undefined]);
    });
  });
});

describe('a module for pages', () => {
  it('stands beside the one that it replaces', async () => {
    const files = new Set(await readdir('src', { recursive: true }));
    const pages = [...files].filter((file) => file.endsWith('.page.ts'));
    expect(pages.length).toBeGreaterThan(0);
    expect(pages.filter((file) => !files.has(file.replace('.page.ts', '.ts')))).toEqual([]);
  });
});
