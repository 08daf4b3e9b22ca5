import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { act, createElement, type ReactElement, Suspense } from 'react';
import { renderToString } from 'react-dom/server';
import { expectTypeOf } from 'expect-type';
import { VirtualTimeScheduler } from 'rxjs';
import { type Collection, resources, type V1Pod } from 'rx-informer';
import { dump } from '@rx-informer/inspector';
import { loadRelay } from '../../src/client/loadRelay.js';
import type { RelayState } from '../../src/client/relaySource.js';
import type { RelayOf } from '../../src/log/relayTypes.js';
import { RelayProvider } from '../../src/react/relayProvider.js';
import { relayHooks } from '../../src/react/relayHooks.js';
import { useRelay } from '../../src/react/useRelay.js';
import { createRelay } from '../../src/serve/createRelay.js';
import { fakeCollection } from '@rx-informer/views/testing';
import { advanceBy, pod } from 'rx-informer/testing';
import { derive } from '@rx-informer/views';
import { closeWindow, hydrate, show, takeOver } from '../../../views/spec/react/render.js';

afterAll(closeWindow);
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A relay whose requests are calls, and whose time is virtual. */
function worldOf(isAllowed: () => boolean = () => true) {
  const scheduler = new VirtualTimeScheduler();
  const pods = fakeCollection<V1Pod>([pod('a'), pod('b')], { name: 'pods', scheduler });
  const names = derive(pods, ({ metadata }) => ({ metadata, name: metadata?.name ?? '' }), { scheduler });
  const relay = createRelay({
    sources: { pods: { collection: pods, resource: resources.core.v1.pods }, names: { collection: names, inputs: ['pods'] } },
    authenticate: () => ({ name: 'ada' }),
    authorize: { review: () => Promise.resolve(isAllowed()) },
    scheduler,
  });
  closing.push(() => relay.stop());
  const requests: { scopes: { token?: object }[] }[] = [];
  let isOnline = true;
  const asked: typeof fetch = (_, init) => {
    requests.push(JSON.parse(init?.body as string) as (typeof requests)[0]);
    return isOnline ? relay.fetch(new Request('http://localhost/relay', init)) : Promise.reject(new TypeError('offline'));
  };
  const way = { url: 'http://localhost/relay', fetch: asked, scheduler };
  /** Until a condition holds. */
  const until = (holds: () => boolean): Promise<void> =>
    act(async () => {
      for (let step = 0; step < 500 && !holds(); step += 1) {
        advanceBy(scheduler, 20);
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
  const within = (element: ReactElement, state?: RelayState): ReactElement => createElement(RelayProvider, { ...way, state }, element);
  return { pods, relay, requests, way, until, within, scheduler, setOnline: (is: boolean) => (isOnline = is) };
}

const Names = (): string => {
  const result = useRelay<V1Pod, string>({ kind: 'pods', select: (all) => [...all.keys()].sort().join() });
  if (result.forbidden) return `forbidden ${result.error.message}`;
  if (!result.loaded) return result.offline ? `offline ${result.error.message}` : 'loading';
  expectTypeOf(result.data).toEqualTypeOf<string>();
  return `${result.stale ? (result.offline ? 'offline' : 'stale') : 'live'} ${result.data}`;
};

describe('useRelay', () => {
  it('shares one copy and one stream among the components of a page', async () => {
    const { until, within, requests, relay } = worldOf();
    const page = show(within(createElement('p', {}, createElement(Names), ' ', createElement(Names))));
    expect(page.text()).toBe('loading loading');
    await until(() => page.text()?.startsWith('live') === true);
    expect(page.text()).toBe('live default/a,default/b live default/a,default/b');
    expect([requests.length, requests[0]?.scopes.length, relay.figures().streams]).toEqual([1, 1, 1]);
    // The page's own informer is seen by `dump`, and so by the inspector.
    expect(dump()).toContainEqual(expect.objectContaining({ kind: 'informer', name: 'pods', content: ['default/a', 'default/b'] }));
    page.unmount();
  });

  it('keeps a scope for five minutes after its last component has gone', async () => {
    const { until, within, relay, scheduler } = worldOf();
    const page = show(within(createElement(Names)));
    await until(() => page.text()?.startsWith('live') === true);
    page.update(within(createElement('p', {}, 'elsewhere')));
    await act(() => {
      advanceBy(scheduler, 290_000);
      return Promise.resolve();
    });
    page.update(within(createElement(Names)));
    expect(page.text()).toContain('default/a,default/b');
    page.update(within(createElement('p', {}, 'elsewhere')));
    advanceBy(scheduler, 301_000);
    await until(() => relay.figures().streams === 0);
    expect(relay.figures().streams).toBe(0);
    page.unmount();
  });

  it('shares the newest copy, whatever becomes of one that was forgotten', async () => {
    const { until, within, scheduler } = worldOf();
    const collections: Collection<V1Pod>[] = [];
    const Shown = (): string => {
      const { collection, loaded } = useRelay<V1Pod>({ kind: 'pods' });
      if (!collections.includes(collection)) collections.push(collection);
      return loaded ? 'loaded' : '';
    };
    const page = show(within(createElement(Shown)));
    const pass = (ms: number) =>
      act(() => {
        advanceBy(scheduler, ms);
        return Promise.resolve();
      });
    await until(() => page.text() === 'loaded');
    page.update(within(createElement('p')));
    await pass(301_000);
    page.update(within(createElement(Shown)));
    await until(() => page.text() === 'loaded');
    const again = collections[0]?.change$.subscribe();
    await pass(1_000);
    again?.unsubscribe();
    await pass(301_000);
    page.update(within(createElement('p', {}, createElement(Shown))));
    await until(() => page.text() === 'loaded');
    expect(collections).toHaveLength(2);
    page.unmount();
  });

  it('tells loading, forbidden and offline apart, and connects again when it is told to', async () => {
    const { until, within, setOnline } = worldOf();
    setOnline(false);
    const page = show(within(createElement(Names)));
    await until(() => page.text()?.startsWith('offline') === true);
    expect(page.text()).toContain('offline pods');
    setOnline(true);
    await until(() => page.text()?.startsWith('live') === true);
    expect(page.text()).toBe('live default/a,default/b');
    page.unmount();
    const other = worldOf(() => false);
    const second = show(other.within(createElement(Names)));
    await other.until(() => second.text()?.startsWith('forbidden') === true);
    expect(second.text()).toContain('the user may not list and watch it');
    second.unmount();
  });

  it('shows what the server has rendered without a mismatch, and goes on from there', async () => {
    const { until, within, way, requests, pods, scheduler } = worldOf();
    const loading = loadRelay(way.url, [{ kind: 'pods' }], { fetch: way.fetch, scheduler });
    let state: RelayState = {};
    void loading.then((loaded) => (state = loaded));
    await until(() => Object.keys(state).length > 0);
    expect(Object.values(state)).toMatchObject([{ rights: 'allowed' }]);
    const html = renderToString(within(createElement(Names), state));
    expect(html).toBe('stale default/a,default/b');
    expect(takeOver(html, within(createElement(Names), state))).toEqual([expect.stringMatching(/default\/a,default\/b/), []]);
    const page = show(within(createElement(Names), state));
    const before = requests.length;
    pods.put(pod('c'));
    await until(() => page.text()?.includes('default/c') === true);
    expect(page.text()).toBe('live default/a,default/b,default/c');
    expect(requests.slice(before).every(({ scopes }) => scopes[0]?.token !== undefined)).toBe(true);
    page.unmount();
  });

  it('takes over late what the server has rendered, also when the page knows more by then', async () => {
    const { until, within } = worldOf();
    const window = { orderBy: 'metadata.name', limit: 10 };
    let arrive = (): void => undefined;
    let arriving: Promise<void> | undefined;
    const Total = (): string => `total ${useRelay({ kind: 'pods', window }).total}`;
    const Late = (): string => {
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- how a component suspends in React 18 and 19
      if (arriving !== undefined) throw arriving;
      return Total();
    };
    const tree = within(
      createElement(
        'p',
        {},
        createElement('b', {}, createElement(Total)),
        createElement(Suspense, {}, createElement('i', {}, createElement(Late))),
      ),
    );
    const html = renderToString(tree);
    arriving = new Promise((resolve) => (arrive = resolve));
    const page = hydrate(html, tree);
    await until(() => page.text()?.startsWith('total 2') === true);
    expect(page.text()).toBe('total 2total undefined');
    arriving = undefined;
    arrive();
    await until(() => page.text() === 'total 2total 2');
    expect([page.text(), page.errors]).toEqual(['total 2total 2', []]);
    page.unmount();
  });

  it('has the types of its relay', () => {
    type App = RelayOf<ReturnType<typeof worldOf>['relay']>;
    expectTypeOf<keyof App['kinds']>().toEqualTypeOf<'pods'>();
    expectTypeOf<App['kinds']['pods']>().toEqualTypeOf<V1Pod>();
    expectTypeOf<App['views']['names']['name']>().toEqualTypeOf<string>();
    const hooks = relayHooks<App>();
    const Typed = (): string => {
      const { data } = hooks.useRelay({ view: 'names', select: (all) => [...all.values()].map(({ name }) => name) });
      expectTypeOf(data).toEqualTypeOf<string[] | undefined>();
      // @ts-expect-error -- the relay has no such kind
      hooks.useRelay({ kind: 'secrets' });
      hooks.useRelay({
        kind: 'pods',
        fields: ['status.phase', 'spec.containers.image', 'metadata.labels[app]', 'spec.containers.env.name'],
      });
      // @ts-expect-error -- pods have no such field
      hooks.useRelay({ kind: 'pods', fields: ['status.faze'] });
      // @ts-expect-error -- the view's values have no such field
      hooks.useRelay({ view: 'names', fields: ['count'] });
      return '';
    };
    expect(() => renderToString(createElement(Typed))).toThrow('Expected `useRelay` below a `RelayProvider`');
  });

  it('is loaded where `select` finds nothing, also offline, and where the server has rendered that', async () => {
    const { until, within, way, scheduler, relay, setOnline } = worldOf();
    const Missing = (): string => {
      const result = useRelay<V1Pod, string | undefined>({ kind: 'pods', select: (all) => all.get('default/z')?.metadata?.name });
      return `${result.loaded ? 'loaded' : 'loading'} ${result.stale ? 'stale' : ''} ${result.offline ? 'offline' : ''} ${result.data}`;
    };
    let state: RelayState = {};
    void loadRelay(way.url, [{ kind: 'pods' }], { fetch: way.fetch, scheduler }).then((loaded) => (state = loaded));
    await until(() => Object.keys(state).length > 0);
    expect(renderToString(within(createElement(Missing), state))).toBe('loaded stale  undefined');
    const page = show(within(createElement(Missing)));
    await until(() => page.text()?.startsWith('loaded') === true);
    expect(page.text()).toBe('loaded   undefined');
    setOnline(false);
    relay.stop();
    await until(() => page.text() !== 'loaded   undefined');
    expect(page.text()).toBe('loaded stale offline undefined');
    page.unmount();
  });
});
