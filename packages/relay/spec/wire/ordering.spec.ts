import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { jsonOf } from '../../src/wire/jsonOf.js';
import { ordering } from '../../src/wire/ordering.js';

const orderOf = (...values: readonly unknown[]): readonly unknown[] =>
  values
    .map((value) => ({ a: value }))
    .sort(ordering({ orderBy: 'a' }))
    .map(({ a }) => a);

describe('the order of a window', () => {
  it('has numbers by size, also those of lists, and what has no value in JSON last, in both directions', () => {
    expect(orderOf(10, 9, -1)).toEqual([-1, 9, 10]);
    expect(orderOf([10], [9, 5], [9])).toEqual([[9], [9, 5], [10]]);
    expect(orderOf('b', undefined, 'a', null, NaN)).toEqual(['a', 'b', undefined, null, NaN]);
    expect(orderOf('2026-02', new Date(0), '1999')).toEqual([new Date(0), '1999', '2026-02']);
    const descending = ordering({ orderBy: 'a', descending: true });
    expect([{ a: 9 }, {}, { a: 10 }].sort(descending)).toEqual([{ a: 10 }, { a: 9 }, {}]);
  });

  it('is that of the page, which has the values as JSON', () => {
    const values = [NaN, Infinity, -Infinity, 0, '1', 'b', true, new Date(5), new Date(NaN), new URL('https://b'), Symbol('s'), () => 1];
    const part = fc.oneof(fc.constantFrom<unknown>(...values), fc.array(fc.constantFrom<unknown>(...values), { maxLength: 2 }));
    fc.assert(
      fc.property(part, part, fc.boolean(), (x, y, descending) => {
        const compare = ordering({ orderBy: 'a', descending });
        const sent = ({ a }: { readonly a: unknown }): unknown => jsonOf({ a });
        expect(Math.sign(compare({ a: x }, { a: y }))).toBe(Math.sign(compare(sent({ a: x }), sent({ a: y }))));
      }),
    );
  });

  it('is one for any values, of several types, too', () => {
    const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(undefined, NaN, [1], ['1'], [[1]], 1, '1', '50%', true));
    const row = fc.oneof(fc.record({ a: value }), fc.array(fc.record({ a: value }), { maxLength: 2 }));
    fc.assert(
      fc.property(row, row, row, fc.boolean(), (x, y, z, descending) => {
        const compare = ordering({ orderBy: 'a', descending });
        const order = (a: unknown, b: unknown): number => Math.sign(compare(a, b)) || 0;
        expect([order(x, x), order(x, y)]).toEqual([0, 0 - order(y, x)]);
        const isInOrder = order(x, y) <= 0 && order(y, z) <= 0;
        expect(isInOrder ? order(x, z) : 0).toBe(isInOrder ? Math.min(order(x, y), order(y, z)) : 0);
      }),
    );
  });
});
