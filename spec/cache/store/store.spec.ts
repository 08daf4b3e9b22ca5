import { describe, expect, it } from '@jest/globals';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import { createIndexer } from '../../../src/cache/store/createIndexer.js';
import { labelIndexFunc, keyNamespaceIndexFunc, metaNamespaceIndexFunc, namespaceIndex } from '../../../src/cache/store/indexFuncs.js';
import { ValueIndex } from '../../../src/cache/store/valueIndex.js';

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
    expect(() => labelIndexFunc(label as string)).toThrow('Expected `label` to be the name of a label');
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
    indexer.add(web);
    indexer.update(web);
    indexer.delete(db);
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
