import { describe, it } from '@jest/globals';
import { expectTypeOf } from 'expect-type';
import type { Collection, KubernetesObject, SharedInformer, V1Pod } from 'rx-informer';
import { fakeCollection } from '../../src/testing/fakeCollection.js';
import { mergeViews } from '../../src/mergeViews.js';
import { reduceObjects } from '../../src/reduceObjects.js';
import type { View } from '../../src/view.js';

describe('collections', () => {
  it('are collections of anything that their objects are, and of nothing else', () => {
    expectTypeOf<Collection<number>>().toExtend<Collection<unknown>>();
    expectTypeOf<View<V1Pod>>().toExtend<Collection<KubernetesObject>>();
    expectTypeOf<SharedInformer<V1Pod>>().toExtend<Collection<KubernetesObject | string>>();
    expectTypeOf<Collection<unknown>>().not.toExtend<Collection<number>>();
    expectTypeOf<Collection<string>>().not.toExtend<Collection<number>>();
    expectTypeOf(mergeViews<KubernetesObject>).toBeCallableWith([{} as SharedInformer<V1Pod>]);
  });

  it('do not take an empty array for one that nothing can be put into', () => {
    const pods = fakeCollection<V1Pod>([]);
    const annotated = reduceObjects(pods, {
      initial: [],
      add: (names: readonly string[], { metadata }) => [...names, metadata?.name ?? ''],
    });
    expectTypeOf(annotated).toEqualTypeOf<View<readonly string[]>>();
    const untold = reduceObjects(pods, { initial: [], add: (names, { metadata }) => [...names, metadata?.name ?? ''] });
    expectTypeOf(untold).toEqualTypeOf<View<readonly unknown[]>>();
    const mutable = reduceObjects(pods, { initial: [], add: (names: string[], { metadata }) => [...names, metadata?.name ?? ''] });
    expectTypeOf(mutable).toEqualTypeOf<View<string[]>>();
    interface Names {
      readonly names: readonly string[];
    }
    const add = (total: Names, { metadata }: V1Pod): Names => ({ names: [...total.names, metadata?.name ?? ''] });
    expectTypeOf(reduceObjects(pods, { initial: { names: [] }, add: (total: Names, pod) => add(total, pod) })).toEqualTypeOf<View<Names>>();
    expectTypeOf(reduceObjects(pods, { initial: 0, add: (count) => count + 1 })).toEqualTypeOf<View<number>>();
    expectTypeOf(reduceObjects(pods, { initial: [] as string[], add: (names) => names })).toEqualTypeOf<View<string[]>>();
  });
});
