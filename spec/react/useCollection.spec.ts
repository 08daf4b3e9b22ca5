import { afterAll, describe, expect, it } from '@jest/globals';
import { act, createElement, type ReactElement, StrictMode } from 'react';
import { Window } from 'happy-dom';
import { Subject } from 'rxjs';
import type { Collection } from '../../src/informer/collection.js';
import { useCollection } from '../../src/react/useCollection.js';
import { fakeCollection } from '../../src/testing/fakes/fakeCollection.js';
import { pod } from '../../src/testing/fakes/fixtures.js';

// React looks for a document when it is loaded.
const window = new Window();
const globals = globalThis as Record<string, unknown>;
Object.assign(globals, { window, document: window.document, navigator: window.navigator, IS_REACT_ACT_ENVIRONMENT: true });
const { createRoot } = await import('react-dom/client');
const { renderToString } = await import('react-dom/server');
afterAll(async () => {
  await window.happyDOM.close();
  for (const name of ['window', 'document', 'navigator', 'IS_REACT_ACT_ENVIRONMENT']) Reflect.deleteProperty(globals, name);
});

let renders = 0;
function All({ pods }: { readonly pods: Collection<object> }): string {
  const [all, loaded, failure] = useCollection(pods);
  renders += 1;
  return `${loaded ? 'loaded' : 'loading'} ${[...(all?.keys() ?? [])].sort().join(' ')} ${failure?.message ?? ''}`.trim();
}
function One({ pods, id }: { readonly pods: Collection<ReturnType<typeof pod>>; readonly id: string }): string {
  const [object, loaded] = useCollection(pods, id);
  renders += 1;
  return `${loaded ? 'loaded' : 'loading'} ${object?.metadata?.name ?? 'none'}`;
}

interface Page {
  readonly text: () => string | null;
  readonly update: (element: ReactElement) => void;
  readonly unmount: () => void;
}

function show(element: ReactElement): Page {
  const container = window.document.createElement('div');
  const root = createRoot(container);
  const update = (next: ReactElement): void => act(() => root.render(next));
  update(element);
  renders = 0;
  return { text: () => container.textContent, update, unmount: () => act(() => root.unmount()) };
}

describe('useCollection', () => {
  it('renders each change, and keeps the collection up until the component goes', () => {
    const pods = fakeCollection([pod('a')], { synced: false });
    const page = show(createElement(All, { pods }));
    expect([page.text(), pods.subscriptions()]).toEqual(['loading', 1]);
    act(() => pods.replace([pod('a')]));
    expect(page.text()).toBe('loaded default/a');
    act(() => pods.put(pod('b')));
    expect([page.text(), pods.subscriptions()]).toEqual(['loaded default/a default/b', 1]);
    page.unmount();
    expect(pods.subscriptions()).toBe(0);
  });

  it('renders for one key only what concerns it, and follows another key', () => {
    const pods = fakeCollection([pod('a'), pod('b')]);
    const page = show(createElement(One, { pods, id: 'default/a' }));
    act(() => pods.put(pod('b', { metadata: { labels: { v: '2' } } })));
    expect([page.text(), renders]).toEqual(['loaded a', 0]);
    page.update(createElement(One, { pods, id: 'default/c' }));
    expect(page.text()).toBe('loaded none');
    act(() => pods.put(pod('c')));
    expect(page.text()).toBe('loaded c');
    page.unmount();
    expect(pods.subscriptions()).toBe(0);
  });

  it('works in strict mode, where each effect runs twice', () => {
    const pods = fakeCollection([pod('a')]);
    const page = show(createElement(StrictMode, null, createElement(All, { pods })));
    act(() => pods.put(pod('b')));
    expect([page.text(), pods.subscriptions()]).toEqual(['loaded default/a default/b', 1]);
    page.unmount();
    expect(pods.subscriptions()).toBe(0);
  });

  it('shows the failure of the collection beside its last data', () => {
    const contents = new Subject<readonly ReturnType<typeof pod>[]>();
    const page = show(createElement(All, { pods: fakeCollection(contents) }));
    act(() => contents.next([pod('a')]));
    act(() => contents.error(new Error('gone')));
    expect(page.text()).toMatch(/^load(ed|ing) default\/a gone$/);
    page.unmount();
  });

  it('is loading on a server, and starts nothing there', () => {
    const pods = fakeCollection([pod('a')]);
    expect([renderToString(createElement(All, { pods })), pods.subscriptions()]).toEqual(['loading', 0]);
  });
});
