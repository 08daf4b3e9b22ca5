import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { createIndexer } from '../../../src/cache/store/createIndexer.js';
import type { IndexFunc } from '../../../src/cache/store/store.js';
import { runs } from '../../tier.js';

interface Item {
  readonly name: string;
  readonly tags: readonly string[];
  /** The indexes whose functions throw at this object. */
  readonly poison: readonly string[];
}

const indexNames = ['i0', 'i1', 'i2', '__proto__'];

/** Each index computes its own values from the tags, and throws for objects with its poison. */
function indexFuncOf(indexName: string): IndexFunc<Item> {
  return ({ tags, poison }) => {
    if (poison.includes(indexName)) throw new Error(indexName);
    return indexName === 'i0' ? tags : tags.slice(0, 1).map((tag) => tag + indexName);
  };
}

/** A naive model of the indexer: everything is computed on request. */
class Model {
  readonly objects = new Map<string, Item>();
  readonly indexNames = new Set<string>();

  valuesOf(indexName: string, item: Item): readonly string[] {
    try {
      return indexFuncOf(indexName)(item, item.name);
    } catch {
      return [];
    }
  }

  keysOf(indexName: string, value: string): string[] {
    return [...this.objects]
      .filter(([, item]) => this.valuesOf(indexName, item).includes(value))
      .map(([key]) => key)
      .sort();
  }

  values(indexName: string): string[] {
    return [...new Set([...this.objects.values()].flatMap((item) => this.valuesOf(indexName, item)))].sort();
  }
}

type Operation =
  | { readonly type: 'add' | 'update' | 'delete'; readonly item: Item }
  | { readonly type: 'replace'; readonly items: readonly Item[]; readonly keyless: boolean }
  | { readonly type: 'transaction'; readonly steps: readonly { readonly type: 'add' | 'update' | 'delete'; readonly object: Item }[] }
  | { readonly type: 'addIndexers'; readonly names: readonly string[] }
  | { readonly type: 'removeIndexers' };

const item = fc.record({
  name: fc.constantFrom('a', 'b', 'c', 'd', 'e', ''),
  tags: fc.array(fc.constantFrom('x', 'y', 'z', 'constructor'), { maxLength: 3 }),
  poison: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.subarray(indexNames) }),
});
const write = fc.constantFrom('add' as const, 'update' as const, 'delete' as const);

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ type: write, item }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('replace' as const), items: fc.array(item, { maxLength: 8 }), keyless: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('transaction' as const),
      steps: fc.array(fc.record({ type: write, object: item }), { maxLength: 6 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('addIndexers' as const), names: fc.subarray(indexNames) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('removeIndexers' as const) }) },
);

function createPair() {
  const model = new Model();
  const indexer = createIndexer<Item>({
    keyFunc: ({ name }) => {
      if (name === '') throw new Error('no name');
      return name;
    },
    onIndexError: () => undefined,
  });
  const removals: (() => void)[] = [];
  const put = (type: 'add' | 'update' | 'delete', object: Item): void => {
    if (object.name === '') return;
    if (type === 'delete') model.objects.delete(object.name);
    else model.objects.set(object.name, object);
  };
  const run = (step: Operation): void => {
    switch (step.type) {
      case 'add':
      case 'update':
      case 'delete':
        put(step.type, step.item);
        if (step.item.name === '') expect(() => indexer[step.type](step.item)).toThrow('no name');
        else indexer[step.type](step.item);
        return;
      case 'replace': {
        const items = step.items.filter(({ name }) => step.keyless || name !== '');
        if (items.some(({ name }) => name === '')) {
          expect(() => indexer.replace(items, '1')).toThrow('no name');
          return;
        }
        model.objects.clear();
        for (const object of items) put('add', object);
        indexer.replace(items, '1');
        return;
      }
      case 'transaction':
        for (const { type, object } of step.steps) put(type, object);
        if (step.steps.some(({ object }) => object.name === '')) expect(() => indexer.transaction(step.steps)).toThrow('no name');
        else indexer.transaction(step.steps);
        return;
      case 'addIndexers': {
        const indexers = Object.fromEntries(step.names.map((name) => [name, indexFuncOf(name)]));
        if (step.names.some((name) => model.indexNames.has(name))) {
          expect(() => indexer.addIndexers(indexers)).toThrow('already in use');
          return;
        }
        for (const name of step.names) model.indexNames.add(name);
        const remove = indexer.addIndexers(indexers);
        removals.push(() => {
          for (const name of step.names) model.indexNames.delete(name);
          remove();
        });
        return;
      }
      case 'removeIndexers':
        removals.shift()?.();
    }
  };
  return { model, indexer, run };
}

function expectEqual({ model, indexer }: ReturnType<typeof createPair>): void {
  expect(new Map(indexer.listKeys().map((key) => [key, indexer.getByKey(key)]))).toEqual(model.objects);
  expect(new Set(Object.keys(indexer.getIndexers()))).toEqual(model.indexNames);
  for (const indexName of model.indexNames) {
    const values = model.values(indexName);
    expect(indexer.listIndexFuncValues(indexName).sort()).toEqual(values);
    for (const value of [...values, 'nobody']) {
      const keys = model.keysOf(indexName, value);
      expect(indexer.indexKeys(indexName, value)).toEqual(keys);
      expect(new Set(indexer.byIndex(indexName, value))).toEqual(new Set(keys.map((key) => model.objects.get(key))));
    }
  }
  expectIntersections(model, indexer);
}

function expectIntersections(model: Model, indexer: ReturnType<typeof createPair>['indexer']): void {
  const [first, second] = [...model.indexNames];
  if (first === undefined || second === undefined) return;
  for (const a of model.values(first)) {
    for (const b of model.values(second)) {
      const keys = model.keysOf(first, a).filter((key) => model.keysOf(second, b).includes(key));
      const found = indexer.byIndexes(
        Object.fromEntries([
          [first, a],
          [second, b],
        ]),
      );
      expect(found.map(({ name }) => name).sort()).toEqual(keys);
    }
  }
}

describe('createIndexer against a model', () => {
  it('agrees after every one of any operations, with index functions that throw', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 40 }), (operations) => {
        const pair = createPair();
        for (const step of operations) {
          pair.run(step);
          expectEqual(pair);
        }
      }),
      { numRuns: runs(2_000) },
    );
  });
});
