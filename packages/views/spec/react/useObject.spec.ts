import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { act, createElement, Fragment } from 'react';
import { expectTypeOf } from 'expect-type';
import { Subject } from 'rxjs';
import { createInformer, InformerError, type KubernetesObject } from 'rx-informer';
import type { SourceEvent } from 'rx-informer/pipeline';
import { useObject } from '../../src/react/useObject.js';
import { fakeCollection, type FakeCollection } from '../../src/testing/fakeCollection.js';
import { pod } from 'rx-informer/testing';
import { closeWindow, show } from './render.js';

afterAll(closeWindow);

type Pods = FakeCollection<ReturnType<typeof pod>>;

describe('useObject', () => {
  it('renders only what concerns its key, and follows another key', () => {
    let renders = 0;
    const One = ({ pods, id }: { readonly pods: Pods; readonly id: string }): string => {
      const [object, loaded, , state] = useObject(pods, id);
      renders += 1;
      if (loaded) expectTypeOf(object).toEqualTypeOf<ReturnType<typeof pod> | undefined>();
      return `${state} ${object?.metadata?.name ?? 'none'}`;
    };
    const pods = fakeCollection([pod('a'), pod('b')]);
    const page = show(createElement(One, { pods, id: 'default/a' }));
    const before = renders;
    act(() => pods.put(pod('b', { metadata: { labels: { v: '2' } } })));
    expect([page.text(), renders]).toEqual(['live a', before]);
    page.update(createElement(One, { pods, id: 'default/c' }));
    expect(page.text()).toBe('live none');
    act(() => pods.put(pod('c')));
    expect(page.text()).toBe('live c');
    act(() => pods.remove('default/c'));
    expect(page.text()).toBe('live none');
    page.unmount();
    expect(pods.subscriptions()).toBe(0);
  });

  it('looks at no other row when one has changed', () => {
    const names = Array.from({ length: 100 }, (_, at) => `p${at}`);
    const pods = fakeCollection(names.map((name) => pod(name)));
    const Row = ({ id }: { readonly id: string }): string =>
      useObject(pods, id, { select: ({ metadata }) => metadata?.labels?.['v'] ?? '-' })[0] ?? '';
    const page = show(
      createElement(
        Fragment,
        null,
        names.map((key) => createElement(Row, { key, id: `default/${key}` })),
      ),
    );
    const reads = jest.spyOn(pods.indexer, 'getByKey');
    act(() => pods.put(pod('p7', { metadata: { labels: { v: '2' } } })));
    expect(page.text()).toBe(`${'-'.repeat(7)}2${'-'.repeat(92)}`);
    expect(reads.mock.calls.length).toBeLessThan(10);
    act(() => pods.replace([pod('p8', { metadata: { labels: { v: '3' } } })]));
    expect(page.text()).toBe('3');
    page.unmount();
  });

  it('is not stale any more when an object of another row has come after a failure', () => {
    const source$ = new Subject<SourceEvent<KubernetesObject>>();
    const informer = createInformer(source$, { resource: 'pods', logger: { warn: () => undefined } });
    informer.start();
    source$.next({ type: 'init', scope: '', reason: 'first', previousResourceVersion: '' });
    source$.next({ type: 'page', scope: '', items: [pod('a')] });
    source$.next({ type: 'ready', scope: '', resourceVersion: '2' });
    source$.next({ type: 'status', state: 'watching', error: new InformerError({ code: 'ERR_DECODE', message: 'an odd line' }) });
    const Row = (): string => useObject(informer, 'default/a')[3];
    const page = show(createElement(Row));
    expect(page.text()).toBe('stale');
    act(() => source$.next({ type: 'added', object: pod('b'), resourceVersion: '3' }));
    expect([informer.health().error, page.text()]).toEqual([undefined, 'live']);
    page.unmount();
  });

  it('renders only the fields that it selects, and selects nothing of an object that is not there', () => {
    let renders = 0;
    const Labels = ({ pods }: { readonly pods: Pods }): string => {
      const [labels, loaded] = useObject(pods, 'default/a', { select: ({ metadata }) => ({ app: metadata?.labels?.['app'] ?? 'none' }) });
      renders += 1;
      if (loaded) expectTypeOf(labels).toEqualTypeOf<{ app: string } | undefined>();
      return labels?.app ?? 'gone';
    };
    const pods = fakeCollection([pod('a', { metadata: { labels: { app: 'web' } } })]);
    const page = show(createElement(Labels, { pods }));
    const before = renders;
    act(() => pods.put(pod('a', { metadata: { labels: { app: 'web', v: '2' } } })));
    expect([page.text(), renders]).toEqual(['web', before]);
    act(() => pods.put(pod('a', { metadata: { labels: { app: 'api' } } })));
    expect([page.text(), renders]).toEqual(['api', before + 1]);
    act(() => pods.remove('default/a'));
    expect(page.text()).toBe('gone');
    page.unmount();
  });

  it('refuses a key that is none', () => {
    expect(() => useObject(fakeCollection([]), '')).toThrow('Expected `key` of `useObject` to be a non-empty string, got ""');
  });
});
