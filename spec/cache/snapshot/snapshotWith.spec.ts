import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { emptySnapshot, type IndexSnapshot, type SnapshotChange, snapshotWith } from '../../../src/cache/snapshotWith.js';
import { runs } from '../../tier.js';

interface Item {
  readonly id: number;
}

function many(count: number, from = 0): SnapshotChange<Item>[] {
  return Array.from({ length: count }, (_, at): SnapshotChange<Item> => [`namespace-${at % 7}/pod-${from + at}`, { id: from + at }]);
}

function expectContent(snapshot: IndexSnapshot<Item>, expected: ReadonlyMap<string, Item>): void {
  expect(snapshot.size).toBe(expected.size);
  expect(new Map(snapshot)).toEqual(expected);
  expect(new Set(snapshot.keys())).toEqual(new Set(expected.keys()));
  expect(new Set(snapshot.values())).toEqual(new Set(expected.values()));
  for (const [key, object] of expected) {
    expect(snapshot.get(key)).toBe(object);
    expect(snapshot.has(key)).toBe(true);
  }
}

describe('emptySnapshot', () => {
  it('holds nothing', () => {
    const empty = emptySnapshot<Item>();
    expectContent(empty, new Map());
    expect([empty.resourceVersion, empty.has('a'), empty.get('a')]).toEqual(['', false, undefined]);
  });
});

describe('snapshotWith', () => {
  it('adds, replaces and removes, and leaves the snapshot before as it was', () => {
    const [first, second] = [{ id: 1 }, { id: 2 }];
    const one = snapshotWith(emptySnapshot<Item>(), [['a', first]], '1');
    const two = snapshotWith(
      one,
      [
        ['a', second],
        ['b', first],
      ],
      '2',
    );
    const three = snapshotWith(
      two,
      [
        ['a', undefined],
        ['c', undefined],
      ],
      '3',
    );
    expectContent(one, new Map([['a', first]]));
    expectContent(
      two,
      new Map([
        ['a', second],
        ['b', first],
      ]),
    );
    expectContent(three, new Map([['b', first]]));
    expect([one.resourceVersion, two.resourceVersion, three.resourceVersion]).toEqual(['1', '2', '3']);
    expectContent(emptySnapshot<Item>(), new Map());
  });

  it('is the same snapshot when nothing differs, and holds the same content under another version', () => {
    const item = { id: 1 };
    const one = snapshotWith(emptySnapshot<Item>(), [['a', item]], '1');
    expect(
      snapshotWith(
        one,
        [
          ['a', item],
          ['b', undefined],
        ],
        '1',
      ),
    ).toBe(one);
    expect(snapshotWith(one, [], '1')).toBe(one);
    const two = snapshotWith(one, [], '2');
    expect(two).not.toBe(one);
    expect([two.resourceVersion, one.resourceVersion]).toEqual(['2', '1']);
    expectContent(two, new Map([['a', item]]));
  });

  it('hands out the objects themselves, unfrozen and not copied', () => {
    const item = { id: 1, nested: { list: [1] } };
    const one = snapshotWith(emptySnapshot<typeof item>(), [['a', item]], '1');
    const two = snapshotWith(one, [['b', { id: 2, nested: { list: [] } }]], '2');
    expect(two.get('a')).toBe(item);
    expect(Object.isFrozen(item.nested)).toBe(false);
  });

  it('agrees with a Map, by single changes and by batches of any size, and keeps every snapshot before', () => {
    const key = fc.oneof(fc.constantFrom('a', 'b', '__proto__', 'constructor', ''), fc.nat(3000).map(String));
    const change = fc.tuple(
      key,
      fc.option(
        fc.nat().map((id) => ({ id })),
        { nil: undefined },
      ),
    );
    const batch = fc.oneof(
      { weight: 5, arbitrary: fc.array(change, { maxLength: 5 }) },
      { weight: 1, arbitrary: fc.array(change, { minLength: 1025, maxLength: 1500 }) },
    );
    fc.assert(
      fc.property(fc.array(batch, { maxLength: 8 }), (batches) => {
        const model = new Map<string, Item>();
        const history: [IndexSnapshot<Item>, Map<string, Item>][] = [];
        let snapshot = emptySnapshot<Item>();
        for (const [at, changes] of batches.entries()) {
          snapshot = snapshotWith(snapshot, changes, String(at));
          for (const [changed, object] of changes) {
            if (object === undefined) model.delete(changed);
            else model.set(changed, object);
          }
          history.push([snapshot, new Map(model)]);
        }
        for (const [kept, content] of history) expectContent(kept, content);
      }),
      { numRuns: runs(60) },
    );
  });

  it('takes a relist of thousands as one batch', () => {
    const before = snapshotWith(emptySnapshot<Item>(), many(5000), '1');
    const after = snapshotWith(before, [...many(2000, 5000), ...many(1000).map(([key]): SnapshotChange<Item> => [key, undefined])], '2');
    expect([before.size, after.size]).toEqual([5000, 6000]);
    expect(after.get('namespace-3/pod-1001')).toBe(before.get('namespace-3/pod-1001'));
    expect([before.has('namespace-0/pod-0'), after.has('namespace-0/pod-0')]).toEqual([true, false]);
  });

  it('refuses a snapshot of another make', () => {
    expect(() => snapshotWith(new Map() as unknown as IndexSnapshot<Item>, [], '1')).toThrow(
      new TypeError('Expected `snapshot` to be made by emptySnapshot or snapshotWith'),
    );
  });
});
