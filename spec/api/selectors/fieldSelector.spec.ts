import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { escapeFieldValue, type FieldRequirement, parseFieldSelector } from '../../../src/api/selectors.js';

describe('parseFieldSelector', () => {
  it.each<[string, [string, '=' | '!=', string][]]>([
    ['', []],
    ['metadata.name=l1', [['metadata.name', '=', 'l1']]],
    ['metadata.name==l1', [['metadata.name', '=', 'l1']]],
    ['metadata.name!=l1', [['metadata.name', '!=', 'l1']]],
    ['metadata.name=', [['metadata.name', '=', '']]],
    [
      'metadata.name=l1,metadata.namespace=ls',
      [
        ['metadata.name', '=', 'l1'],
        ['metadata.namespace', '=', 'ls'],
      ],
    ],
    [',metadata.name=l1,', [['metadata.name', '=', 'l1']]],
    ['a=b!', [['a', '=', 'b!']]],
    ['a=x\\,y\\=z\\\\', [['a', '=', 'x,y=z\\']]],
    // An API server does not trim either: it answers that the field ' b' is not known.
    [
      'a=1, b=2 ',
      [
        ['a', '=', '1'],
        [' b', '=', '2 '],
      ],
    ],
  ])('reads %j', (text, requirements) => {
    expect(parseFieldSelector(text)).toEqual(requirements.map(([field, operator, value]) => ({ field, operator, value })));
  });

  it.each<[string, string]>([
    ['metadata.name in (l1)', "can't understand 'metadata.name in (l1)', expected field=value or field!=value"],
    ['metadata.name', "can't understand 'metadata.name', expected field=value or field!=value"],
    [' ', "can't understand ' ', expected field=value or field!=value"],
    ['=x', "can't understand '=x', expected field=value or field!=value"],
    ['a=b=c', "can't understand 'a=b=c', expected field=value or field!=value"],
    ['a=1,b', "can't understand 'b', expected field=value or field!=value"],
    ['a=b\\c', "expected \\, = or a comma after a backslash, got 'c'"],
    ['a=b\\', "expected \\, = or a comma after a backslash, got ''"],
  ])('refuses %j', (text, reason) => {
    expect(() => parseFieldSelector(text)).toThrow(new TypeError(`Unable to parse the field selector ${JSON.stringify(text)}: ${reason}`));
  });

  it('gets every value back that was escaped', () => {
    const value = fc.oneof(
      fc.string(),
      fc.array(fc.constantFrom('\\', ',', '=', '!', 'a', ' ')).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(value, value, (first, second) => {
        expect(parseFieldSelector(`a=${escapeFieldValue(first)},b!=${escapeFieldValue(second)}`)).toEqual([
          { field: 'a', operator: '=', value: first },
          { field: 'b', operator: '!=', value: second },
        ]);
      }),
    );
  });

  it('understands a selector or refuses it with a TypeError, whatever it is', () => {
    const read = (text: string): readonly FieldRequirement[] | 'refused' => {
      try {
        return parseFieldSelector(text);
      } catch (error) {
        if (error instanceof TypeError) return 'refused';
        throw error;
      }
    };
    const textOf = (requirements: readonly FieldRequirement[]) =>
      requirements.map(({ field, operator, value }) => `${field}${operator}${escapeFieldValue(value)}`).join();
    const piece = fc.constantFrom('a', 'b.c', '=', '==', '!=', '!', ',', '\\', ' ');
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const result = read(pieces.join(''));
        expect(result === 'refused' ? result : read(textOf(result))).toEqual(result);
      }),
      { numRuns: 500 },
    );
  });
});

describe('escapeFieldValue', () => {
  it('puts a backslash before commas, equals signs and backslashes', () => {
    expect(escapeFieldValue('a,b=c\\d!e')).toBe('a\\,b\\=c\\\\d!e');
  });
});
