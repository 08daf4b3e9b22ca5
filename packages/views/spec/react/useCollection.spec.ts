import { afterAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, Component, createElement, Fragment, type ReactNode, StrictMode, Suspense } from 'react';
import { renderToString } from 'react-dom/server';
import { asyncScheduler, defer, NEVER, of, Subject, VirtualTimeScheduler } from 'rxjs';
import { expectTypeOf } from 'expect-type';
import { type Collection, createInformer, type IndexSnapshot, type KubernetesObject } from 'rx-informer';
import { useCollection } from '../../src/react/useCollection.js';
import { loadingOf } from '../../src/react/useSelected.js';
import { fakeCollection } from '../../src/testing/fakeCollection.js';
import { advanceBy, FakeListerWatcher, pod } from 'rx-informer/testing';
import { statusError } from '../../../../src/testing/fakes/serverErrors.js';
import { derive } from '../../src/derive.js';
import { Link, objects, pageSource, relayCore } from '../../../relay/spec/link.js';
import { closeWindow, outsideOfAct, show, takeOver } from './render.js';

afterAll(closeWindow);

let renders = 0;
beforeEach(() => {
  renders = 0;
});

function All({ of: collection }: { readonly of: Collection<object> }): string {
  const [all, , failure, state] = useCollection(collection);
  renders += 1;
  return `${state} ${[...(all?.keys() ?? [])].sort().join(' ')} ${failure?.message ?? ''}`.trim();
}

function Suspended({ of: collection }: { readonly of: Collection<object> }): string {
  return useCollection(collection, { suspense: true })[3];
}

const versionOf = (object: KubernetesObject): number => Number(object.metadata?.resourceVersion);
const at = (resourceVersion: number): KubernetesObject => ({
  metadata: { namespace: 'default', name: 'a', resourceVersion: String(resourceVersion) },
});

describe('useCollection', () => {
  it('renders each change, and keeps the collection up until the component goes', () => {
    const pods = fakeCollection([pod('a')], { synced: false });
    const page = show(createElement(All, { of: pods }));
    expect([page.text(), pods.subscriptions()]).toEqual(['loading', 1]);
    act(() => pods.replace([pod('a')]));
    expect(page.text()).toBe('live default/a');
    act(() => pods.put(pod('b')));
    expect([page.text(), pods.subscriptions()]).toEqual(['live default/a default/b', 1]);
    page.unmount();
    expect(pods.subscriptions()).toBe(0);
  });

  it('reads the collection once for all components of a page that is shown at once', () => {
    const pods = fakeCollection([pod('a')]);
    const reads = jest.spyOn(pods.indexer, 'listKeys');
    const page = show(
      createElement(
        Fragment,
        null,
        Array.from({ length: 100 }, (_, key) => createElement(All, { of: pods, key })),
      ),
    );
    expect(page.text()).toBe('live default/a'.repeat(100));
    expect(reads.mock.calls.length).toBeLessThan(10);
    page.unmount();
    pods.put(pod('b'));
    const later = show(createElement(All, { of: pods }));
    expect(later.text()).toBe('live default/a default/b');
    later.unmount();
  });

  it('works in strict mode, where each effect runs twice', () => {
    const pods = fakeCollection([pod('a')]);
    const page = show(createElement(StrictMode, null, createElement(All, { of: pods })));
    act(() => pods.put(pod('b')));
    expect([page.text(), pods.subscriptions()]).toEqual(['live default/a default/b', 1]);
    page.unmount();
    expect(pods.subscriptions()).toBe(0);
  });

  it('shows the failure of the collection beside its last data', () => {
    const contents = new Subject<readonly ReturnType<typeof pod>[]>();
    const page = show(createElement(All, { of: fakeCollection(contents) }));
    act(() => contents.next([pod('a')]));
    act(() => contents.error(new Error('gone')));
    expect(page.text()).toBe('failing default/a gone');
    page.unmount();
  });

  it('is loading on a server, and starts nothing there', () => {
    const pods = fakeCollection([pod('a')]);
    expect([renderToString(createElement(All, { of: pods })), pods.subscriptions()]).toEqual(['loading', 0]);
  });

  it('takes over what a server has rendered, also where the data came before that', () => {
    const pods = fakeCollection([pod('a')]);
    const running = pods.change$.subscribe();
    const waiting = createElement(Suspended, { of: pods });
    expect(takeOver('loading', createElement(All, { of: pods }))).toEqual(['live default/a', []]);
    expect(takeOver('loading', waiting)).toEqual(['live', []]);
    running.unsubscribe();
  });

  it('has data wherever it is loaded, also by type', () => {
    const typed = (): void => {
      const [all, loaded, , state] = useCollection(fakeCollection([pod('a')]));
      if (loaded) expectTypeOf(all).toEqualTypeOf<IndexSnapshot<ReturnType<typeof pod>>>();
      else expectTypeOf(all).toEqualTypeOf<IndexSnapshot<ReturnType<typeof pod>> | undefined>();
      if (state === 'live') expectTypeOf(loaded).toEqualTypeOf<true>();
      if (state === 'forbidden') expectTypeOf(loaded).toEqualTypeOf<false>();
      const [size, known] = useCollection(fakeCollection([pod('a')]), { select: (pods) => pods.size });
      if (known) expectTypeOf(size).toEqualTypeOf<number>();
    };
    expect(typed).toBeDefined();
  });

  it('refuses what is no collection, and options that it does not know', () => {
    expect(() => useCollection({} as never)).toThrow('Expected `useCollection` to be given an informer or a view, got');
    expect(() => useCollection(fakeCollection([]), { selects: () => 1 } as never)).toThrow(
      'Unknown option `selects` of `useCollection`; did you mean `select`?',
    );
  });
});

