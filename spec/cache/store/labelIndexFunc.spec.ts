import { describe, expect, it } from '@jest/globals';

import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import { createIndexer } from '../../../src/cache/store/createIndexer.js';
import { labelIndexFunc } from '../../../src/cache/store/indexFuncs.js';

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
