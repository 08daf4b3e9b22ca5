import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { orderMerged } from '../../src/write/mergeOrder.js';

const same = (item: string): string => item;

describe('orderMerged', () => {
  it.each([
    ['puts what is new first', ['c'], ['side'], ['side', 'c']],
    ['keeps what stood before an item before it', ['a', 'b', 'c'], ['b'], ['a', 'b', 'c']],
    ['follows the patch where the two disagree', ['a', 'b', 'c'], ['c', 'a'], ['b', 'c', 'a']],
  ])('%s (row 72)', (_, server, patch, result) => {
    expect(orderMerged([...new Set([...server, ...patch])], patch, server, same)).toEqual(result);
  });

  it('keeps every item, the order of the patch and that of all the others (row 72)', () => {
    const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'));
    fc.assert(
      fc.property(names, names, (server, patch) => {
        const merged = [...new Set([...server, ...patch])];
        const result = orderMerged(merged, patch, server, same);
        expect([...result].sort()).toEqual([...merged].sort());
        expect(result.filter((item) => patch.includes(item))).toEqual(patch);
        expect(result.filter((item) => !patch.includes(item))).toEqual(server.filter((item) => !patch.includes(item)));
      }),
    );
  });
});
