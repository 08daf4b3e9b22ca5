import { mkdir, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Cluster, startCluster } from '../../examples/dashboard/cluster.js';
import { type Dashboard, startDashboard } from '../../examples/dashboard/startDashboard.js';
import { resources } from '../../src/api/resources.js';
import { findBrowser } from './browsers.js';
import { ChromiumPage } from './chromiumPage.js';

const chromium = findBrowser('Chromium');
const { pods } = resources.core.v1;
const { deployments } = resources.apps.v1;
const podCount = 10_000;
const living = 13;

// PICTURES=1 npm run test:e2e -- dashboard
const pictures = process.env['PICTURES'] === undefined ? undefined : new URL('../../docs/assets/dashboard/', import.meta.url);

const cells = (title: string): string =>
  `[...document.querySelectorAll('.row')].sort((a, b) => a.ariaRowIndex - b.ariaRowIndex).map((row) =>
     row.children[[...document.querySelectorAll('th')].findIndex((head) => head.innerText.replace(/ [↑↓]/, '') === '${title}')].dataset.value)`;
const count = `document.querySelector('output')?.textContent`;
const head = (title: string): string =>
  `[...document.querySelectorAll('th button')].find((at) => at.textContent.replace(/ [↑↓]/, '') === '${title}')`;
const rowOf = (name: string): string => `[...document.querySelectorAll('.row button')].find((at) => at.textContent === '${name}')`;
const text = (selector: string): string => `document.querySelector('${selector}')?.textContent ?? ''`;

