import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../src/json.js';
import { schemaRules } from '../../src/schema/schemaRules.js';
import { loadRules } from '../../src/schema/rules/ruleEngine.js';
import { validateObject } from '../../src/schema/validateObject.js';

/** The errors of a value, with their fields. */
function said(value: Json, schema: JsonObject): readonly string[] {
  return validateObject({ a: value }, { properties: { a: schema } }).map(({ field, message }) => `${field}: ${message}`);
}

const named = (type: string, format: string, found: string): string =>
  `a: Invalid value: "${found}": a in body must be of type ${format === '' ? type : format}: "${found}"`;
const checked = (type: string, format: string): string =>
  `<nil>: Invalid value: "": Checked value must be of type ${type} ${format === '' ? '(default format)' : `with format ${format}`} in a`;

describe('validation by a schema', () => {
  it.each<[rule: string, value: Json, schema: JsonObject, expected: readonly string[]]>([
    ['an integer of 32 bits ends at 2147483647', 2147483648, { type: 'integer', format: 'int32' }, [checked('integer', 'int32')]],
    ['and begins at -2147483648', -2147483648, { type: 'integer', format: 'int32' }, []],
    ['what is larger than 64 bits is no integer', 1e19, { type: 'integer' }, [named('integer', '', 'number'), checked('integer', '')]],
    [
      'a fraction is said to be none of the format',
      1.5,
      { type: 'integer', format: 'int64' },
      [named('integer', 'int64', 'float64'), checked('integer', 'int64')],
    ],
    ['a float has an end', 1e39, { type: 'number', format: 'float' }, [checked('number', 'float')]],
    ['a double has none that JSON could pass', 1e39, { type: 'number', format: 'double' }, []],
    ['other values are no texts of a format', 5, { type: 'string', format: 'date' }, [named('string', 'date', 'int64')]],
    ['booleans neither, without a name', true, { type: 'string', format: 'date' }, [named('string', 'date', '')]],
    ['lists pass for texts with a format', [], { type: 'string', format: 'date' }, []],
    ['unknown formats count as none', 5, { type: 'string', format: 'shoe' }, [named('string', '', 'integer')]],
  ])('%s', (_, value, schema, expected) => {
    expect(said(value, schema)).toEqual(expected);
  });

  it('says of alternatives what the one finds wrong that speaks of most of the value', () => {
    const address = { properties: { type: { enum: ['IP'] }, value: { anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] } } };
    const other = { properties: { type: { not: { enum: ['IP'] } } } };
    for (const oneOf of [
      [address, other],
      [other, address],
    ])
      expect(said({ type: 'IP', value: '1.2.3.4:80' }, { oneOf })).toEqual([
        '<nil>: Invalid value: "": "a" must validate one and only one schema (oneOf). Found none valid',
        '<nil>: Invalid value: "": "a.value" must validate at least one schema (anyOf)',
        'a.value: Invalid value: "1.2.3.4:80": a.value in body must be of type ipv4: "1.2.3.4:80"',
      ]);
  });

  it('finds null in no enum, as a real server does', () => {
    expect(said(null, { nullable: true, enum: ['a', null] })).toEqual(['a: Unsupported value: null: supported values: "a", "null"']);
  });

  it('says first what combinations find, then limits, then that a word is not listed', () => {
    const found = said('zz', { anyOf: [{ maxLength: 1 }], maxLength: 1, enum: ['a'] });
    expect(found.map((text) => /anyOf|Too long|Unsupported/.exec(text)?.[0])).toEqual(['anyOf', 'Too long', 'Too long', 'Unsupported']);
  });
});

describe('rules that do not hold', () => {
  const saidOf = async (value: Json, schema: JsonObject, validation: JsonObject): Promise<readonly string[]> => {
    await loadRules();
    const spec = { ...schema, 'x-kubernetes-validations': [validation] };
    const custom = {
      schema: { properties: { spec } },
      preserveUnknownFields: false,
      hasPatterns: false,
      hasRules: true,
      printerColumns: [],
    };
    const content = { apiVersion: 'a/v1', kind: 'A', metadata: {}, spec: value } as never;
    const found = schemaRules(custom, undefined).validate?.(content, undefined) ?? [];
    return found.map(({ message }) => message);
  };
  const texts = { type: 'string' };
  const rule = "self == 'ok'";

  it.each<[reason: string, expected: string]>([
    ['FieldValueInvalid', 'Invalid value: "x": no'],
    ['FieldValueForbidden', 'Forbidden: no'],
    ['FieldValueRequired', 'Required value: no'],
    ['FieldValueDuplicate', 'Duplicate value: "x"'],
  ])('%s is said in its words', async (reason, expected) => {
    expect(await saidOf('x', texts, { rule, reason, message: 'no' })).toEqual([expected]);
  });

  it.each<[what: string, value: Json, schema: JsonObject, rule: string, expected: string]>([
    ['a missing field', {}, { type: 'object', properties: { x: { type: 'integer' } } }, 'self.x < 3', '"object": no such key: x'],
    ['an index beyond a list', [1], { type: 'array', items: { type: 'integer' } }, 'self[5] == 1', '"array": index out of bounds: 5'],
    ['a division by zero', 0, { type: 'integer' }, '1 / self == 1', '"integer": division by zero'],
    ['a sum beyond 64 bits', 3, { type: 'integer' }, 'self * 9223372036854775807 > 0', '"integer": integer overflow'],
    ['a text that is no number', 'x', texts, 'int(self) > 1', `"string": type conversion error from 'string' to 'int'`],
    [
      'a text that is no duration',
      'x',
      texts,
      "duration(self) > duration('1h')",
      `"string": type conversion error from 'string' to 'google.protobuf.Duration'`,
    ],
    [
      'a text that is no time',
      'x',
      texts,
      "timestamp(self) > timestamp('2020-01-01T00:00:00Z')",
      `"string": type conversion error from 'string' to 'google.protobuf.Timestamp'`,
    ],
  ])('of %s, the type is shown and what has failed', async (_, value, schema, text, expected) => {
    expect(await saidOf(value, schema, { rule: text })).toEqual([`Invalid value: ${expected} evaluating rule: ${text}`]);
  });
});
