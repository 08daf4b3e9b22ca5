import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { renderToString } from 'react-dom/server';
import { of } from 'rxjs';
import { resources, type V1Pod } from 'rx-informer';
import { createRelay, type Relay } from '@rx-informer/relay';
import { loadRelay } from '@rx-informer/relay/client';
import { fakeCollection, type FakeCollection } from '@rx-informer/views/testing';
import { pod } from 'rx-informer/testing';
import { forPages } from '../../workshop/tools/forPages.js';
import { findBrowser } from './browsers.js';
import { ChromiumPage } from './chromiumPage.js';
import { app } from './relayHooksPage.js';

const chromium = findBrowser('Chromium');

/** The page: what the server has rendered is taken over, and each mismatch recorded. */
const program = `
  import { hydrateRoot } from 'react-dom/client';
  import { app } from './relayHooksPage.js';
  globalThis.mismatches = [];
  addEventListener('pageshow', ({ persisted }) => (globalThis.persisted = persisted));
  const state = JSON.parse(document.querySelector('#state').textContent);
  hydrateRoot(document.querySelector('#app'), app('/relay', state), { onRecoverableError: (error) => mismatches.push(String(error)) });
`;

async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: fileURLToPath(new URL('.', import.meta.url)), loader: 'ts' },
    ...{ bundle: true, write: false, format: 'esm', platform: 'browser', target: 'es2022', logLevel: 'error' },
    plugins: [forPages],
  });
  return outputFiles[0]?.text ?? '';
}

(chromium === undefined ? describe.skip : describe)('useRelay in Chromium', () => {
  const asked: { readonly scopes: readonly { readonly token?: object }[] }[] = [];
  let pods: FakeCollection<V1Pod>;
  let relay: Relay;
  let server: Server;
  let origin = '';
  let code: string;
  let page: ChromiumPage;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/relay') {
      request.on('data', (body: Buffer) => asked.push(JSON.parse(String(body)) as (typeof asked)[0]));
      relay.handle(request, response);
    } else if (request.url === '/page.js') {
      response.setHeader('Content-Type', 'text/javascript').end(code);
    } else if (request.url === '/') {
      const state = await loadRelay(`${origin}/relay`, [{ kind: 'pods' }]);
      const html = renderToString(app(`${origin}/relay`, state));
      response.setHeader('Content-Type', 'text/html');
      response.end(
        `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><div id="app">${html}</div>
         <script id="state" type="application/json">${JSON.stringify(state)}</script><script type="module" src="/page.js"></script>`,
      );
    } else response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Elsewhere</title>');
  }

  /** Starts a relay with these pods where the one before was. */
  async function start(names: readonly string[]): Promise<void> {
    pods = fakeCollection<V1Pod>(
      names.map((name) => pod(name)),
      { name: 'pods' },
    );
    relay = createRelay({
      sources: { pods: { collection: pods, resource: resources.core.v1.pods } },
      authenticate: () => ({ name: 'ada' }),
      authorize: { review: () => of(true) },
    });
    server = createServer((request, response) => void answer(request, response));
    const port = origin === '' ? 0 : Number(new URL(origin).port);
    await once(server.listen(port, '127.0.0.1'), 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async function stop(): Promise<void> {
    relay.stop();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  /** The value of an expression once it is as expected; what it is in the end where that takes too long. */
  const until = (expression: string, expected: string): Promise<unknown> =>
    page.evaluate(`new Promise((resolve) => {
      const endsAt = performance.now() + 60_000;
      const look = () => {
        const value = ${expression};
        if ((${expected}) || performance.now() > endsAt) resolve(value);
        else setTimeout(look, 20);
      };
      look();
    })`);
  const text = `document.querySelector('p').textContent`;
  const state = `document.querySelector('p').dataset.state`;

  beforeAll(async () => {
    code = await bundled();
    await start(['a', 'b']);
    page = await ChromiumPage.start(chromium?.command ?? '', ['--enable-features=BackForwardCache']);
    await page.open(`${origin}/`);
    await page.listen();
  });
  afterAll(async () => {
    await page.close();
    await stop();
  });

  it('takes over what the server has rendered without a mismatch, and goes on from there', async () => {
    const html = await (await fetch(`${origin}/`)).text();
    expect(html).toContain('<p data-state="rendered">default/a default/b</p>');
    expect(await until(state, `value === 'live'`)).toBe('live');
    expect(await page.evaluate(text)).toBe('default/a default/b');
    expect(await page.evaluate('mismatches')).toEqual([]);
    // Those of the server have no position, the page's has.
    expect(asked.map(({ scopes }) => scopes[0]?.token !== undefined)).toContain(true);
    pods.put(pod('c'));
    expect(await until(text, `value.endsWith('c')`)).toBe('default/a default/b default/c');
  });

  it('is back when it is online again, before the next attempt would have been', async () => {
    await page.offline(true);
    server.closeAllConnections();
    expect(await until(state, `value === 'offline'`)).toBe('offline');
    pods.put(pod('d'));
    // Once the waits have grown.
    const next = (await until('shown.nextAttemptAt', `value > performance.timeOrigin + performance.now() + 6_000`)) as number;
    await page.offline(false);
    expect(await until(state, `value === 'live'`)).toBe('live');
    expect((await page.evaluate('performance.timeOrigin + performance.now()')) as number).toBeLessThan(next);
    expect(await until(text, `value.endsWith('d')`)).toBe('default/a default/b default/c default/d');
  });

  it('is back when the browser shows it again out of its cache', async () => {
    await page.goTo(`${origin}/elsewhere`);
    pods.remove('default/d');
    await page.back();
    expect(await until('globalThis.persisted', 'value !== undefined')).toBe(true);
    expect(await until(text, `value.endsWith('c')`)).toBe('default/a default/b default/c');
    expect(await page.evaluate(state)).toBe('live');
  });

  it('goes on after the relay was started again, with what is there then', async () => {
    await stop();
    await start(['a', 'e']);
    expect(await until(text, `value.endsWith('e')`)).toBe('default/a default/e');
    expect(await page.evaluate(state)).toBe('live');
    const complaints = page.takeComplaints().filter((said) => !/net::ERR_/.test(said));
    expect(complaints).toEqual([]);
  });
});
