import { describe, expect, it } from '@jest/globals';
import { jsonEqual, type Json } from '../../src/apiserver/json.js';

const parsed = (text: string): Json => JSON.parse(text) as Json;

describe('jsonEqual', () => {
  it.each([
    ['{"a":1,"b":[1,{"c":null}]}', '{"b":[1,{"c":null}],"a":1}', true],
    ['{"a":1}', '{"a":1,"b":2}', false],
    ['{"a":1,"b":2}', '{"a":1}', false],
    ['{"a":1}', '{"b":1}', false],
    ['[1,2]', '[2,1]', false],
    ['[]', '{}', false],
    ['null', '{}', false],
    // A name that every object inherits a value for.
    ['{"__proto__":{}}', '{"b":1}', false],
    ['{"constructor":{}}', '{"b":1}', false],
    ['{"__proto__":{}}', '{"__proto__":{}}', true],
  ])('of %s and %s is %s', (one, other, equal) => {
    expect([jsonEqual(parsed(one), parsed(other)), jsonEqual(parsed(other), parsed(one))]).toEqual([equal, equal]);
  });

  it('takes a name whose value is undefined for absent', () => {
    expect([jsonEqual({ a: 1, b: undefined }, { a: 1 }), jsonEqual({ a: undefined }, { b: 1 })]).toEqual([true, false]);
  });
});
