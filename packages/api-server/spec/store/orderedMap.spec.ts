import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { rankOf, sizeOf, valueOf, valuesBetween, withEntry, withoutEntry, type OrderedMap } from '../../src/store/orderedMap.js';

const key = fc.stringMatching(/^[a-d/]{0,3}$/);
const operation = fc.record({ set: fc.boolean(), key, value: fc.nat() });
type Operation = { readonly set: boolean; readonly key: string; readonly value: number };

function apply(map: OrderedMap<number>, { set, key: at, value }: Operation): OrderedMap<number> {
  return set ? withEntry(map, at, value) : withoutEntry(map, at);
}

function modelAfter(operations: readonly Operation[]): readonly (readonly [string, number])[] {
  const model = new Map<string, number>();
  for (const { set, key: at, value } of operations) {
    if (set) model.set(at, value);
    else model.delete(at);
  }
  return [...model].sort(([a], [b]) => (a < b ? -1 : 1));
}

function depth(map: OrderedMap<unknown>): number {
  return map === undefined ? 0 : 1 + Math.max(depth(map.left), depth(map.right));
}

describe('an ordered map', () => {
  it('has the entries, the order and the ranks of a sorted map, after any changes', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 60 }), key, key, (operations, from, to) => {
        const map = operations.reduce<OrderedMap<number>>(apply, undefined);
        const model = modelAfter(operations);
        expect([...valuesBetween(map)]).toEqual(model.map(([, value]) => value));
        expect(sizeOf(map)).toBe(model.length);
        expect([...valuesBetween(map, from, to)]).toEqual(model.filter(([at]) => at >= from && at < to).map(([, value]) => value));
        expect(valueOf(map, from)).toBe(model.find(([at]) => at === from)?.[1]);
        expect(rankOf(map, from)).toBe(model.filter(([at]) => at < from).length);
      }),
    );
  });

  it('never changes a root that was taken before', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 30 }), fc.array(operation, { maxLength: 30 }), (before, after) => {
        const map = before.reduce<OrderedMap<number>>(apply, undefined);
        const values = [...valuesBetween(map)];
        after.reduce<OrderedMap<number>>(apply, map);
        expect([...valuesBetween(map)]).toEqual(values);
      }),
    );
  });

  it.each(['ascending', 'descending'])('stays flat with %s keys', (order) => {
    let map: OrderedMap<number>;
    for (let at = 0; at < 20_000; at += 1) map = withEntry(map, String(order === 'ascending' ? 100_000 + at : 200_000 - at), at);
    expect(depth(map)).toBeLessThan(30);
    for (let at = 0; at < 15_000; at += 1) map = withoutEntry(map, String(order === 'ascending' ? 100_000 + at : 200_000 - at));
    expect(depth(map)).toBeLessThan(27);
  });
});