describe('useCollection with `select`', () => {
  const running = (all: IndexSnapshot<KubernetesObject>): readonly string[] =>
    [...all].flatMap(([key, { metadata }]) => (metadata?.labels?.['run'] === 'yes' ? [key] : [])).sort();
  const labelled = (name: string, labels: Record<string, string>): KubernetesObject => pod(name, { metadata: { labels } });

  it('renders only when what it has selected changes, with a function that is written in place', () => {
    const pods = fakeCollection<KubernetesObject>([labelled('a', { run: 'yes' }), labelled('b', {})]);
    const selections = new Set<unknown>();
    const Running = (): string => {
      const [keys] = useCollection(pods, { select: (all) => running(all) });
      renders += 1;
      selections.add(keys);
      return keys?.join(' ') ?? 'loading';
    };
    const page = show(createElement(Running));
    const before = renders;
    act(() => pods.put(labelled('b', { v: '2' })));
    act(() => pods.put(labelled('a', { run: 'yes', v: '2' })));
    expect([page.text(), renders - before]).toEqual(['default/a', 0]);
    act(() => pods.put(labelled('b', { run: 'yes' })));
    expect([page.text(), renders - before]).toEqual(['default/a default/b', 1]);
    // When it is rendered for another reason, it has the same list.
    page.update(createElement(Running, { key: undefined }));
    expect([...selections].filter(Array.isArray)).toHaveLength(2);
    page.unmount();
  });

  it('selects a few times for many changes in one task, and shows the last', async () => {
    const pods = fakeCollection<KubernetesObject>([pod('a')]);
    let selections = 0;
    const Size = (): string => {
      const [size] = useCollection(pods, {
        select: (all) => {
          selections += 1;
          return all.size;
        },
      });
      return String(size);
    };
    const page = show(createElement(Size));
    selections = 0;
    await outsideOfAct(async () => {
      for (let name = 0; name < 20; name += 1) pods.put(pod(`b${name}`));
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    });
    expect(page.text()).toBe('21');
    expect(selections).toBeLessThanOrEqual(6);
    page.unmount();
  });

  it('compares by `equals`, and still shows what the state comes to', () => {
    const contents = new Subject<readonly KubernetesObject[]>();
    const pods = fakeCollection(contents);
    const Size = (): string => {
      const [size, , , state] = useCollection(pods, { select: ({ size: all }) => all, equals: (a, b) => a >> 1 === b >> 1 });
      renders += 1;
      return `${state} ${String(size)}`;
    };
    const page = show(createElement(Size));
    act(() => contents.next([pod('a'), pod('b')]));
    const before = renders;
    act(() => contents.next([pod('a'), pod('b'), pod('c')]));
    expect([page.text(), renders - before]).toEqual(['live 2', 0]);
    act(() => contents.error(new Error('gone')));
    expect(page.text()).toBe('failing 2');
    page.unmount();
  });

  it('throws where it renders what a selector throws', () => {
    const pods = fakeCollection<KubernetesObject>([pod('a')]);
    const Broken = (): string =>
      String(
        useCollection(pods, {
          select: () => {
            throw new Error('no such field');
          },
        })[0],
      );
    expect(() => show(createElement(Broken))).toThrow('no such field');
  });

  it('renders again behind an error boundary once its selector no longer throws', () => {
    const pods = fakeCollection<KubernetesObject>([at(1)]);
    class Boundary extends Component<{ readonly children?: ReactNode }, { readonly failed: boolean }> {
      static readonly getDerivedStateFromError = () => ({ failed: true });
      override readonly state = { failed: false };
      override render(): ReactNode {
        return this.state.failed ? 'failed' : this.props.children;
      }
    }
    const select = (all: IndexSnapshot<KubernetesObject>): number => {
      const version = versionOf(all.get('default/a') ?? {});
      if (version === 2) throw new Error('no such field');
      return version;
    };
    const Version = (): string => String(useCollection(pods, { select })[0]);
    const errors = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const tree = (key: number) => createElement(Boundary, { key }, createElement(Version));
    const page = show(tree(1));
    act(() => pods.put(at(2)));
    expect([page.text(), pods.subscriptions()]).toEqual(['failed', 0]);
    page.update(tree(2));
    expect(page.text()).toBe('failed');
    // Nobody follows the pods now: what there was last is what it failed for.
    pods.put(at(3));
    page.update(tree(3));
    expect(page.text()).toBe('3');
    page.unmount();
    errors.mockRestore();
  });
});

