import { describe, expect, it, jest } from '@jest/globals';
import { type KubernetesObject, metaNamespaceKey } from '../../../src/api/kubernetesObject.js';
import { contentOf } from '../../../src/cache/store/content.js';
import { createUndeltaStore } from '../../../src/cache/store/createUndeltaStore.js';
import { IndexedStore } from '../../../src/cache/store/indexedStore.js';
import { createIndexer } from '../../../src/cache/store/createIndexer.js';
import { labelIndexFunc, keyNamespaceIndexFunc, metaNamespaceIndexFunc, namespaceIndex } from '../../../src/cache/store/indexFuncs.js';
import { ValueIndex } from '../../../src/cache/store/valueIndex.js';

function podOf(name: string): KubernetesObject {
  return { metadata: { name } };
}

function pushing(initialObjects: KubernetesObject[] = []) {
  const pushed: (string | undefined)[][] = [];
  const store = createUndeltaStore<KubernetesObject>((objects) => pushed.push(objects.map(({ metadata }) => metadata?.name)), {
    initialObjects,
  });
  return { store, pushed };
}

describe('createUndeltaStore', () => {
  it('pushes its content once after every write, also one without effect (UD-01)', () => {
    const { store, pushed } = pushing([podOf('a')]);
    expect(pushed).toEqual([]);
    store.add(podOf('b'));
    store.update(podOf('b'));
    store.delete(podOf('a'));
    store.delete(podOf('a'));
    store.replace([podOf('c'), podOf('d')], '1');
    store.transaction([
      { type: 'delete', object: podOf('c') },
      { type: 'add', object: podOf('e') },
    ]);
    expect(pushed).toEqual([['a', 'b'], ['a', 'b'], ['b'], ['b'], ['c', 'd'], ['d', 'e']]);
  });

  it('pushes nothing on reads and on writes that fail (UD-01)', () => {
    const { store, pushed } = pushing([podOf('a')]);
    store.list();
    store.listKeys();
    store.get(podOf('a'));
    store.getByKey('a');
    store.bookmark('1');
    store.resync();
    for (const write of [
      () => store.add({}),
      () => store.update({}),
      () => store.delete({}),
      () => store.replace([{}], '1'),
      () => store.transaction([{ type: 'add', object: {} }]),
    ]) {
      expect(write).toThrow();
    }
    expect(pushed).toEqual([]);
  });

  it('pushes what a transaction has changed although a step failed', () => {
    const { store, pushed } = pushing();
    expect(() =>
      store.transaction([
        { type: 'add', object: podOf('a') },
        { type: 'add', object: {} },
      ]),
    ).toThrow('1 of 2 steps');
    expect(pushed).toEqual([['a']]);
  });

  it('refuses a push that is no function', () => {
    expect(() => createUndeltaStore(undefined as never)).toThrow(new TypeError('Expected `push` to be a function, got undefined'));
  });
});

describe('labelIndexFunc', () => {
  it('files objects under the value of a label, those without it nowhere', () => {
    const indexer = createIndexer<KubernetesObject>({ indexers: { app: labelIndexFunc('app') } });
    indexer.replace(
      [
        { metadata: { name: 'a', labels: { app: 'web' } } },
        { metadata: { name: 'b', labels: { app: '' } } },
        { metadata: { name: 'c', labels: { tier: 'web' } } },
        { metadata: { name: 'd' } },
      ],
      '1',
    );
    expect(indexer.listIndexFuncValues('app')).toEqual(['web', '']);
    expect(indexer.indexKeys('app', '')).toEqual(['b']);
  });

  it('takes no label from the prototype', () => {
    expect(labelIndexFunc('constructor')({ metadata: { labels: {} } })).toEqual([]);
    expect(labelIndexFunc('__proto__')({ metadata: { labels: {} } })).toEqual([]);
    expect(labelIndexFunc('app')({})).toEqual([]);
  });

  it.each(['', undefined])('refuses %j for the name of a label', (label) => {
    expect(() => labelIndexFunc(label as string)).toThrow('Expected `label` of `labelIndexFunc` to be a non-empty string');
  });
});

describe('metaNamespaceIndexFunc', () => {
  it('files objects under their namespace, cluster-scoped ones under the empty one (IX-02)', () => {
    expect(namespaceIndex).toBe('namespace');
    expect(metaNamespaceIndexFunc({ metadata: { namespace: 'a' } })).toEqual(['a']);
    expect(metaNamespaceIndexFunc({ metadata: {} })).toEqual(['']);
  });

  it('fails for an object without metadata, which is then in no namespace (IX-02)', () => {
    expect(() => metaNamespaceIndexFunc({})).toThrow(new TypeError('The object has no metadata'));
    const indexer = createIndexer<object>({
      keyFunc: () => 'key',
      indexers: { [namespaceIndex]: metaNamespaceIndexFunc },
      onIndexError: () => undefined,
    });
    indexer.add({});
    expect(indexer.listIndexFuncValues(namespaceIndex)).toEqual([]);
  });
});

