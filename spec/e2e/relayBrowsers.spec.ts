import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { of, Subject } from 'rxjs';
import type { KubernetesObject } from '../../src/api/kubernetesObject.js';
import { resources } from '../../src/api/resources.js';
import { createRelay, type Relay, type RelayUser } from '@rx-informer/relay';
import { fakeCollection, type FakeCollection } from '@rx-informer/views/testing';
import { type Browser, findBrowser } from './browsers.js';
import { bundleForBrowser } from './bundleForBrowser.js';
import { PageServer } from './pageServer.js';

const colored = (name: string, color: string): KubernetesObject => ({
  metadata: { name, namespace: 'default', uid: `${name}-${color}`, labels: { color } },
});

describe.each([
  { name: 'Chromium', installed: findBrowser('Chromium') },
  { name: 'Firefox', installed: findBrowser('Firefox') },
])('a page of a relay in $name', ({ installed }) => {
  const inBrowser = installed === undefined ? it.skip : it;
  const cache: FakeCollection<KubernetesObject> = fakeCollection([colored('first', 'red')], { name: 'configmaps' });
  const rights = { isAllowed: true, hints$: new Subject<(user: RelayUser) => boolean>() };
  let relay: Relay;
  let server: Server;
  let pages: PageServer;
  let browser: Browser;

  beforeAll(async () => {
    if (installed === undefined) return;
    const { code } = await bundleForBrowser('relayPage.ts');
    pages = new PageServer(code, () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const origin = await pages.listen();
    relay = createRelay({
      sources: { configmaps: { collection: cache, resource: resources.core.v1.configmaps } },
      authenticate: () => ({ name: 'ada' }),
      authorize: { review: () => of(rights.isAllowed), changed$: rights.hints$ },
      origins: [origin],
    });
    server = createServer((request, response) => relay.handle(request, response));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    browser = installed.open(origin);
  });

  afterAll(async () => {
    if (installed === undefined) return;
    await browser.close();
    await pages.close();
    relay.stop();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  inBrowser('shows what its user may see, as it changes, compressed, and nothing that was revoked', async () => {
    expect(await pages.showsLast('synced')).toEqual(['added default/first red', 'synced']);
    cache.put(colored('second', 'green'));
    await pages.showsLast('added default/second green');
    cache.remove('default/first');
    await pages.showsLast('deleted default/first red');
    const change = (isAllowed: boolean): void => {
      rights.isAllowed = isAllowed;
      rights.hints$.next(() => true);
    };
    change(false);
    expect((await pages.showsLast('forbidden')).slice(-2).sort()).toEqual(['deleted default/second green revoked', 'forbidden']);
    change(true);
    await pages.showsLast('added default/second green');
    // Its stream is cut: the page comes back, and has what it has missed.
    server.closeAllConnections();
    cache.put(colored('third', 'blue'));
    await pages.showsLast('added default/third blue');
  });
});
