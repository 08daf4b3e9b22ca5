import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { endOfObject } from '../../../src/client/decode/endOfObject.js';

const utf8 = new TextEncoder();

it('finds the end of any object or array, and no end of one that is cut off', () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', '[', 'a', 'é') }));
  const value = fc.letrec((tie) => ({
    any: fc.oneof({ maxDepth: 4 }, text, fc.integer(), fc.boolean(), tie('object'), fc.array(tie('any'), { maxLength: 4 })),
    object: fc.dictionary(text, tie('any'), { maxKeys: 4 }),
  })).object;
  fc.assert(
    fc.property(value, text, fc.nat(), (object, behind, cut) => {
      const json = utf8.encode(JSON.stringify(object));
      const padded = utf8.encode(`  ${JSON.stringify(object)},${JSON.stringify(behind)}]}`);
      expect(endOfObject(padded, 2, 0)).toBe(2 + json.length);
      expect(endOfObject(padded, 3, 1)).toBe(2 + json.length);
      expect(endOfObject(json.subarray(0, cut % json.length), 0, 0)).toBe(-1);
    }),
  );
});