describe('components that show one graph', () => {
  it('show one moment, also when a change comes between two of them', () => {
    const pods = fakeCollection([at(1)]);
    const tens = derive(pods, (object) => versionOf(object) * 10);
    const seen: (readonly (number | undefined)[])[] = [];
    let isChanged = false;
    const Version = (): string => String(useCollection(pods, { select: (all) => all.get('default/a')?.metadata?.resourceVersion })[0]);
    const Disturb = (): null => {
      if (!isChanged) pods.put(at(2));
      isChanged = true;
      return null;
    };
    const Tens = (): string => ` ${String(useCollection(tens, { select: (all) => all.get('default/a') })[0])}`;
    const Both = (): string => {
      const [version] = useCollection(pods, { select: (all) => versionOf(all.get('default/a') ?? {}) });
      const [ten] = useCollection(tens, { select: (all) => all.get('default/a') });
      seen.push([version, ten]);
      return '';
    };
    pods.change$.subscribe();
    tens.change$.subscribe();
    const page = show(
      createElement(Fragment, null, createElement(Version), createElement(Disturb), createElement(Tens), createElement(Both)),
    );
    expect(page.text()).toBe('2 20');
    for (const next of [3, 4]) {
      act(() => pods.put(at(next)));
      expect(page.text()).toBe(`${next} ${next}0`);
    }
    expect(seen.filter(([version = 0, ten]) => ten !== version * 10)).toEqual([]);
    page.unmount();
  });
});