(chromium === undefined ? describe.skip : describe)('the dashboard in Chromium', () => {
  let cluster: Cluster;
  let dashboard: Dashboard;
  let page: ChromiumPage;

  beforeAll(async () => {
    cluster = await startCluster(podCount);
    dashboard = await startDashboard(cluster, 0);
    page = await ChromiumPage.start(chromium?.command ?? '', ['--disable-popup-blocking']);
    await page.open(dashboard.url);
    await page.listen();
  });
  afterAll(async () => {
    await page.close();
    await dashboard.close();
    await cluster.close();
  });

  /** The value of an expression once a condition holds for it; what it is in the end where that takes too long. */
  const until = (expression: string, holds: string, ms = 20_000): Promise<unknown> =>
    page.evaluate(`new Promise((resolve) => {
      const endsAt = performance.now() + ${ms};
      const look = () => {
        const value = ${expression};
        if ((${holds})(value) || performance.now() > endsAt) resolve(value);
        else setTimeout(look, 20);
      };
      look();
    })`);
  const opened = async (user: string, shown = `(count) => /of/.test(count ?? '')`, ms?: number): Promise<unknown> => {
    await page.evaluate(`document.cookie = 'user=${user}; path=/'`);
    await page.goTo(dashboard.url);
    return until(count, shown, ms);
  };
  const click = (element: string): Promise<unknown> => page.evaluate(`${element}.click()`);
  const tab = (name: string): string => `[...document.querySelectorAll('nav button')].find((at) => at.textContent === '${name}')`;
  const filter = (words: string): Promise<unknown> =>
    page.evaluate(`(() => {
      const input = document.querySelector('input[type=search]');
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, '${words}');
      input.dispatchEvent(new Event('input', { bubbles: true }));
    })()`);
  const picture = async (name: string): Promise<void> => {
    if (pictures === undefined) return;
    await mkdir(pictures, { recursive: true });
    await writeFile(new URL(`${name}.png`, pictures), await page.picture());
  };

  it('asks who somebody is before it follows anything', async () => {
    await page.goTo(dashboard.url);
    expect(await until(text('.empty'), `(said) => said !== ''`)).toContain('Choose who you are');
  });

  it('shows 10,000 rows, of which only those that can be seen are in the page', async () => {
    await page.resize(1280, 800);
    expect(await opened('ada', `(count) => count?.startsWith('10,013 ')`, 90_000)).toBe('10,013 of 10,013');
    expect(await page.evaluate(`document.querySelectorAll('.row').length`)).toBeLessThan(60);
    await page.evaluate(`document.querySelector('.rows').scrollTo(0, 1e9)`);
    const last = await until(cells('Namespace'), `(names) => names.at(-1) === 'team-20'`);
    expect([(last as string[]).at(-1), (last as string[]).length < 60]).toEqual(['team-20', true]);
    expect(await page.evaluate(`Math.max(...[...document.querySelectorAll('.row')].map((row) => row.ariaRowIndex))`)).toBe(
      podCount + living + 1,
    );
    await picture('pods-1280-light');
  });

  it('sorts by a column, and the other way round', async () => {
    await page.evaluate(`document.querySelector('.rows').scrollTo(0, 0)`);
    await click(head('Name'));
    await click(head('Name'));
    const names = (await until(cells('Name'), `(all) => all[0]?.startsWith('worker')`)) as string[];
    expect(names[0]).toMatch(/^worker/);
    expect(names).toEqual([...names].sort().reverse());
    await click(head('Name'));
    const ascending = (await until(cells('Name'), `(all) => all[0]?.startsWith('api')`)) as string[];
    expect(ascending).toEqual([...ascending].sort());
    await click(head('Namespace'));
  });

  it('filters by words in any column', async () => {
    await filter('team-07 redis cache-');
    expect(await until(count, `(count) => count.startsWith('0 ')`)).toBe(`0 of 10,013`);
    await filter('team-07 cache-');
    expect(await until(count, `(count) => !count.startsWith('0 ') && !count.startsWith('10')`)).toBe('500 of 10,013');
    const shown = (await page.evaluate(`[${cells('Namespace')}, ${cells('Name')}]`)) as [string[], string[]];
    expect(new Set(shown[0])).toEqual(new Set(['team-07']));
    expect(shown[1].every((name) => name.startsWith('cache-'))).toBe(true);
    await filter('');
    expect(await until(count, `(count) => count.startsWith('10,013 ')`)).toBe('10,013 of 10,013');
  });

  it('shows the differences of an object as they happen, whole objects beside a list of some fields', async () => {
    await filter('web-0000');
    await until(count, `(count) => count.startsWith('1 ')`);
    await click(rowOf('web-0000'));
    expect(await until(text('aside pre'), `(json) => json.includes('"podIP"')`)).toContain('"podIP"');
    await cluster.client.patch(
      pods,
      'web-0000',
      'merge',
      { metadata: { annotations: { note: 'seen' }, labels: { tier: 'edge' } } },
      { namespace: 'team-01' },
    );
    const first = await until(text('aside li'), `(said) => said.includes('edge')`);
    expect(first).toContain('metadata.labels.tier');
    expect(first).toContain('metadata.annotations');
    expect([await page.evaluate(text('aside del')), await page.evaluate(`document.querySelectorAll('aside li').length`)]).toEqual([
      'front',
      1,
    ]);
    await cluster.client.patch(pods, 'web-0000', 'merge', { metadata: { labels: { tier: 'front' } } }, { namespace: 'team-01' });
    expect(await until(text('aside del'), `(said) => said === 'edge'`)).toBe('edge');
    await picture('differences-1280-light');
    await cluster.client.delete(pods, 'web-0000', { namespace: 'team-01', gracePeriodSeconds: 0 });
    expect(await until(text('aside'), `(said) => said.includes('It is gone')`)).toContain('It is gone');
    expect(await until(count, `(count) => count.startsWith('0 ')`)).toBe('0 of 10,012');
  });

  it('joins deployments with their pods at the relay', async () => {
    await opened('bob');
    await click(tab('Rollouts'));
    const ready = `${cells('Pods ready')}.join(', ')`;
    expect(await until(ready, `(said) => said === '4 of 4, 3 of 3, 6 of 6'`)).toBe('4 of 4, 3 of 3, 6 of 6');
    await cluster.client.patch(deployments, 'cart', 'merge', { spec: { replicas: 5 } }, { namespace: 'shop' });
    expect(await until(ready, `(said) => said.startsWith('5 of 5')`)).toBe('5 of 5, 3 of 3, 6 of 6');
    await cluster.client.patch(deployments, 'cart', 'merge', { spec: { replicas: 4 } }, { namespace: 'shop' });
    expect(await until(ready, `(said) => said.startsWith('4 of 4')`)).toBe('4 of 4, 3 of 3, 6 of 6');
  });

  it('says that it is offline, keeps what it shows, and catches up', async () => {
    await opened('bob');
    const state = `document.querySelector('[data-state]')?.dataset.state`;
    expect(await until(state, `(state) => state === 'live'`)).toBe('live');
    // A pod that another test has left to end is gone.
    const inShop = `${cells('Namespace')}.filter((at) => at === 'shop').length`;
    expect(await until(inShop, `(rows) => rows === ${living}`)).toBe(living);
    const before = await page.evaluate(count);
    await click(`document.querySelector('footer button')`);
    expect(await until(state, `(state) => state === 'offline'`)).toBe('offline');
    expect([await page.evaluate(count), await page.evaluate(text('[role=alert]'))]).toEqual([
      before,
      expect.stringContaining('Not connected: what you see is how it was.'),
    ]);
    await picture('offline-1280-light');
    await cluster.client.delete(pods, 'web-000k', { namespace: 'team-01', gracePeriodSeconds: 0 });
    expect(await until(state, `(state) => state === 'live'`, 60_000)).toBe('live');
    const [shown = ''] = String(before).split(' ');
    expect(await until(count, `(count) => count !== '${String(before)}'`)).toMatch(
      new RegExp(`^${Number(shown.replace(',', '')) - 1}|^1,0`),
    );
    expect(await page.evaluate(text('[role=alert]'))).toBe('');
  });

  it('takes away what is revoked within five seconds, says so, and brings back what is granted', async () => {
    await opened('bob');
    const inShop = `(document.querySelector('input[type=search]'), ${cells('Namespace')}.filter((at) => at === 'shop').length)`;
    expect(await until(inShop, `(rows) => rows === ${living}`)).toBe(living);
    const box = `[...document.querySelectorAll('footer label')].find((at) => at.textContent.includes('shop')).querySelector('input')`;
    // Counted in looks that are 20 ms apart or more: on a busy machine they are as late as everything else. With what a look takes, 200 are five seconds.
    const looks = await page.evaluate(`new Promise((resolve) => {
      let looks = 0;
      const look = () => ((looks += 1), ${inShop} === 0 || looks > 1_000 ? resolve(looks) : setTimeout(look, 20));
      ${box}.click();
      look();
    })`);
    expect(looks).toBeLessThan(200);
    expect(await until(text('[role=alert]'), `(said) => said !== ''`)).toMatch(
      /You may not read shop any more: 1[36] objects were taken away/,
    );
    await picture('revoked-1280-light');
    await click(box);
    expect(await until(inShop, `(rows) => rows === ${living}`)).toBe(living);
  });

  it('has the inspector of the page in a window of its own, with the informers over the relay', async () => {
    await opened('ada');
    await page.evaluate(`(() => {
      const { open } = window;
      window.open = (url) => (window.inspector = open.call(window, url));
    })()`);
    await click(`[...document.querySelectorAll('footer button')].at(-1)`);
    const shown = `window.inspector?.document.body?.innerText ?? ''`;
    const overview = String(await until(shown, `(said) => said.includes('1001')`));
    expect(overview).toMatch(/pods\s+watching/);
    await page.evaluate(`window.inspector.close()`);
  });

  it('tells somebody without rights so, which is not an empty table', async () => {
    await opened('eve', `(count) => count === 'forbidden'`);
    expect(await page.evaluate(`document.querySelector('.empty')?.textContent`)).toBe('You may not read pods.');
  });

  it.each([390, 768, 1280])('fits into %i px, in light and dark', async (width) => {
    await page.resize(width, 800);
    await opened('ada');
    for (const scheme of ['light', 'dark'] as const) {
      await page.prefer(scheme);
      expect(await until(`document.querySelectorAll('.row').length`, `(rows) => rows > 10`)).toBeGreaterThan(10);
      expect(await page.evaluate(`document.documentElement.scrollWidth - innerWidth`)).toBeLessThanOrEqual(0);
      if (width === 390 && scheme === 'dark') await picture('pods-390-dark');
    }
    for (const name of ['Deployments', 'Rollouts', 'Pods']) {
      await click(tab(name));
      await until(count, `(count) => /of/.test(count ?? '')`);
      // No title of a column is cut, the arrow of the order behind it included.
      expect(
        await page.evaluate(
          `[...document.querySelectorAll('th')].filter((at) => at.scrollWidth > at.clientWidth).map((at) => at.textContent).join()`,
        ),
      ).toBe('');
    }
    await page.prefer('light');
  });

  it('complains about nothing on its console but what the cut network is', async () => {
    await opened('ada');
    const complaints = page
      .takeComplaints()
      .filter((said) => !/ERR_(EMPTY_RESPONSE|CONNECTION_RESET|INCOMPLETE_CHUNKED_ENCODING|ABORTED|FAILED)/.test(said));
    expect(complaints).toEqual([]);
  });
});
