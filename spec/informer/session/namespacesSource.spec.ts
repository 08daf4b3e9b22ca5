import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { BehaviorSubject, NEVER, Observable, of, Subject, Subscriber } from 'rxjs';
import type { SourceEvent } from '../../../src/api/events.js';
import type { ListChunk } from '../../../src/api/listerWatcher.js';
import { resources } from '../../../src/api/resources.js';
import { Informer } from '../../../src/informer/informer.js';
import { createInformer, namespacesSource } from '../../../src/informer/createInformer.js';
import type { InformerClient } from '../../../src/informer/parts/part.js';
import { added, list, type Pod, pod } from '../../delta/pods.js';
import { collect } from '../scripted.js';

const inN = (name: string, version: string) => pod(name, version, { namespace: 'n' });
const inM = (name: string, version: string) => pod(name, version, { namespace: 'm' });

function following() {
  const names = new Subject<readonly string[]>();
  const sources = new Map<string, Subject<SourceEvent<Pod>>>();
  const scopes = new Set<string>();
  const sourceOf = (namespace: string): Observable<SourceEvent<Pod>> =>
    new Observable((subscriber) => {
      const source = new Subject<SourceEvent<Pod>>();
      sources.set(namespace, source);
      source.subscribe(subscriber);
      return () => sources.delete(namespace);
    });
  const informer = new Informer<Pod, Pod>({ resource: 'pods', scopes, event$: namespacesSource(names, sourceOf, scopes) }, {});
  const send = (namespace: string, ...events: readonly SourceEvent<Pod>[]) => {
    for (const event of events) sources.get(namespace)?.next(event);
  };
  return { names, sources, informer, send, ...collect(informer.resource$) };
}

/** Informers that still run at the end of a case. */
const running: { stop(): Promise<void> }[] = [];

/** An informer of servers that answer at once. With each change, a subscriber requests the next namespaces. Returns the content after each sync. */
function changing(names: readonly (readonly string[])[]) {
  const next = [...names];
  const names$ = new BehaviorSubject<readonly string[]>(['a']);
  const answer = (namespace: string): Observable<ListChunk<Pod>> =>
    of({ items: [pod('x', '1', { namespace })], metadata: { resourceVersion: '3' } });
  const client = { listChunks: (_: unknown, { namespace = '' }) => answer(namespace), watch: () => NEVER } as unknown as InformerClient;
  const informer = createInformer(client, resources.core.v1.pods, { namespace: names$, listStrategy: 'list' });
  running.push(informer);
  const synced: string[] = [];
  informer.change$.subscribe((change) => {
    if (change.synced) synced.push(informer.indexer.listKeys().join(' '));
    const wanted = next.shift();
    if (wanted !== undefined) names$.next(wanted);
  });
  return { informer, synced };
}

