import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { V1ConfigMap } from '../../src/api/kubernetes/coreV1.js';
import { resources } from '../../src/api/resources.js';
import { createClient } from '../../src/client/createClient.js';
import type { KubeClient } from '../../src/client/kubeClient.js';
import { bundleForBrowser, type Bundle } from './bundleForBrowser.js';
import { findBrowser, type Browser } from './browsers.js';
import { PageServer } from './pageServer.js';
import { startServerProcess, type ServerProcess } from './serverProcess.js';
import { startApiServer } from '@rx-informer/api-server';

const configMaps = resources.core.v1.configmaps;
const namespace = 'default';
const named = (name: string, color: string): V1ConfigMap => ({ metadata: { name, namespace }, data: { color } });

let bundle: Bundle;

beforeAll(async () => {
  bundle = await bundleForBrowser('page.ts');
});

describe('the core, bundled for browsers', () => {
  it('has no module of Node, and none that needs one', () => {
    expect(bundle.modules).toContain('node_modules/rx-informer/dist/browser/index.js');
    const forNode = bundle.modules.filter((module) => /^node:|client-node|\/(cli|testing|client\/node)\//.test(module));
    expect(forNode).toEqual([]);
    expect(bundle.code).not.toMatch(/\brequire\(|["']node:/);
  });
});

describe.each([
  { name: 'Chromium', installed: findBrowser('Chromium') },
  { name: 'Firefox', installed: findBrowser('Firefox') },
])('an informer in $name', ({ installed }) => {
  // A skipped test says in the report that the browser is not here.
  const inBrowser = installed === undefined ? it.skip : it;
  let data: string;
  let server: ServerProcess;
  let client: KubeClient;
  let pages: PageServer;
  let browser: Browser;

  beforeAll(async () => {
    if (installed === undefined) return;
    data = await mkdtemp(join(tmpdir(), 'rx-informer-spec-'));
    server = await startServerProcess('--data', join(data, 'journal'));
    client = createClient({ server: server.url });
    await client.create(configMaps, named('first', 'red'));
    pages = new PageServer(bundle.code, () => server.url);
    browser = installed.open(await pages.listen());
  });

  afterAll(async () => {
    if (installed === undefined) return;
    await browser.close();
    await pages.close();
    client.close();
    await server.end();
    await rm(data, { recursive: true });
  });

  inBrowser('shows what is there, and every change', async () => {
    expect(await pages.showsLast('synced')).toEqual(['added default/first red', 'synced']);

    const second = await client.create(configMaps, named('second', 'green'));
    await pages.showsLast('added default/second green');
    await client.replace(configMaps, { ...second, data: { color: 'blue' } });
    await pages.showsLast('updated default/second blue');
    await client.delete(configMaps, 'first', { namespace });

    expect(await pages.showsLast('deleted default/first red')).toEqual([
      'added default/first red',
      'synced',
      'added default/second green',
      'updated default/second blue',
      'deleted default/first red',
    ]);
  });

  inBrowser('goes on after the server was killed and came back', async () => {
    const { port } = server;
    await server.end('SIGKILL');
    server = await startServerProcess('--data', join(data, 'journal'), '--port', String(port));
    await client.create(configMaps, named('third', 'white'));

    const lines = await pages.showsLast('added default/third white');
    expect(lines.filter((line) => line === 'added default/third white')).toHaveLength(1);
    expect(browser.messages()).not.toMatch(/Uncaught|JavaScript error: http/);
  });

  inBrowser('is right on a server that compresses streamed lists, which it does not ask for', async () => {
    const compressing = await startApiServer();
    compressing.faults.inject({ type: 'compress', verb: 'watch', optional: true });
    compressing.objects.put({ kind: 'ConfigMap', apiVersion: 'v1', ...named('first', 'red') });
    const ownPages = new PageServer(bundle.code, () => compressing.url);
    const own = installed?.open(await ownPages.listen());
    try {
      expect(await ownPages.showsLast('synced')).toEqual(['added default/first red', 'synced']);
      await compressing.client.create(configMaps, named('second', 'green'));
      await ownPages.showsLast('added default/second green');
      const asked = compressing.activity.requests.filter(({ resource }) => resource === 'configmaps').map(({ query }) => query);
      expect(asked.filter((query) => query.includes('sendInitialEvents'))).toEqual([]);
    } finally {
      await own?.close();
      await ownPages.close();
      await compressing.close();
    }
  });
});
