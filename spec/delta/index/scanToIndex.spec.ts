import { describe, expect, it } from '@jest/globals';
import { concat, from, NEVER, of, Subject } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { InformerError } from '../../../src/api/errors/informerError.js';
import type { ResourceEvent, SourceEvent } from '../../../src/api/events.js';
import { createIndexer } from '../../../src/cache/store/createIndexer.js';
import type { Store } from '../../../src/cache/store/store.js';
import { scanToIndex } from '../../../src/delta/index/cache.js';
import type { ScanToIndexOptions } from '../../../src/delta/index/cache.js';
import { flattenChanges } from '../share/flattenChanges.js';
import { added, bookmark, brief, deleted, init, list, modified, page, type Pod, pod, ready } from '../pods.js';

const createTestScheduler = () => new TestScheduler((actual, expected) => expect(actual).toEqual(expected));

/** Plays source events into a store and collects what comes out, in brief. */
function play(events: readonly SourceEvent<Pod>[], options: ScanToIndexOptions<Pod> & { store?: Store<Pod> } = {}) {
  const { store = createIndexer<Pod>(), ...rest } = options;
  const source = new Subject<SourceEvent<Pod>>();
  const raw: ResourceEvent<Pod>[] = [];
  const seen: string[] = [];
  const errors: InformerError[] = [];
  const subscription = source
    .pipe(scanToIndex(store, { onError: (error) => errors.push(error), ...rest }), flattenChanges())
    .subscribe((event) => {
      raw.push(event);
      seen.push(brief(event));
    });
  const send = (...more: readonly SourceEvent<Pod>[]): string[] => {
    const from = seen.length;
    for (const event of more) source.next(event);
    return seen.slice(from);
  };
  send(...events);
  return { store, seen, raw, errors, send, subscription };
}

const a1 = pod('a', '1');
const b2 = pod('b', '2');
const c3 = pod('c', '3');

