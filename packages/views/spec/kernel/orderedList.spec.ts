import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { derive } from '../../src/derive.js';
import { groupObjects } from '../../src/groupObjects.js';
import { collectionOf } from '../../src/collectionOf.js';
import { OrderedList } from '../../src/kernel/orderedList.js';
import { fakeCollection } from '../../src/testing/fakeCollection.js';

interface Item {
  readonly metadata: { readonly name: string };
  readonly n: number;
}
const item = (at: number, n: number): Item => ({ metadata: { name: `item-${String(at).padStart(6, '0')}` }, n });

describe('OrderedList', () => {
  it('has what a sorted map has, and what was handed out stays as it was (property)', () => {
    const change = fc.record({ key: fc.nat(3_000), isDeleted: fc.boolean() });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_500 }), fc.array(change, { maxLength: 400 }), (size, changes) => {
        const list = new OrderedList<number>();
        const model = new Map<string, number>();
        const keyOf = (at: number): string => `k${(at * 7919) % 3_001}`;
        for (let at = 0; at < size; at += 1) if (!model.has(keyOf(at))) list.add(keyOf(at), at);
        for (let at = 0; at < size; at += 1) if (!model.has(keyOf(at))) model.set(keyOf(at), at);
        const sorted = (): [string, number][] => [...model].sort(([a], [b]) => (a < b ? -1 : 1));
        const handedOut: { readonly expected: number[]; readonly actual: () => readonly number[] }[] = [];
        for (const [at, { key, isDeleted }] of changes.entries()) {
          if (at % 50 === 0) handedOut.push({ expected: sorted().map(([, value]) => value), actual: list.handOut() });
          if (isDeleted) {
            list.delete(keyOf(key));
            model.delete(keyOf(key));
          } else {
            list.set(keyOf(key), -at);
            model.set(keyOf(key), -at);
          }
        }
        expect([list.size, list.keys(), list.array()]).toEqual([
          model.size,
          sorted().map(([key]) => key),
          sorted().map(([, value]) => value),
        ]);
        for (const { expected, actual } of handedOut) expect(actual()).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });

  const uses: Readonly<Record<string, (array: readonly number[]) => unknown>> = {
    length: (array) => array.length,
    some: (array) => array.some((value) => value === 1_500),
    every: (array) => array.every((value) => value < 1_500),
    find: (array) => [array.find((value) => value > 1_400), array.find((value) => value < 0)],
    filter: (array) => array.filter((value, at) => value % 7 === 0 && at > 5),
    map: (array) => array.map((value, at) => value * at),
    forEach: (array) => {
      let sum = 0;
      array.forEach((value) => (sum += value));
      return sum;
    },
    reduce: (array) => [array.reduce((sum, value) => sum + value), array.reduce((text, value) => `${text}${value}`, '').length],
    slice: (array) => [array.slice(0, 3), array.slice(2), array.slice(-2), array.slice(5, -1_490), array.slice()],
    part: (array) => array.slice(0, array.length / 400),
    at: (array) => [array.at(0), array.at(-1), array.at(1_499), array.at(1_500), array[0], array[700], array[-1], array[9_999]],
    spread: (array) => [...array],
    destructuring: ([first, second, ...others]) => [first, second, others.length],
    json: (array) => JSON.stringify(array),
    concat: (array) => ([] as number[]).concat(array, [1]),
    loop: (array) => {
      let sum = 0;
      for (let at = 0; at < array.length; at += 1) sum += array[at] as number;
      return sum;
    },
    entries: (array) => [...array.entries()],
    includes: (array) => [array.includes(3), array.indexOf(3), array.lastIndexOf(3), array.join('-')],
    sort: (array) => (array as number[]).sort((a, b) => b - a),
    push: (array) => (array as number[]).push(1) + array.length,
    itself: (array) => array,
    within: (array) => ({ list: { array }, others: [array] }),
    clone: (array) => structuredClone({ array: array.map((value) => value) }),
    keys: (array) => [Object.keys(array), Object.entries(array), Object.values(array), Reflect.ownKeys(array)],
    ownElements: (array) => [Object.hasOwn(array, 7), Object.hasOwn(array, 1_500), Object.getOwnPropertyDescriptor(array, 7)],
    forIn: (array) => {
      const places: string[] = [];
      for (const at in array as object) places.push(at);
      return places;
    },
    copies: (array) => [structuredClone(array), Object.assign([], array), { ...(array as object) }],
    freeze: (array) => [Object.freeze(array).length, Object.isFrozen(array), array[1_499]],
    kind: (array) => [
      Array.isArray(array),
      array instanceof Array,
      Array.from(array).length,
      0 in array,
      Object.getPrototypeOf(array.concat()) === Array.prototype,
    ],
  };

  const plain = Array.from({ length: 1_500 }, (_, at) => at);
  const numbers = collectionOf(plain, { key: (at) => String(at).padStart(5, '0') });
  const groups = groupObjects(numbers, () => 'all');
  const changing = ['sort', 'push'];

  it.each(Object.keys(uses))('hands out arrays that are like any other: %s', (name) => {
    const use = uses[name] as (array: readonly number[]) => unknown;
    const asked = fakeCollection([item(1, 1)]);
    const views = [
      derive(asked, (_, read) => ({ value: use(read(numbers)) }), { freeze: false }),
      derive(groups, ({ objects }) => ({ value: use(changing.includes(name) ? [...objects] : objects) }), { freeze: false }),
    ];
    for (const view of views) {
      view.start();
      const [made] = view.indexer.list();
      expect(made).toEqual({ value: use(plain.slice()) });
      // Also to those who look at own elements alone.
      expect(structuredClone(made)).toEqual({ value: use(plain.slice()) });
    }
    const again = derive(asked, (_, read) => read(numbers).at(0));
    again.start();
    // What one has changed is its own.
    expect(again.indexer.list()).toEqual([0]);
    for (const view of [...views, again]) void view.stop();
  });

  it('repeats a call that needs whole arrays, once for each view, and leaves nothing of it behind', () => {
    const items = fakeCollection(plain.map((at) => item(at, 1)));
    const asked = fakeCollection([item(1, 1)]);
    let [calls, looks] = [0, 0];
    const filter = ({ n }: Item): boolean => ((looks += 1), n > 1);
    items.change$.subscribe();
    const view = derive(asked, (_, read) => {
      calls += 1;
      return [read(items, { filter }).length, structuredClone(read(items)).length];
    });
    view.start();
    // Connected, computed, and repeated.
    expect(calls).toBe(3);
    looks = 0;
    items.put(item(1, 2));
    expect([view.indexer.list(), calls]).toEqual([[[1, 1_500]], 4]);
    // One for the change, and one for each object when all are read again.
    expect(looks).toBe(1_501);
  });
});

