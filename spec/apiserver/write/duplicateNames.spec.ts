import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Json } from '../../../src/apiserver/json.js';
import { duplicateNames } from '../../../src/apiserver/write/duplicateNames.js';

const found = (text: string): readonly string[] => duplicateNames(Buffer.from(text), JSON.parse(text) as Json);

describe('duplicateNames', () => {
  it.each([
    ['{"a":1,"a":2}', ['a']],
    ['{"data":{"a":"1", "a" : "2"}}', ['data.a']],
    ['{"list":[{"b":1},{"b":1,"b":2}]}', ['list[1].b']],
    ['{"a":{"b":1},"c":{"b":1}}', []],
    ['{"a":"\\"a\\":1","b":"{\\"b\\":1}"}', []],
    ['{"a":1,"\\u0061":2}', ['a']],
  ])('of %s are %j', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it('are none in what was written from a value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        expect(found(JSON.stringify(value, null, indent))).toEqual([]);
      }),
    );
  });
});
