import { describe, it } from '@jest/globals';
import { expectTypeOf } from 'expect-type';
import type { V1Pod } from '../../src/api/kubernetes/coreV1.js';
import { resources } from '../../src/api/resources.js';
import { ownerUidIndexFunc } from '../../src/cache/store/indexFuncs.js';
import { createInformer } from '../../src/informer/createInformer.js';
import type { InformerClient } from '../../src/informer/parts/part.js';
import type { SharedInformer } from '../../src/informer/sharedInformer.js';

describe('the indexers of an informer', () => {
  it('do not change what its objects are, however little they ask of them', () => {
    const make = (client: InformerClient) => createInformer(client, resources.core.v1.pods, { indexers: { owner: ownerUidIndexFunc } });
    expectTypeOf(make).returns.toEqualTypeOf<SharedInformer<V1Pod>>();
  });
});
