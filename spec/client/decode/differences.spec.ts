import { describe, expect, it } from '@jest/globals';
import { Differences, leftOut } from '../../../src/client/decode/differences.js';

/** What has been added, one by one. */
function listed({ count, values, starts, ends, shifts }: Differences): readonly (readonly (number | undefined)[])[] {
  return Array.from({ length: count }, (_, at) => [values[at], starts[at], ends[at], shifts[at]]);
}

describe('Differences', () => {
  it('keeps what is added, however much it is', () => {
    const differences = new Differences();
    const rows = Array.from({ length: 1_000 }, (_, at) => [at, 10 * at, 10 * at + 3, at - 500]);
    for (const [value = 0, start = 0, end = 0, shift = 0] of rows) differences.add(value, start, end, shift);
    expect(listed(differences)).toEqual(rows);
    expect(differences.bytes).toBe(3_000);
  });

  it('counts the bytes of values, and none of what is left out', () => {
    const differences = new Differences();
    differences.add(1, 10, 14, 0);
    differences.add(leftOut, 20, 120, 100);
    expect([differences.count, differences.bytes]).toEqual([2, 4]);
    differences.clear();
    expect([differences.count, differences.bytes]).toEqual([0, 0]);
  });
});
