import { describe, expect, it } from '@jest/globals';
import { isEqualJson, sharedWith, type Json } from '../src/json.js';

const parsed = (text: string): Json => JSON.parse(text) as Json;

describe('isEqualJson', () => {
  it.each([
    ['{"a":1,"b":[1,{"c":null}]}', '{"b":[1,{"c":null}],"a":1}', true],
    ['{"a":1}', '{"a":1,"b":2}', false],
    ['{"a":1,"b":2}', '{"a":1}', false],
    ['{"a":1}', '{"b":1}', false],
    ['[1,2]', '[2,1]', false],
    ['[]', '{}', false],
    ['null', '{}', false],
    // Every object inherits a value of this name.
    ['{"__proto__":{}}', '{"b":1}', false],
    ['{"constructor":{}}', '{"b":1}', false],
    ['{"__proto__":{}}', '{"__proto__":{}}', true],
  ])('of %s and %s is %s', (one, other, equal) => {
    expect([isEqualJson(parsed(one), parsed(other)), isEqualJson(parsed(other), parsed(one))]).toEqual([equal, equal]);
  });

  it('takes a name whose value is undefined for absent', () => {
    expect([isEqualJson({ a: 1, b: undefined }, { a: 1 }), isEqualJson({ a: undefined }, { b: 1 })]).toEqual([true, false]);
  });
});

describe('sharedWith', () => {
  const known = parsed('{"a":{"b":[1,{"c":null}],"d":"x"},"e":[{"f":1},{"f":2}],"g":null}') as Record<string, Json>;
  const shared = (text: string): Record<string, Json> => sharedWith(parsed(text), known) as Record<string, Json>;

  it('is the known value where both are equal, in any order of names', () => {
    expect(shared('{"g":null,"e":[{"f":1},{"f":2}],"a":{"d":"x","b":[1,{"c":null}]}}')).toBe(known);
  });

  it('has the equal parts of the known value', () => {
    const value = shared('{"a":{"b":[1,{"c":null}],"d":"x"},"e":[{"f":1},{"f":3}],"g":null}');
    expect(value).toEqual({ ...known, e: [{ f: 1 }, { f: 3 }] });
    expect(value['a']).toBe(known['a']);
    expect((value['e'] as readonly Json[])[0]).toBe((known['e'] as readonly Json[])[0]);
  });

  it.each([
    '{"a":{"b":[1,{"c":null}]}}',
    '{"e":[{"f":1}]}',
    '{"e":[{"f":1},{"f":2},{"f":3}]}',
    '{"e":{"0":{"f":1},"1":{"f":2}}}',
    '{"a":[]}',
    '{"g":{}}',
    '{"a":null}',
    '{"__proto__":{}}',
    '{"constructor":{}}',
    '[]',
    '1',
  ])('leaves what %s says', (text) => {
    expect(JSON.stringify(shared(text))).toBe(text);
  });

  it('takes a name whose value is undefined for a difference', () => {
    expect(sharedWith({ a: 1 }, { a: 1, b: undefined })).toEqual({ a: 1 });
  });
});
