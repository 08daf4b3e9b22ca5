import { describe, expect, it } from '@jest/globals';

import type { KubernetesObject, OwnerReference } from '../../../src/api/kubernetesObject.js';
import { createIndexer } from '../../../src/cache/store/createIndexer.js';
import { ownerUidIndexFunc } from '../../../src/cache/store/indexFuncs.js';

function podOf(name: string, ...uids: string[]): KubernetesObject {
  const ownerReferences = uids.map((uid): OwnerReference => ({ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'owner', uid }));
  return { metadata: { name, ownerReferences } };
}

describe('ownerUidIndexFunc', () => {
  it('finds the dependents of an owner, whether it is their controller or not', () => {
    const indexer = createIndexer<KubernetesObject>({
      indexers: { owner: ownerUidIndexFunc },
      initialObjects: [podOf('a', '1'), podOf('b', '1', '2'), podOf('c'), { metadata: { name: 'd' } }],
    });
    expect(indexer.indexKeys('owner', '1')).toEqual(['a', 'b']);
    expect(indexer.indexKeys('owner', '2')).toEqual(['b']);
    expect(ownerUidIndexFunc({})).toEqual([]);
  });
});