describe('scanToIndex', () => {
  it('shows nothing before the first list is complete (AF-01)', () => {
    const { seen, store, send } = play([init(), page([a1]), added(b2), page([c3]), deleted(pod('a', '4'))]);
    expect(seen).toEqual([]);
    expect(store.list()).toEqual([]);
    expect(send(ready('5'))).toEqual(['+default/b@2 initial', '+default/c@3 initial', 'synced@5']);
    expect(store.listKeys().sort()).toEqual(['default/b', 'default/c']);
    expect(store.lastStoreSyncResourceVersion()).toBe('5');
  });

  it('takes the cached version for no change when a watch sends it again', () => {
    const { seen, send } = play(list('5', [a1]));
    seen.length = 0;
    expect(send(added(pod('a', '1')), modified(pod('a', '1', { value: 'other' })))).toEqual([]);
    expect(send(modified(pod('a', '2')), modified(pod('a', '2')))).toEqual(['~default/a@2<1']);
    expect(send(added(pod('a', '2', { uid: 'new' })))).toHaveLength(2);
  });

  it('refuses what is no store, and options that it does not have', () => {
    expect(() => scanToIndex({} as never)).toThrow(/^Expected the store of `scanToIndex` to be /);
    expect(() => scanToIndex(createIndexer<Pod>(), { tranform: () => 0 } as never)).toThrow(
      'Unknown option `tranform` of `scanToIndex`; did you mean `transform`?',
    );
    expect(() => scanToIndex(createIndexer(), { scopes: ['n', 'm'].values() })).toThrow(
      'Expected `scopes` of `scanToIndex` to be iterable more than once, as a list or a Set is, got an object',
    );
  });

  it('leaves out in silence what has no key, where nobody is to be told', () => {
    const store = createIndexer<Pod>();
    const nameless = { metadata: {} } as Pod;
    const versions: string[] = [];
    const events = [...list('7', [nameless, a1]), added(nameless), bookmark('9')];
    from(events)
      .pipe(scanToIndex(store))
      .subscribe(({ resourceVersion = 'none' }) => versions.push(resourceVersion));
    expect([versions, store.listKeys(), store.lastStoreSyncResourceVersion()]).toEqual([['7'], ['default/a'], '9']);
  });

  it('is synced after an empty list, once that has been published (AF-05)', () => {
    const { raw, store } = play(list('7', []));
    expect(raw).toEqual([{ type: 'synced', resourceVersion: '7', previousResourceVersion: '' }]);
    expect(store.lastStoreSyncResourceVersion()).toBe('7');
  });

  it('publishes a later list as one replacement, then tells deletes, then the rest in list order (AF-02, AF-03)', () => {
    const store = createIndexer<Pod>();
    const source = new Subject<SourceEvent<Pod>>();
    const seen: [string, string[]][] = [];
    source.pipe(scanToIndex(store), flattenChanges()).subscribe((event) => seen.push([brief(event), store.listKeys().sort()]));
    for (const event of list('3', [a1, b2, c3])) source.next(event);
    seen.length = 0;
    for (const event of list('9', [pod('d', '8'), pod('b', '6')])) source.next(event);
    const keys = ['default/b', 'default/d'];
    expect(seen).toEqual([
      ['-default/a@1 finalStateUnknown inferred', keys],
      ['-default/c@3 finalStateUnknown inferred', keys],
      ['+default/d@8 inferred', keys],
      ['~default/b@6<2 inferred', keys],
      ['synced@9', keys],
    ]);
  });

  it('tells the last known object of a missed deletion (AF-04)', () => {
    const { raw } = play([...list('1', [a1]), ...list('2', [])]);
    expect(raw).toContainEqual({ type: 'deleted', key: 'default/a', object: a1, finalStateUnknown: true, inferred: true });
  });

  it('tells of boundaries which version they end and which they begin', () => {
    const { raw } = play([...list('1', [a1]), init('', '5'), page([a1]), ready('8')]);
    expect(raw.at(-1)).toEqual({ type: 'synced', resourceVersion: '8', previousResourceVersion: '5' });
  });

  it('keeps the last of two objects with one key in a list (AF-07)', () => {
    const { seen } = play(list('9', [a1, pod('a', '4')]));
    expect(seen).toEqual(['+default/a@4 initial', 'synced@9']);
  });

  it('abandons a half-received list when another begins', () => {
    const { send } = play([init(), page([a1, b2])]);
    expect(send(...list('9', [c3]))).toEqual(['+default/c@3 initial', 'synced@9']);
  });

  it('decides between added and updated by the content of the store (CT-06)', () => {
    const { send } = play(list('3', [a1]));
    expect(send(added(pod('a', '4')), modified(pod('b', '5')))).toEqual(['~default/a@4<1', '+default/b@5']);
  });

  it('changes the store before it tells (CT-09)', () => {
    const store = createIndexer<Pod>();
    const seen: (Pod | undefined)[] = [];
    from([...list('1', []), added(a1), deleted(pod('a', '5'))])
      .pipe(scanToIndex(store), flattenChanges())
      .subscribe((event) => {
        if (event.type !== 'synced') seen.push(store.getByKey(event.key));
      });
    expect(seen).toEqual([a1, undefined]);
  });

  it("tells a delete with the event's object (CT-08)", () => {
    const { raw, store, send } = play(list('1', [a1]));
    send(deleted(pod('a', '6')));
    expect(raw.at(-1)).toEqual({ type: 'deleted', key: 'default/a', object: pod('a', '6'), finalStateUnknown: false, inferred: false });
    expect(store.lastStoreSyncResourceVersion()).toBe('6');
  });

  it('does not show the delete of something that is not in the store, but takes its version (CT-07)', () => {
    const { store, send } = play(list('1', []));
    expect(send(deleted(pod('x', '9')))).toEqual([]);
    expect(store.lastStoreSyncResourceVersion()).toBe('9');
  });

  it('hands bookmarks to the store and shows none (AF-09)', () => {
    const { store, send } = play(list('1', [a1]));
    expect(send(bookmark('44'))).toEqual([]);
    expect(store.lastStoreSyncResourceVersion()).toBe('44');
  });

  it('lets status events pass by', () => {
    const { seen, send } = play([{ type: 'status', state: 'listing' }]);
    expect(send({ type: 'status', state: 'retrying', attempt: 1 })).toEqual([]);
    expect(seen).toEqual([]);
  });

  describe('with a list that brings the same versions', () => {
    it('tells nothing of them and keeps their objects', () => {
      const { store, send } = play(list('3', [a1, b2]));
      const kept = store.getByKey('default/a');
      expect(send(...list('9', [pod('a', '1'), pod('b', '2')]))).toEqual(['synced@9']);
      expect(store.getByKey('default/a')).toBe(kept);
    });

    it('tells nothing of them even if their contents differ, as long as the list is no older', () => {
      const { send } = play(list('3', [pod('a', '1', { value: 'x' })]));
      expect(send(...list('3', [pod('a', '1', { value: 'y' })]))).toEqual(['synced@3']);
    });

    it.each([
      ['older', '90', '100'],
      ['of versions without an order', 'h-1', 'h-2'],
    ])('compares contents when the list is %s', (_, next, seen) => {
      const { send } = play(list(seen, [pod('a', '1', { value: 'x' }), b2]));
      expect(send(...list(next, [pod('a', '1', { value: 'y' }), b2]))).toEqual(['~default/a@1<1 inferred', `synced@${next}`]);
    });

    it('takes the versions of watch events and bookmarks into account', () => {
      const { send } = play([...list('3', [pod('a', '1', { value: 'x' })]), bookmark('1000')]);
      expect(send(...list('999', [pod('a', '1', { value: 'y' })]))).toEqual(['~default/a@1<1 inferred', 'synced@999']);
    });

    it('tells objects without a version by their contents', () => {
      const bare = (value: string): Pod => ({ metadata: { namespace: 'default', name: 'a' }, value });
      const { send } = play(list('3', [bare('x')]));
      expect(send(...list('4', [bare('x')]))).toEqual(['synced@4']);
      expect(send(...list('5', [bare('y')]))).toEqual(['~default/a@<  inferred'.replace('  ', ' '), 'synced@5']);
    });
  });

  describe('with another uid under a known name', () => {
    const successor = pod('a', '8', { uid: 'other' });

    it('tells a missed deletion and an addition in a list (SI-25)', () => {
      const { send, store } = play(list('3', [a1, b2]));
      expect(send(...list('9', [pod('b', '5'), successor]))).toEqual([
        '-default/a@1 finalStateUnknown inferred',
        '~default/b@5<2 inferred',
        '+default/a@8 inferred',
        'synced@9',
      ]);
      expect(store.getByKey('default/a')).toEqual(successor);
    });

    it('tells both after the change of the store on the watch (KF-08)', () => {
      const store = createIndexer<Pod>();
      const seen: [string, string | undefined][] = [];
      from([...list('3', [a1]), modified(successor)])
        .pipe(scanToIndex(store), flattenChanges())
        .subscribe((event) => seen.push([brief(event), store.getByKey('default/a')?.metadata.uid]));
      expect(seen.slice(2)).toEqual([
        ['-default/a@1 finalStateUnknown inferred', 'other'],
        ['+default/a@8', 'other'],
      ]);
    });
  });

  describe('with several scopes', () => {
    const inN = (name: string, resourceVersion: string) => pod(name, resourceVersion, { namespace: 'n' });
    const inM = (name: string, resourceVersion: string) => pod(name, resourceVersion, { namespace: 'm' });

    it('is synced when every declared scope is complete', () => {
      const { send } = play([], { scopes: ['n', 'm'] });
      expect(send(...list('3', [inN('a', '1')], 'n'))).toEqual(['+n/a@1 initial']);
      expect(send(...list('4', [inM('a', '2')], 'm'))).toEqual(['+m/a@2 initial', 'synced@4']);
    });

    it.each([
      ['declared', { scopes: ['n', 'm'] }],
      ['as they come', {}],
    ])('lets the list of a scope delete only what that scope held, scopes %s', (_, options) => {
      const { send, store } = play([...list('3', [inN('a', '1'), inN('b', '1')], 'n'), ...list('4', [inM('a', '2')], 'm')], options);
      expect(send(added(inN('c', '5'), 'n'), deleted(inN('a', '6'), 'n'))).toEqual(['+n/c@5', '-n/a@6']);
      expect(send(...list('9', [inN('b', '1')], 'n'))).toEqual(['-n/c@5 finalStateUnknown inferred', 'synced@9']);
      expect(send(...list('9', [], 'm'))).toEqual(['-m/a@2 finalStateUnknown inferred', 'synced@9']);
      expect(store.listKeys()).toEqual(['n/b']);
    });

    it('keeps what another scope holds too', () => {
      const { send, store } = play([...list('3', [a1], 'x'), ...list('4', [a1], 'y')], { scopes: ['x', 'y'] });
      expect(send(deleted(pod('a', '5'), 'x'))).toEqual([]);
      expect(send(...list('6', [], 'x'))).toEqual(['synced@6']);
      expect(store.listKeys()).toEqual(['default/a']);
      expect(send(...list('7', [], 'y'))).toEqual(['-default/a@1 finalStateUnknown inferred', 'synced@7']);
    });

    it('does not let a list delete what another scope holds', () => {
      const { send, store } = play([...list('3', [a1, b2], 'x'), ...list('4', [a1], 'y')], { scopes: ['x', 'y'] });
      expect(send(...list('6', [], 'x'))).toEqual(['-default/b@2 finalStateUnknown inferred', 'synced@6']);
      expect(store.listKeys()).toEqual(['default/a']);
    });

    it('follows a live set of scopes: one that has left deletes what it held, one that enters adds', () => {
      const scopes = new Set(['n']);
      const { send } = play(list('3', [inN('a', '1')], 'n'), { scopes });
      scopes.add('m');
      expect(send(...list('4', [inM('b', '2')], 'm'))).toEqual(['+m/b@2 inferred', 'synced@4']);
      scopes.delete('n');
      expect(send(...list('', [], 'n'))).toEqual(['-n/a@1 finalStateUnknown inferred', 'synced@4']);
      expect(send(...list('8', [], 'm'))).toEqual(['-m/b@2 finalStateUnknown inferred', 'synced@8']);
    });

    it('keeps inherited objects until every scope has been heard', () => {
      const store = createIndexer<Pod>({ initialObjects: [inN('a', '1'), inM('a', '1'), inM('gone', '1')] });
      const { send } = play([], { scopes: ['n', 'm'], store });
      expect(send(...list('3', [inN('a', '1')], 'n'))).toEqual(['~n/a@1<1 inferred']);
      expect(send(...list('4', [inM('a', '2')], 'm'))).toEqual(['-m/gone@1 finalStateUnknown inferred', '~m/a@2<1 inferred', 'synced@4']);
    });
  });

  describe('with objects already in the store', () => {
    it('tells those present as updated and those gone as deleted (EX-03)', () => {
      const store = createIndexer<Pod>({ initialObjects: [a1, b2, c3] });
      const { seen } = play(list('9', [a1, pod('b', '5'), pod('d', '6')]), { store });
      expect(seen).toEqual([
        '-default/c@3 finalStateUnknown inferred',
        '~default/a@1<1 inferred',
        '~default/b@5<2 inferred',
        '+default/d@6 initial',
        'synced@9',
      ]);
    });

    it('tells only the difference when the subscribers know them', () => {
      const store = createIndexer<Pod>({ initialObjects: [a1, b2, c3] });
      const { seen } = play(list('9', [a1, pod('b', '5'), pod('d', '6')]), { store, known: true });
      expect(seen).toEqual(['-default/c@3 finalStateUnknown inferred', '~default/b@5<2 inferred', '+default/d@6 inferred', 'synced@9']);
    });
  });

  describe('with a store that is not of this package', () => {
    /** As little of a store as the interface allows, and it counts no revisions. */
    function plainStore(): Store<Pod> {
      let objects = new Map<string, Pod>();
      let version = '';
      const keyOf = ({ metadata }: Pod) => `${metadata.namespace}/${metadata.name}`;
      const put = (object: Pod) => {
        objects.set(keyOf(object), object);
      };
      return {
        add: put,
        update: put,
        delete: (object) => {
          objects.delete(keyOf(object));
        },
        replace: (all, resourceVersion) => {
          objects = new Map(all.map((object) => [keyOf(object), object]));
          version = resourceVersion;
        },
        list: () => [...objects.values()],
        listKeys: () => [...objects.keys()],
        get: (object) => objects.get(keyOf(object)),
        getByKey: (key) => objects.get(key),
        resync: () => undefined,
        lastStoreSyncResourceVersion: () => version,
        bookmark: (resourceVersion) => {
          version = resourceVersion;
        },
      };
    }

    it('keeps its version (ST-11)', () => {
      const store = plainStore();
      const { send } = play(list('3', [a1]), { store });
      send(modified(pod('a', '7')));
      expect(store.lastStoreSyncResourceVersion()).toBe('7');
    });
  });

  it('reports an object without a key and leaves it out (AF-06)', () => {
    const keyless = { metadata: { namespace: 'default' } } as unknown as Pod;
    const { seen, errors, send } = play(list('3', [a1, keyless, b2]));
    expect(seen).toEqual(['+default/a@1 initial', '+default/b@2 initial', 'synced@3']);
    expect(errors.map(({ code }) => code)).toEqual(['ERR_KEY']);
    expect(send(added(keyless))).toEqual([]);
    expect(errors).toHaveLength(2);
  });

  it('caches and tells an object whose index function fails, and reports it (IX-07)', () => {
    const store = createIndexer<Pod>({
      indexers: {
        broken: () => {
          throw new Error('no index today');
        },
      },
    });
    const { seen, errors, send } = play(list('3', [a1]), { store });
    expect(seen).toEqual(['+default/a@1 initial', 'synced@3']);
    expect(send(added(b2))).toEqual(['+default/b@2']);
    expect(store.listKeys().sort()).toEqual(['default/a', 'default/b']);
    expect(errors.map(({ code }) => code)).toEqual(['ERR_INDEX_FUNC', 'ERR_INDEX_FUNC']);
  });

  it('reports after the change that it belongs to', () => {
    const order: string[] = [];
    const keyless = { metadata: {} } as unknown as Pod;
    from(list('3', [keyless, a1]))
      .pipe(scanToIndex(createIndexer<Pod>(), { onError: ({ code }) => order.push(code) }), flattenChanges())
      .subscribe((event) => order.push(event.type));
    expect(order).toEqual(['ERR_KEY', 'added', 'synced']);
  });

  it.each([
    ["the error for which onError returns 'stop'", () => 'stop', 'ERR_KEY'],
    [
      'what onError throws',
      () => {
        throw new Error('worse');
      },
      'worse',
    ],
  ])('ends with %s', (_, onError, expected) => {
    const order: string[] = [];
    const keyless = { metadata: {} } as unknown as Pod;
    from([...list('3', [a1]), added(keyless), added(b2)])
      .pipe(scanToIndex(createIndexer<Pod>(), { onError }), flattenChanges())
      .subscribe({
        next: (event) => order.push(event.type),
        error: (error: unknown) => order.push(error instanceof InformerError ? error.code : (error as Error).message),
      });
    expect(order).toEqual(['added', 'synced', expected]);
  });

  it('freezes cached objects when told to, and shares what is unchanged', () => {
    const { store, send } = play([], { freeze: true });
    const first: Pod & { status: object } = { ...pod('a', '1'), status: { phase: 'Running' } };
    send(...list('1', [first]));
    send(modified({ ...pod('a', '2'), status: { phase: 'Running' } }));
    const now = store.getByKey('default/a') as Pod & { status: object };
    expect(now.metadata.resourceVersion).toBe('2');
    expect(now.status).toBe(first.status);
    expect(Object.isFrozen(now)).toBe(true);
  });

  it('does not tell the same version twice', () => {
    const { send } = play(list('3', [a1]));
    expect(send(modified(pod('a', '1')))).toEqual([]);
  });

  it('keeps two subscriptions apart', () => {
    const source = from([...list('3', [a1])]);
    const seen: string[] = [];
    source.pipe(scanToIndex(createIndexer<Pod>()), flattenChanges()).subscribe((event) => seen.push(brief(event)));
    const operator = scanToIndex<Pod>(createIndexer<Pod>());
    concat(of(init(), page([b2])), NEVER)
      .pipe(operator)
      .subscribe();
    source.pipe(operator, flattenChanges()).subscribe((event) => seen.push(brief(event)));
    expect(seen).toEqual(['+default/a@1 initial', 'synced@3', '+default/a@1 initial', 'synced@3']);
  });

  it('passes an error of its source through', () => {
    createTestScheduler().run(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot('  -i-p-r---#', { i: init(), p: page([a1]), r: ready('3') });
      const subs = '        ^--------!';
      const expected = '    -----(as)#';
      const shown: Record<string, ResourceEvent<Pod>> = {
        a: { type: 'added', key: 'default/a', object: a1, initial: true, inferred: false },
        s: { type: 'synced', resourceVersion: '3', previousResourceVersion: '' },
      };
      expectObservable(source.pipe(scanToIndex(createIndexer<Pod>()), flattenChanges())).toBe(expected, shown);
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });

  it('stops in the middle of a change when it is unsubscribed', () => {
    const source = new Subject<SourceEvent<Pod>>();
    const seen: string[] = [];
    const subscription = source.pipe(scanToIndex(createIndexer<Pod>()), flattenChanges()).subscribe((event) => {
      seen.push(brief(event));
      subscription.unsubscribe();
    });
    for (const event of list('3', [a1, b2])) source.next(event);
    expect(seen).toEqual(['+default/a@1 initial']);
    expect(source.observed).toBe(false);
  });
});