describe('useCollection with `suspense`', () => {
  // It lets a collection go a second later, in real time: that must not outlive the specs.
  const scheduled = jest.spyOn(asyncScheduler, 'schedule');
  afterAll(() => {
    for (const { value } of scheduled.mock.results) (value as ReturnType<typeof asyncScheduler.schedule>).unsubscribe();
    scheduled.mockRestore();
  });

  function Names({ of: collection }: { readonly of: Collection<object> }): string {
    const [all, , failure, state] = useCollection(collection, { suspense: true });
    return `${state} ${[...(all?.keys() ?? [])].join(' ')} ${failure?.message ?? ''}`.trim();
  }
  const waiting = (collection: Collection<object>) =>
    show(createElement(StrictMode, null, createElement(Suspense, { fallback: 'wait' }, createElement(Names, { of: collection }))));

  it('waits until the collection is complete, and keeps it up meanwhile', async () => {
    const pods = fakeCollection([pod('a')], { synced: false });
    const page = waiting(pods);
    expect([page.text(), pods.subscriptions()]).toEqual(['wait', 1]);
    await act(() => {
      pods.replace([pod('a')]);
      return Promise.resolve();
    });
    expect([page.text(), pods.subscriptions()]).toEqual(['live default/a', 1]);
    page.unmount();
  });

  it('waits for nothing where the collection is complete', () => {
    const pods = fakeCollection([pod('a')]);
    pods.change$.subscribe();
    const page = waiting(pods);
    expect(page.text()).toBe('live default/a');
    page.unmount();
  });

  it('shows a failure, and what comes after it', async () => {
    const contents = new Subject<readonly KubernetesObject[]>();
    const page = waiting(fakeCollection(contents));
    await act(() => {
      contents.error(new Error('gone'));
      return Promise.resolve();
    });
    expect(page.text()).toBe('failing  gone');
    page.unmount();
  });

  it('shows the failure that it has waited for until there is something else, and then waits again', async () => {
    const attempts = [1, 2, 3].map(() => new Subject<readonly KubernetesObject[]>());
    let begun = -1;
    const pods = fakeCollection(defer(() => attempts[(begun += 1)] ?? NEVER));
    const page = waiting(pods);
    await act(() => {
      attempts[0]?.error(new Error('gone'));
      return Promise.resolve();
    });
    expect([page.text(), pods.subscriptions()]).toEqual(['failing  gone', 1]);
    act(() => attempts.at(begun)?.next([pod('a')]));
    expect(page.text()).toBe('live default/a');
    page.unmount();
    const later = waiting(pods);
    expect(later.text()).toBe('wait');
    later.unmount();
  });

  it('lets a collection go that nobody shows, a while after it is complete, and after ten seconds in any case', async () => {
    const scheduler = new VirtualTimeScheduler();
    const [soon, never] = [fakeCollection([pod('a')]), fakeCollection<KubernetesObject>(NEVER)];
    const waits = [loadingOf(soon, scheduler), loadingOf(never, scheduler)];
    expect(loadingOf(never, scheduler)).toBe(waits[1]);
    await waits[0];
    advanceBy(scheduler, 900);
    expect([soon.subscriptions(), never.subscriptions()]).toEqual([1, 1]);
    advanceBy(scheduler, 9_100);
    await waits[1];
    advanceBy(scheduler, 5_000);
    expect([soon.subscriptions(), never.subscriptions()]).toEqual([0, 0]);
    expect(loadingOf(never, scheduler)).not.toBe(waits[1]);
    advanceBy(scheduler, 20_000);
  });
});

describe('what a collection may not read', () => {
  it('is forbidden over an informer, and live as soon as it is granted', () => {
    const scheduler = new VirtualTimeScheduler();
    const server = new FakeListerWatcher({ scheduler });
    server.add(at(1));
    const informer = createInformer(server, { scheduler, logger: { warn: () => undefined } });
    server.failNext('list', statusError(403, 'Forbidden', 'no'));
    server.failNext('watch', statusError(403, 'Forbidden', 'no'));
    const page = show(createElement(All, { of: informer }));
    act(() => advanceBy(scheduler, 100));
    expect(page.text()).toMatch(/^forbidden/);
    act(() => advanceBy(scheduler, 60_000));
    expect(page.text()).toBe('live default/a');
    page.unmount();
  });

  it('is forbidden over a relay, not empty, before and after it could be read', () => {
    const scheduler = new VirtualTimeScheduler();
    let isAllowed = false;
    const hints$ = new Subject<() => boolean>();
    const core = relayCore({
      scheduler,
      sources: { objects: { collection: fakeCollection([at(1)], { scheduler }), resource: objects } },
      authorizer: { review: () => of(isAllowed), changed$: hints$ },
    });
    const informer = createInformer(pageSource(new Link(core), scheduler, { kind: 'objects' }), {
      ...{ scheduler, resource: 'objects', logger: { warn: () => undefined } },
    });
    const page = show(createElement(All, { of: informer }));
    const texts: (string | null)[] = [];
    for (const next of [false, true, false, true]) {
      isAllowed = next;
      hints$.next(() => true);
      act(() => advanceBy(scheduler, 5_000));
      texts.push(page.text());
    }
    expect(texts).toEqual([
      expect.stringMatching(/^forbidden\b(?!.*default)/),
      'live default/a',
      expect.stringMatching(/^forbidden\b(?!.*default)/),
      'live default/a',
    ]);
    page.unmount();
  });
});
