import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Browser, findBrowser } from './browsers.js';
import { bundleForBrowser } from './bundleForBrowser.js';
import { PageServer } from './pageServer.js';

async function listening(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    response.end('{}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

describe.each([
  { name: 'Chromium', installed: findBrowser('Chromium') },
  { name: 'Firefox', installed: findBrowser('Firefox') },
])('a page of another origin in $name', ({ installed }) => {
  const inBrowser = installed === undefined ? it.skip : it;
  let alive: Server;
  let pages: PageServer;
  let browser: Browser;

  beforeAll(async () => {
    if (installed === undefined) return;
    const { code } = await bundleForBrowser('corsPage.ts');
    alive = await listening();
    const dead = await listening();
    const ports = `${portOf(alive)},${portOf(dead)}`;
    await new Promise((resolve) => dead.close(resolve));
    pages = new PageServer(code, () => 'http://127.0.0.1:1');
    browser = installed.open(`${await pages.listen()}/#${ports}`);
  });

  afterAll(async () => {
    if (installed === undefined) return;
    await browser.close();
    await pages.close();
    alive.closeAllConnections();
    await new Promise((resolve) => alive.close(resolve));
  });

  inBrowser('tells a server that lives, and lets it read nothing, from one that is dead', async () => {
    expect(await pages.showsLast('over')).toEqual(['alive: ERR_CORS, says that CORS refused it', 'dead: ERR_REQUEST, failed', 'over']);
  });
});
