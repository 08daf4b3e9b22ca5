import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { endOfPlainValue } from '../../../src/client/decode/endOfPlainValue.js';

const utf8 = new TextEncoder();
const endOf = (text: string, at = 0): number => endOfPlainValue(utf8.encode(text), at);

const charactersOf = (text: string): string[] => Array.from(text);

const plainText = fc.string({ unit: fc.constantFrom('a', ' ', '{', '}', '[', ']', ',', ':', '"', '\\', '\n', '/') });
const plainValue = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    plainText,
    fc.nat(),
    fc.constantFrom(true, false, null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(plainText, tie('value'), { maxKeys: 4 }),
  ),
})).value;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('endOfPlainValue', () => {
  it('finds the end of what servers write', () => {
    fc.assert(
      fc.property(plainValue, fc.constantFrom('', ',', '}', ']'), (value, behind) => {
        const text = JSON.stringify(value);
        expect(endOf(`  ${text}${behind}`, 2)).toBe(2 + text.length);
      }),
    );
  });

  it('takes nothing for a value that is none', () => {
    const text = fc.string({ unit: fc.constantFrom(...charactersOf('{}[],:"\\u01e-.+ truefalsn\u0007\u007fé')) });
    fc.assert(
      fc.property(
        fc.oneof(text, plainValue.map(JSON.stringify)),
        fc.nat(),
        fc.constantFrom(...charactersOf('"\\{}[],:01\u0001')),
        (given, at, other) => {
          const place = given.length === 0 ? 0 : at % given.length;
          const json = given.slice(0, place) + other + given.slice(place + 1);
          const end = endOf(json);
          expect(end === -1 || isJson(new TextDecoder().decode(utf8.encode(json).subarray(0, end)))).toBe(true);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it.each([
    '',
    '-1',
    '01',
    '00',
    'x',
    'nul',
    'nulx',
    'xull',
    'trux',
    'fals',
    '"',
    '"a',
    '"é"',
    '"\t"',
    '"\u007f"',
    '"\\u0061"',
    '"\\x"',
    '"\\',
  ])('leaves %j to the parser', (text) => {
    expect(endOf(text)).toBe(-1);
  });

  it.each(['[', '[1', '[1,', '[,]', '[1 ]', '{', '{"a"', '{"a" :1}', '{"a":1', '{"a":1,}', '{a:1}', '{"a",1}', '[1}', '{"a":-1}'])(
    'leaves %j to the parser, too',
    (text) => {
      expect(endOf(text)).toBe(-1);
    },
  );

  it.each([
    ['0', 1],
    ['0,', 1],
    ['10', 2],
    ['true]', 4],
    ['null', 4],
    ['false', 5],
    ['{}', 2],
    ['[]', 2],
    ['"\\"\\\\\\/\\b\\f\\n\\r\\t"x', 18],
  ])('finds the end of %j at %i', (text, end) => {
    expect(endOf(text)).toBe(end);
  });

  it('leaves what is nested more than a hundred times to the parser', () => {
    const nested = (deep: number): string => '['.repeat(deep) + ']'.repeat(deep);
    expect([endOf(nested(100)), endOf(nested(101))]).toEqual([200, -1]);
  });
});