describe('a function that asks for a count over 20,000', () => {
  it('looks at none of them, in a collection or in a group', () => {
    let looks = 0;
    const items = Array.from({ length: 20_000 }, (_, at) => item(at, 0));
    const watched = (at: number, n: number): Item => {
      const object = { metadata: { name: item(at, 0).metadata.name } };
      return Object.defineProperty(object, 'n', { enumerable: true, get: () => ((looks += 1), n) }) as Item;
    };
    const all = fakeCollection(
      items.map((_, at) => watched(at, 0)),
      { name: 'all' },
    );
    const one = fakeCollection([item(1, 1)], { name: 'one' });
    const options = { sliceSize: Infinity, freeze: false };
    const counts = derive(
      one,
      (_, read) => ({
        count: read(all).length,
        first: read(all).slice(0, 2).length,
        any: read(all).some(({ metadata }) => metadata.name !== ''),
      }),
      options,
    );
    const groups = derive(
      groupObjects(all, () => 'group', options),
      ({ objects }) => objects.length,
      options,
    );
    counts.change$.subscribe();
    groups.change$.subscribe();
    looks = 0;
    for (let at = 0; at < 100; at += 1) all.put(watched(at, at));
    all.put(watched(20_001, 0));
    expect([counts.indexer.list(), groups.indexer.list()]).toEqual([[{ count: 20_001, first: 2, any: true }], [20_001]]);
    // Two for each object that is compared with the previous one.
    expect(looks).toBeLessThan(1_000);
  });
});
