import { describe, expect, it } from '@jest/globals';

import { createIndexer } from '../../../src/cache/store/createIndexer.js';
import { metaNamespaceIndexFunc, namespaceIndex } from '../../../src/cache/store/indexFuncs.js';

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
