import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { of } from 'rxjs';
import { resources, type V1Pod } from 'rx-informer';
import { createRelay, type Relay } from '@rx-informer/relay';
import { fakeCollection } from '@rx-informer/views/testing';
import { pod } from 'rx-informer/testing';
import { forPages } from '../../workshop/tools/forPages.js';
import { findBrowser } from './browsers.js';
import { ChromiumPage } from './chromiumPage.js';

const chromium = findBrowser('Chromium');
const count = 100_000;
const nameAt = (at: number): string => `pod-${String(at).padStart(6, '0')}`;

/** A table of rows of 20 px, of which those that are seen exist. */
const program = `
  import { createElement as h, useState } from 'react';
  import { createRoot } from 'react-dom/client';
  import { RelayProvider, useRelayRows } from '@rx-informer/relay/react';
  globalThis.longest = 0;
  new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => (longest = Math.max(longest, duration)))).observe({ type: 'longtask', buffered: true });
  function Table() {
    const [first, show] = useState(0);
    const { loaded, data } = useRelayRows({ kind: 'pods', fields: ['status.phase'], orderBy: 'metadata.name', first, count: 30 });
    if (!loaded) return 'loading';
    const rows = data.rows.map((row, at) => h('p', { key: first + at, style: { position: 'absolute', top: (first + at) * 20, margin: 0 } }, row?.[1].metadata.name ?? '…'));
    const onScroll = ({ currentTarget }) => show(Math.floor(currentTarget.scrollTop / 20));
    return h('div', { id: 'scroll', style: { height: 600, overflow: 'auto' }, onScroll }, h('div', { style: { height: data.total * 20, position: 'relative' } }, rows));
  }
  createRoot(document.querySelector('#app')).render(h(RelayProvider, { url: '/relay' }, h(Table)));
`;

async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: fileURLToPath(new URL('.', import.meta.url)), loader: 'ts' },
    ...{ bundle: true, write: false, format: 'esm', platform: 'browser', target: 'es2022', logLevel: 'error' },
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [forPages],
  });
  return outputFiles[0]?.text ?? '';
}

/** Adds up what is written to an answer. */
function counted(response: ServerResponse, add: (bytes: number) => void): ServerResponse {
  const write = response.write.bind(response) as (chunk: Uint8Array | string, ...rest: never[]) => boolean;
  response.write = ((chunk: Uint8Array | string, ...rest: never[]) => {
    add(Buffer.byteLength(chunk));
    return write(chunk, ...rest);
  }) as typeof response.write;
  return response;
}

(chromium === undefined ? describe.skip : describe)('a table of 100,000 rows in Chromium', () => {
  let relay: Relay;
  let server: Server;
  let page: ChromiumPage;
  let sent = 0;
  let longestMs = 0;
  let turn: NodeJS.Immediate;

  beforeAll(async () => {
    const code = await bundled();
    const all = Array.from({ length: count }, (_, at) => pod(nameAt(at)));
    relay = createRelay({
      sources: { pods: { collection: fakeCollection<V1Pod>(all, { name: 'pods' }), resource: resources.core.v1.pods } },
      authenticate: () => ({ name: 'ada' }),
      authorize: { review: () => of(true) },
    });
    server = createServer((request, response) => {
      if (request.url === '/relay')
        relay.handle(
          request,
          counted(response, (bytes) => (sent += bytes)),
        );
      else if (request.url === '/page.js') response.setHeader('Content-Type', 'text/javascript').end(code);
      else
        response
          .setHeader('Content-Type', 'text/html')
          .end(
            '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><div id="app"></div><script type="module" src="/page.js"></script>',
          );
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    page = await ChromiumPage.start(chromium?.command ?? '');
    // By processor time: the machine does other things, too.
    let used = process.cpuUsage();
    const look = (): void => {
      const { user, system } = process.cpuUsage(used);
      longestMs = Math.max(longestMs, (user + system) / 1_000);
      used = process.cpuUsage();
      turn = setImmediate(look);
    };
    look();
    await page.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await page.listen();
  });
  afterAll(async () => {
    clearImmediate(turn);
    await page.close();
    relay.stop();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const shows = (name: string): Promise<unknown> =>
    page.evaluate(`new Promise((resolve) => {
      const endsAt = performance.now() + 30_000;
      const look = () => {
        const shown = [...document.querySelectorAll('p')].map((row) => row.textContent);
        if (shown.includes('${name}') || performance.now() > endsAt) resolve(shown);
        else setTimeout(look, 20);
      };
      look();
    })`);
  const scroll = (row: number): Promise<unknown> => page.evaluate(`document.querySelector('#scroll').scrollTo(0, ${row * 20})`);
  const seen = (first: number): string[] => Array.from({ length: Math.min(30, count - first) }, (_, at) => nameAt(first + at));

  it('asks for what is seen, wherever it scrolls to', async () => {
    expect(await shows(nameAt(0))).toEqual(seen(0));
    const first = sent;
    for (const row of [50_000, 99_970, 12_345, 70]) {
      await scroll(row);
      expect(await shows(nameAt(row))).toEqual(seen(row));
    }
    const further = (sent - first) / 4;
    // What it scrolls past is not asked for: 200 places in a second.
    const before = sent;
    await page.evaluate(`new Promise((resolve) => {
      let step = 0;
      const move = () => {
        document.querySelector('#scroll').scrollTo(0, (step += 1) * 9_000);
        if (step < 200) setTimeout(move, 5);
        else resolve();
      };
      move();
    })`);
    expect(await shows(nameAt(90_000))).toEqual(seen(90_000));
    const pageMs = Number(await page.evaluate('longest'));
    console.info(
      `first rows ${first} bytes, each further place ${Math.round(further)}, past 200 places ${sent - before}; longest block: relay ${longestMs.toFixed(0)} ms of the processor, page ${pageMs} ms`,
    );
    expect(first).toBeLessThan(4_000);
    expect(further).toBeLessThan(4_000);
    expect(sent - before).toBeLessThan(20_000);
    expect(page.takeComplaints()).toEqual([]);
  });
});
