import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { applyEdits, differenceOf } from '../../src/wire/difference.js';
import { runs } from '../../../../spec/tier.js';

const name = fc.constantFrom('a', 'b', 'length', 'constructor', 'toString', '__proto__', '');
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(0, 1, 'a', '', null, true),
    fc.uniqueArray(fc.tuple(name, tie('value')), { selector: ([key]) => key, maxLength: 4 }).map((fields) => Object.fromEntries(fields)),
    fc.array(tie('value'), { maxLength: 4 }),
  ),
}));

describe('differenceOf', () => {
  it('leads from any JSON value to any other, whatever their keys', () => {
    fc.assert(
      fc.property(value, value, (before, after) => {
        const edits = JSON.parse(JSON.stringify(differenceOf(before, after))) as ReturnType<typeof differenceOf>;
        return isDeepStrictEqual(applyEdits(before, edits), after);
      }),
      { numRuns: runs(500) },
    );
  });

  it('removes a key that every object inherits', () => {
    expect(differenceOf({ data: { constructor: 'x', a: '1' } }, { data: { a: '1' } })).toEqual([[['data', 'constructor']]]);
  });
});
