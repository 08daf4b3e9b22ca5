import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { act, createElement } from 'react';
import { VirtualTimeScheduler } from 'rxjs';
import { resources, type V1Pod } from 'rx-informer';
import { advanceBy, pod } from 'rx-informer/testing';
import { fakeCollection } from '@rx-informer/views/testing';
import { RelayProvider } from '../../src/react/relayProvider.js';
import { useRelayRows } from '../../src/react/useRelayRows.js';
import { createRelay } from '../../src/serve/createRelay.js';
import type { Scope } from '../../src/wire/frames.js';
import { closeWindow, show } from '../../../views/spec/react/render.js';

afterAll(closeWindow);
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const nameAt = (at: number): string => `p${String(at).padStart(4, '0')}`;

function worldOf(size: number) {
  const scheduler = new VirtualTimeScheduler();
  const all = Array.from({ length: size }, (_, at) => pod(nameAt(at)));
  const pods = fakeCollection<V1Pod>(all, { name: 'pods', scheduler });
  const relay = createRelay({
    sources: { pods: { collection: pods, resource: resources.core.v1.pods } },
    authenticate: () => ({ name: 'ada' }),
    authorize: { review: () => Promise.resolve(true) },
    scheduler,
  });
  closing.push(() => relay.stop());
  const requests: (readonly Scope[])[] = [];
  const asked: typeof fetch = (_, init) => {
    requests.push((JSON.parse(init?.body as string) as { readonly scopes: readonly Scope[] }).scopes);
    return relay.fetch(new Request('http://localhost/relay', init));
  };
  /** Until a condition holds. React renders at the end of each step. */
  const until = async (holds: () => boolean): Promise<void> => {
    for (let step = 0; step < 500 && !holds(); step += 1) {
      await act(async () => {
        advanceBy(scheduler, 20);
        await new Promise((resolve) => setImmediate(resolve));
      });
    }
  };
  const Table = ({ first, namespace }: { readonly first: number; readonly namespace?: string | undefined }): string => {
    const result = useRelayRows<V1Pod>({ kind: 'pods', namespace, orderBy: 'metadata.name', first, count: 3 });
    if (!result.loaded) return 'loading';
    return `${result.data.rows.map((row) => row?.[1].metadata?.name ?? '…').join(' ')} of ${result.data.total}`;
  };
  const at = (first: number, namespace?: string) =>
    createElement(RelayProvider, { url: 'http://localhost/relay', fetch: asked, scheduler }, createElement(Table, { first, namespace }));
  return { pods, relay, requests, until, at, scheduler };
}

describe('useRelayRows', () => {
  it('asks for what is seen of 2,000 rows, wherever the table scrolls to', async () => {
    const { requests, relay, until, at } = worldOf(2_000);
    const page = show(at(0));
    expect(page.text()).toBe('loading');
    await until(() => page.text()?.endsWith('of 2000') === true);
    expect(page.text()).toBe('p0000 p0001 p0002 of 2000');
    page.update(at(1_234));
    expect(page.text()).toBe('… … … of 2000');
    await until(() => page.text()?.includes('p1236') === true);
    expect(page.text()).toBe('p1234 p1235 p1236 of 2000');
    page.update(at(1_298));
    await until(() => page.text()?.includes('p1300') === true);
    expect(page.text()).toBe('p1298 p1299 p1300 of 2000');
    page.update(at(1_999));
    await until(() => page.text()?.includes('p1999') === true);
    expect(page.text()).toBe('p1999 of 2000');
    await until(() => relay.figures().streams === 1 && requests.at(-1)?.length === 1);
    expect(requests.at(-1)?.map(({ window }) => window)).toEqual([{ orderBy: 'metadata.name', offset: 1_900, limit: 100 }]);
    const offsets = new Set(requests.flat().map(({ window }) => window?.offset));
    expect([...offsets].sort((a = 0, b = 0) => a - b)).toEqual([0, 1_200, 1_300, 1_900]);
    page.unmount();
  });

  it('asks for nothing that it has only scrolled past, and follows rows and their number', async () => {
    const { requests, pods, until, at } = worldOf(500);
    const page = show(at(0));
    await until(() => page.text()?.endsWith('of 500') === true);
    for (const first of [100, 200, 300]) page.update(at(first));
    page.update(at(400));
    await until(() => page.text()?.startsWith('p0400') === true);
    expect(new Set(requests.flat().map(({ window }) => window?.offset))).toEqual(new Set([0, 400]));
    pods.put(pod('p9999'));
    await until(() => page.text()?.endsWith('of 501') === true);
    expect(page.text()).toBe('p0400 p0401 p0402 of 501');
    pods.remove('default/p0001');
    await until(() => page.text()?.startsWith('p0401') === true);
    expect(page.text()).toBe('p0401 p0402 p0403 of 500');
    page.unmount();
  });

  it('shows nothing of another scope', async () => {
    const { pods, until, at } = worldOf(500);
    pods.put({ metadata: { name: 'other', namespace: 'small', uid: 'other' } });
    const page = show(at(0));
    await until(() => page.text()?.endsWith('of 501') === true);
    page.update(at(0, 'small'));
    expect(page.text()).toBe('loading');
    await until(() => page.text() !== 'loading');
    expect(page.text()).toBe('other of 1');
    page.update(at(0));
    expect(page.text()).not.toContain('of 1');
    page.unmount();
  });

  it.each([
    [{ first: -1, count: 1 }, 'first'],
    [{ first: 0, count: 101 }, 'count'],
  ])('refuses %j', (options, name) => {
    const Wrong = (): string => String(useRelayRows({ kind: 'pods', orderBy: 'metadata.name', ...options }).loaded);
    expect(() => show(createElement(RelayProvider, { url: '/relay' }, createElement(Wrong)))).toThrow(name);
  });
});
