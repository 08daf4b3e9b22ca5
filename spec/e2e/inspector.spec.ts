import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { resources } from '../../src/api/resources.js';
import { createInformer } from '../../src/informer/createInformer.js';
import { type Inspector, startInspector } from '@rx-informer/inspector';
import { startApiServer, type TestApiServer } from '@rx-informer/api-server';
import { startProgram } from '../../packages/inspector/spec/program.js';
import { ChromiumPage } from './chromiumPage.js';

const chromium = '/usr/bin/chromium';
/** Pictures go where reports do; with PICTURES, those of the docs are made anew. */
const folder = fileURLToPath(new URL('../../reports/inspector/', import.meta.url));
const docs = fileURLToPath(new URL('../../docs/assets/', import.meta.url));
const inDocs = ['overview', 'objects', 'timeline'];

const suite = existsSync(chromium) ? describe : describe.skip;

suite('the page of the inspector, in Chromium', () => {
  let server: TestApiServer;
  let inspector: Inspector;
  let stop: () => Promise<void>;
  let page: ChromiumPage;

  beforeAll(async () => {
    await mkdir(folder, { recursive: true });
    server = await startApiServer();
    stop = await startProgram(server);
    // It comes late: what runs was there before.
    inspector = await startInspector({ title: 'program.js (4711)' });
    page = await ChromiumPage.start(chromium);
    await page.listen().catch(() => undefined);
    await page.open(inspector.url);
    await page.listen();
  });
  afterAll(async () => {
    await page.close();
    await inspector.close();
    await stop();
    await server.close();
  });

  const shows = async (wanted: RegExp): Promise<string> => {
    const seen = await page.evaluate(`new Promise((resolve) => {
      const end = () => {
        observer.disconnect();
        resolve(document.body.innerText);
      };
      const look = () => ${String(wanted)}.test(document.body.innerText) && end();
      const observer = new MutationObserver(look);
      observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
      AbortSignal.timeout(30_000).addEventListener('abort', end);
      look();
    })`);
    expect(seen).toMatch(wanted);
    return String(seen);
  };
  const click = (selector: string, label = ''): Promise<unknown> =>
    page.evaluate(
      `[...document.querySelectorAll(${JSON.stringify(selector)})].find((each) => each.innerText.startsWith(${JSON.stringify(label)})).click()`,
    );
  const change = (name: string, phase: string): void => {
    const spec = { nodeName: 'node-0', containers: [{ name: 'web', image: 'registry.example/web:1' }] };
    server.objects.put({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: 'shop', labels: { app: 'web' } },
      spec,
      status: { phase },
    } as never);
  };
  const picture = async (name: string, width: number, scheme: 'light' | 'dark'): Promise<void> => {
    await page.resize(width, 800);
    await page.prefer(scheme);
    const file = `${process.env['PICTURES'] !== undefined && inDocs.includes(name) ? docs : folder}inspector-${name}.png`;
    await writeFile(file, await page.picture());
  };

  it('shows warnings first, then what ran before it', async () => {
    let count = 0;
    const changing = setInterval(() => change(`web-${100 + ((count += 1) % 100)}`, count % 3 === 0 ? 'Failed' : 'Running'), 250);
    const seen = await shows(/behind[^]*falls further behind[^]*secrets/);
    clearInterval(changing);
    expect(seen).toMatch(/web pods\nnamespace shop, labels app=web\s+watching[^]*200/);
    expect(seen).not.toContain('slow-handler');
    expect(seen.indexOf('The informer secrets keeps all Secrets')).toBeLessThan(seen.indexOf('Who is behind'));
    expect(await page.evaluate('location.hash')).toBe('');
    await picture('overview', 1280, 'light');
    await picture('overview-dark', 1280, 'dark');
    await picture('overview-768', 768, 'light');
    await picture('overview-390', 390, 'dark');
    // The page itself is never wider than the screen, and all panels can be chosen without scrolling.
    for (const width of [1280, 768, 390]) {
      await page.resize(width, 800);
      expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
      expect(
        await page.evaluate(
          'Math.max(...[...document.querySelectorAll("nav button")].map((button) => button.getBoundingClientRect().right))',
        ),
      ).toBeLessThanOrEqual(width);
    }
    await page.resize(1280, 800);
    await page.prefer('light');
  });

  it('finds an object, shows its versions part by part, and what it was at a moment', async () => {
    await click('nav button', 'Objects');
    await shows(/200 objects/);
    expect(await page.evaluate('document.querySelectorAll(".row").length')).toBeLessThan(80);
    await page.evaluate(
      '{ const field = document.querySelector("input[type=search]"); field.value = "web-007"; field.dispatchEvent(new Event("input")); }',
    );
    await shows(/1 object\b/);
    await click('.row button');
    await shows(/"phase": "Pending"/);
    change('web-007', 'Running');
    await shows(/Changes \(1\)[^]*"phase": "Running"/);
    await page.evaluate('document.querySelector("details").open = true');
    expect(await shows(/status\.phase "Pending" → "Running"/)).toContain('shop/web-007');
    await picture('objects', 1280, 'light');
    await picture('objects-390', 390, 'light');
    await page.resize(1280, 800);

    await click('nav button', 'Timeline');
    await shows(/updated\s+shop\/web-007/);
    await click('.row button', 'shop/web-007');
    await shows(/"phase": "Running"/);
    await page.evaluate(
      '{ const slider = document.querySelector("input[type=range]"); slider.value = (Number(slider.min) + Number(slider.max)) / 2; slider.dispatchEvent(new Event("input")); }',
    );
    await shows(/paused/);
    await picture('timeline', 1280, 'dark');
    await page.prefer('light');
    await click('.bar button', 'Go on');
    await shows(/live/);
  });

  it('shows no value of a Secret anywhere', async () => {
    await click('nav button', 'Overview');
    await click('td .link', 'secrets');
    await shows(/shop\/password/);
    await click('.row button', 'shop/password');
    expect(await shows(/"password": "\(masked\)"/)).not.toContain('aHVudGVyMg');
  });

  it.each([
    ['Graph', /^(?=[^]*web pods)(?=[^]*placed pods)(?=[^]*pods by node)/, 'graph'],
    ['Queues', /shop\/broken[^]*the map has no key `color`/, 'queues'],
    ['Leases', /default\/program[^]*leads[^]*program-0/, 'leases'],
    // The log begins with the inspector: the watches of before are not in it.
    ['Requests', /PUT \/apis\/coordination\.k8s\.io[^]*ms,/, 'requests'],
  ])('shows %s', async (panel, wanted, name) => {
    await click('nav button', panel);
    await shows(wanted);
    await picture(name, 1280, 'light');
    await page.resize(390, 800);
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
    await page.resize(1280, 800);
  });

  it('shows a long name with HTML in it as text, beside its state', async () => {
    const name = `<img src=x onerror="window.isBroken = true">${'x'.repeat(200)}`;
    const named = createInformer(server.client, resources.core.v1.configmaps, { name });
    named.start();
    await click('nav button', 'Overview');
    await shows(/<img src=x/);
    const right = `[...document.querySelectorAll('tr')].find(({ innerText }) => innerText.includes('<img')).querySelector('.badge').getBoundingClientRect().right`;
    expect(await page.evaluate(`[document.querySelectorAll('main img').length, window.isBroken ?? false, ${right} < innerWidth]`)).toEqual([
      0,
      false,
      true,
    ]);
    await named.stop();
  });

  it('says so when the program does not answer, and takes the token of another address in the same tab', async () => {
    await page.evaluate('window.fetch = () => new Promise(() => {})');
    await shows(/^rx-informer[^]*?The program does not answer\./);
    const token = await page.evaluate("sessionStorage.getItem('token')");
    await page.evaluate("sessionStorage.setItem('token', 'of-an-earlier-run')");
    await page.goTo(inspector.url.replace(/#.*/, ''));
    await shows(/The token is missing or wrong/);
    await click('.export');
    await page.evaluate(`location.hash = 'token=${String(token)}'`);
    await shows(/live/);
    expect(await page.evaluate('location.hash')).toBe('');
    // What is refused is logged by the browser.
    const complaints = page.takeComplaints();
    expect(complaints.filter((said) => !said.includes('403 (Forbidden)'))).toEqual([]);
  });

  it('complains of nothing, and asks nobody else', async () => {
    expect(page.takeComplaints()).toEqual([]);
    const asked = (await page.evaluate(
      'performance.getEntriesByType("resource").map(({ name }) => new URL(name).host)',
    )) as readonly string[];
    expect(new Set(asked)).toEqual(new Set([`127.0.0.1:${inspector.port}`]));
  });
});
