import { describe, expect, it } from '@jest/globals';
import { derive } from '../../src/derive.js';
import { deriveMany } from '../../src/deriveMany.js';
import { groupObjects } from '../../src/groupObjects.js';
import { trackNeeds, untyped } from '../../src/kernel/viewPort.js';
import { mergeClusters } from '../../src/mergeClusters.js';
import { mergeViews } from '../../src/mergeViews.js';
import { objectsByIndex } from '../../src/objectsByIndex.js';
import { reduceObjects } from '../../src/reduceObjects.js';
import { fakeCollection } from '../../src/testing/fakeCollection.js';
import { topObjects } from '../../src/topObjects.js';
import type { View } from '../../src/view.js';
import { type Item, item } from '../items.js';

type Items = ReturnType<typeof fakeCollection<Item>>;

const nameOf = ({ metadata }: Item): string => metadata.name;
const views: Readonly<Record<string, (items: Items) => View<unknown>>> = {
  derive: (items) => derive(items, ({ n }) => n),
  deriveMany: (items) => deriveMany(items, (object) => [nameOf(object), `${nameOf(object)}, too`], { key: (value) => value }),
  groupObjects: (items) => groupObjects(items, nameOf),
  mergeClusters: (items) => mergeClusters(new Map([['east', items]])),
  mergeViews: (items) => mergeViews([items, fakeCollection<Item>([])]),
  objectsByIndex: (items) => objectsByIndex(items, 'all', 'all'),
  reduceObjects: (items) => reduceObjects(items, { initial: 0, add: (total) => total + 1, groupBy: nameOf }),
  topObjects: (items) => topObjects(items, (a, b) => a.n - b.n),
  window: (items) => topObjects(items, (a, b) => a.n - b.n).window({ limit: 9 }),
};

describe('what the values of a view need', () => {
  it.each(Object.keys(views))('goes with their objects, whose names need not come again: %s', (kind) => {
    const items = fakeCollection([item('stays', 1)], { indexers: { all: () => ['all'] } });
    const view = (views[kind] as (items: Items) => View<unknown>)(items);
    trackNeeds(untyped(view));
    view.start();
    for (let at = 0; at < 20; at += 1) {
      items.put(item(`i${at}`, at));
      items.put(item(`i${at}`, -at));
      items.remove(`i${at}`);
    }
    const needs = Reflect.get(view, 'needs') as Readonly<Record<'used' | 'byKey', ReadonlyMap<string, unknown>>>;
    expect([needs.used.size, needs.byKey.size]).toEqual([1, view.indexer.listKeys().length]);
  });
});