describe('namespacesSource', () => {
  afterEach(() => Promise.all(running.splice(0).map((informer) => informer.stop())));

  it('is synced when every namespace is complete', () => {
    const { names, informer, send, seen } = following();
    names.next(['n', 'm']);
    send('n', ...list('3', [inN('a', '1')], 'n'));
    expect([seen, informer.hasSynced()]).toEqual([['+n/a@1 initial'], false]);
    send('m', ...list('4', [], 'm'));
    expect([seen, informer.hasSynced()]).toEqual([['+n/a@1 initial', 'synced@4'], true]);
  });

  it('deletes what a namespace held that leaves, and adds what one holds that enters', () => {
    const { names, sources, informer, send, seen } = following();
    names.next(['n']);
    send('n', ...list('3', [inN('a', '1')], 'n'));
    seen.length = 0;
    names.next(['m']);
    expect([seen, [...sources.keys()]]).toEqual([['-n/a@1 finalStateUnknown inferred'], ['m']]);
    send('m', ...list('5', [inM('b', '4')], 'm'), added(inM('c', '6'), 'm'));
    expect(seen.slice(1)).toEqual(['+m/b@4 inferred', 'synced@5', '+m/c@6']);
    expect(informer.hasSynced()).toBe(true);
    expect(informer.lastSyncResourceVersion('n')).toBe('');
  });

  it('leaves alone what stays', () => {
    const { names, sources, send, seen } = following();
    names.next(['n']);
    send('n', ...list('3', [inN('a', '1')], 'n'));
    const kept = sources.get('n');
    seen.length = 0;
    names.next(['n', 'm', 'm']);
    expect(sources.get('n')).toBe(kept);
    expect(seen).toEqual([]);
    send('n', added(inN('b', '7'), 'n'));
    expect(seen).toEqual(['+n/b@7']);
  });

  it('is synced with no namespace at all', () => {
    const { names, informer, seen } = following();
    names.next([]);
    expect([seen, informer.hasSynced(), informer.health().state]).toEqual([['synced@'], true, 'watching']);
  });

  it('does not wait for a namespace that leaves before it is complete', () => {
    const { names, send, seen } = following();
    names.next(['n', 'm']);
    send('n', ...list('3', [inN('a', '1')], 'n'));
    names.next(['n']);
    expect(seen).toEqual(['+n/a@1 initial', 'synced@3']);
  });

  it('keeps the version of the cache when a namespace leaves', () => {
    const { names, informer, send } = following();
    names.next(['n', 'm']);
    send('n', ...list('3', [], 'n'));
    send('m', ...list('9', [], 'm'));
    names.next(['n']);
    expect(informer.lastSyncResourceVersion()).toBe('9');
  });

  it('ends all with the informer', async () => {
    const { names, sources, informer } = following();
    names.next(['n', 'm']);
    await informer.stop();
    expect([sources.size, names.observed]).toEqual([0, false]);
  });

  it.each<[unknown, string]>([
    [['n', 'N!'], 'Expected `namespace` to be the name of a namespace, got "N!"'],
    [['', 'n'], 'Expected `namespace` of `createInformer` to be an Observable of lists, got a list of 2'],
    ['namespace', 'Expected `namespace` of `createInformer` to be an Observable of lists, got "namespace"'],
    [null, 'Expected `namespace` of `createInformer` to be an Observable of lists, got null'],
  ])('fails the informer, and not the Observable, when that emits %j', (wrong, message) => {
    const names$ = new Subject<readonly string[]>();
    const empty = of({ items: [], metadata: { resourceVersion: '3' } });
    const client = { listChunks: () => empty, watch: () => NEVER } as unknown as InformerClient;
    const informer = createInformer(client, resources.core.v1.pods, { namespace: names$, listStrategy: 'list' });
    const failures: unknown[] = [];
    informer.resource$.subscribe({ error: (error: unknown) => failures.push((error as Error).message) });
    names$.next(['n']);
    expect(informer.hasSynced()).toBe(true);
    expect(() => names$.next(wrong as readonly string[])).not.toThrow();
    expect(failures).toEqual([message]);
    expect(informer.health().state).toBe('stopped');
  });

  it('follows namespaces that change while a change of them is being carried out', () => {
    const wanted$ = new BehaviorSubject<readonly string[]>(['a']);
    const watched = new Set<string>();
    const sourceOf = (namespace: string): Observable<SourceEvent<Pod>> =>
      new Observable((subscriber) => {
        watched.add(namespace);
        for (const event of list('3', [pod('x', '1', { namespace })], namespace)) subscriber.next(event);
        return () => watched.delete(namespace);
      });
    const scopes = new Set<string>();
    namespacesSource(wanted$, sourceOf, scopes).subscribe((event) => {
      // `a` has been unsubscribed from.
      if (event.type === 'ready' && event.resourceVersion === '') wanted$.next(['c']);
    });
    wanted$.next(['b']);
    expect([[...watched], [...scopes]]).toEqual([['c'], ['c']]);
  });

  it('does not ask every namespace whether it is one that leaves', () => {
    const names$ = new Subject<readonly string[]>();
    namespacesSource(names$, () => NEVER, new Set()).subscribe();
    const notified = (names: readonly string[]): number => {
      names$.next(names);
      const next = jest.spyOn(Subscriber.prototype, 'next');
      names$.next([]);
      const { length } = next.mock.calls;
      next.mockRestore();
      return length;
    };
    const [of10, of100] = [10, 100].map((count) => notified(Array.from({ length: count }, (_, at) => `n${at}`)));
    expect((of100 ?? 0) / (of10 ?? 0)).toBeLessThan(11);
  });

  it('keeps nothing of a namespace that came and left while subscribers received what had come before', () => {
    const { informer, synced } = changing([['b'], ['c']]);
    expect(informer.indexer.listKeys()).toEqual(['c/x']);
    expect(synced).toEqual(['a/x', 'b/x', 'c/x']);
  });

  it('lists a namespace again that left and came back meanwhile, and is not synced before', () => {
    const { informer, synced } = changing([[], ['a', 'b'], ['b'], ['a']]);
    expect(informer.indexer.listKeys()).toEqual(['a/x']);
    // The names `b` alone were outdated when their turn came.
    expect(synced).toEqual(['a/x', '', 'a/x b/x', 'a/x']);
  });
});