describe('keyNamespaceIndexFunc', () => {
  it('files an object under the namespace in its key, when it comes, changes, goes, comes again and is listed', () => {
    const of = (namespace: string, name: string, version = '1') => ({ metadata: { namespace, name, resourceVersion: version } });
    const indexer = createIndexer({ indexers: { [namespaceIndex]: keyNamespaceIndexFunc } });
    const found = () => ['a', 'b'].map((namespace) => indexer.byIndex(namespaceIndex, namespace));
    indexer.add(of('a', 'web'));
    const [web, db] = [of('a', 'web', '2'), of('b', 'db')];
    indexer.update(web);
    indexer.add(db);
    expect(found()).toEqual([[web], [db]]);
    indexer.delete(web);
    expect(found()).toEqual([[], [db]]);
    indexer.transaction([{ type: 'add', object: web }, { type: 'update', object: web }, { type: 'delete', object: db }]); // prettier-ignore
    expect(found()).toEqual([[web], []]);
    indexer.replace([db, of('b', 'cache')], '3');
    indexer.update(web);
    expect(found()).toEqual([[web], [db, of('b', 'cache')]]);
    const late = createIndexer<ReturnType<typeof of>>();
    late.add(of('b', 'late'));
    late.addIndexers({ [namespaceIndex]: keyNamespaceIndexFunc });
    late.update(of('b', 'late', '2'));
    expect(late.byIndex(namespaceIndex, 'b')).toEqual([of('b', 'late', '2')]);
  });

  const named = (at: number) => ({ metadata: { namespace: `n${at % 2}`, name: `a${at}` } });
  const many = Array.from({ length: 20_003 }, (_, at) => named(at));
  const staged = (store: IndexedStore<KubernetesObject>, whole: boolean, objects: readonly KubernetesObject[]): void => {
    const staging = contentOf(store).stage(whole);
    for (const object of objects) staging.put(metaNamespaceKey(object), object);
    staging.publish('1');
  };

  const written = (store: IndexedStore<KubernetesObject>, objects: readonly KubernetesObject[]): void => {
    for (const object of objects) contentOf(store).put(metaNamespaceKey(object), object);
  };

  it.each<[string, (store: IndexedStore<KubernetesObject>) => void]>([
    ['one list', (store) => staged(store, true, many)],
    ['lists of several scopes', (store) => [0, 7_000, 14_000].forEach((at) => staged(store, false, many.slice(at, at + 7_000)))],
    [
      'a list and many writes',
      (store) => {
        staged(store, true, many.slice(2_000));
        written(store, many.slice(0, 2_000));
      },
    ],
    ['writes alone', (store) => written(store, many)],
  ])('is made before it is read where there are many objects, from %s', (_, fill) => {
    const store = new IndexedStore<KubernetesObject>({ indexers: { [namespaceIndex]: keyNamespaceIndexFunc } });
    fill(store);
    store.addIndexers({ late: keyNamespaceIndexFunc });
    const filed = jest.spyOn(ValueIndex.prototype, 'file');
    const read = [namespaceIndex, 'late'].map((index) => ['n0', 'n1'].map((namespace) => store.indexKeys(index, namespace).length));
    const count = filed.mock.calls.length;
    filed.mockRestore();
    expect([read, count]).toEqual([
      [
        [10_002, 10_001],
        [10_002, 10_001],
      ],
      0,
    ]);
  });

  it('is complete after another index function has read it while an object was written or an index was added', () => {
    const of = (name: string) => ({ metadata: { namespace: 'a', name } });
    const seen: number[] = [];
    const counting = (): string[] => {
      seen.push(indexer.byIndex(namespaceIndex, 'a').length);
      return [];
    };
    const indexer = createIndexer<ReturnType<typeof of>>({ indexers: { [namespaceIndex]: keyNamespaceIndexFunc, counting } });
    indexer.add(of('web'));
    indexer.addIndexers({ again: counting });
    indexer.add(of('db'));
    expect(seen).toEqual([0, 1, 1, 1]);
    expect(indexer.byIndex(namespaceIndex, 'a')).toEqual([of('web'), of('db')]);
    expect(() => indexer.listIndexFuncValues('none')).not.toThrow();
  });
});

describe('ValueIndex', () => {
  it('counts and tells keys by value', () => {
    const index = new ValueIndex();
    index.file('a', ['x']);
    expect([index.count('x'), index.has('x', 'a'), index.has('x', 'b'), index.count('y')]).toEqual([1, true, false, 0]);
    index.file('b', ['x', 'y']);
    expect([index.count('x'), index.has('x', 'b'), index.has('x', 'c'), index.count('y')]).toEqual([2, true, false, 1]);
    expect([...index.keys('x')]).toEqual(['a', 'b']);
  });

  it('does not depend on the array of values that it was given', () => {
    const index = new ValueIndex();
    const values = ['x', 'y'];
    index.file('a', values);
    values.length = 0;
    index.unfile('a');
    expect(index.values()).toEqual([]);
  });

  it('files a key again under values that it had before', () => {
    const index = new ValueIndex();
    index.file('a', ['x']);
    index.file('a', []);
    expect(index.values()).toEqual([]);
    index.file('a', ['x']);
    expect([...index.keys('x')]).toEqual(['a']);
  });

  it('files a key under exactly the values that it has, whatever it had before', () => {
    const subsets = [[], ['x'], ['y'], ['x', 'y'], ['y', 'x'], ['x', 'z'], ['z', 'y'], ['x', 'y', 'z'], ['x', 'x'], ['x', 'y', 'y']];
    for (const before of subsets) {
      for (const after of subsets) {
        const index = new ValueIndex();
        index.file('other', ['x', 'y', 'z']);
        index.file('a', before);
        index.file('a', after);
        expect(['x', 'y', 'z'].filter((value) => index.has(value, 'a'))).toEqual([...new Set(after)].sort());
        expect([...index.valuesOf('a')].sort()).toEqual([...new Set(after)].sort());
        expect(['x', 'y', 'z'].map((value) => index.keys(value).includes('a'))).toEqual(
          ['x', 'y', 'z'].map((value) => after.includes(value)),
        );
      }
    }
  });

  it('forgets nothing of others when an unknown key is removed', () => {
    const index = new ValueIndex();
    index.file('a', ['x']);
    index.unfile('b');
    expect(index.values()).toEqual(['x']);
  });
});
