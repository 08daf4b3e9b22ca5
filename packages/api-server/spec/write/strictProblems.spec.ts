import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Json } from '../../src/json.js';
import { strictProblems } from '../../src/write/strictProblems.js';

const found = (text: string): readonly string[] => strictProblems(Buffer.from(text), JSON.parse(text) as Json);

describe('strictProblems', () => {
  it.each([
    ['{"a":1,"a":2}', ['a']],
    ['{"data":{"a":"1", "a" : "2"}}', ['data.a']],
    ['{"list":[{"b":1},{"b":1,"b":2}]}', ['list[1].b']],
    ['{"a":{"b":1},"c":{"b":1}}', []],
    ['{"a":"\\"a\\":1","b":"{\\"b\\":1}"}', []],
    ['{"a":1,"\\u0061":2}', ['a']],
  ])('of %s are %j', (text, expected) => {
    expect(found(text)).toEqual(expected.map((path) => `duplicate field "${path}"`));
  });

  it('are none in what was written from a value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        expect(found(JSON.stringify(value, null, indent))).toEqual([]);
      }),
    );
  });
});
