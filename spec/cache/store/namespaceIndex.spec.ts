import { describe, expect, it } from '@jest/globals';

import { createIndexer } from '../../../src/cache/store/createIndexer.js';
import { keyNamespaceIndexFunc, metaNamespaceIndexFunc, namespaceIndex } from '../../../src/cache/store/indexFuncs.js';

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
});
