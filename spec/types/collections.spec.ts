import { describe, it } from '@jest/globals';
import { expectTypeOf } from 'expect-type';
import type { V1Pod } from '../../src/api/kubernetes/coreV1.js';
import type { KubernetesObject } from '../../src/api/kubernetesObject.js';
import type { Collection } from '../../src/informer/collection.js';
import type { SharedInformer } from '../../src/informer/sharedInformer.js';
import { mergeViews } from '../../src/views/mergeViews.js';
import type { View } from '../../src/views/view.js';

describe('collections', () => {
  it('are collections of anything that their objects are, and of nothing else', () => {
    expectTypeOf<Collection<number>>().toExtend<Collection<unknown>>();
    expectTypeOf<View<V1Pod>>().toExtend<Collection<KubernetesObject>>();
    expectTypeOf<SharedInformer<V1Pod>>().toExtend<Collection<KubernetesObject | string>>();
    expectTypeOf<Collection<unknown>>().not.toExtend<Collection<number>>();
    expectTypeOf<Collection<string>>().not.toExtend<Collection<number>>();
    expectTypeOf(mergeViews<KubernetesObject>).toBeCallableWith([{} as SharedInformer<V1Pod>]);
  });
});
