import { describe, expect, it } from '@jest/globals';
import { defaultObject } from '../../src/schema/defaultObject.js';

const level = { type: 'string', default: 'low' };
const withLevel = { type: 'object', properties: { level } };

describe('defaultObject', () => {
  it.each([
    ['a field that is not there', { properties: { a: level } }, {}, { a: 'low' }],
    ['a null that may not be', { properties: { a: level } }, { a: null }, { a: 'low' }],
    ['inside of a default', { properties: { a: { ...withLevel, default: {} } } }, {}, { a: { level: 'low' } }],
    [
      'items',
      { properties: { a: { type: 'array', items: withLevel } } },
      { a: [{}, { level: 'high' }] },
      { a: [{ level: 'low' }, { level: 'high' }] },
    ],
    ['entries', { properties: { a: { additionalProperties: withLevel } } }, { a: { k: {} } }, { a: { k: { level: 'low' } } }],
  ])('fills in %s (row 97)', (_, schema, sent, result) => {
    expect(defaultObject(sent, schema)).toEqual(result);
    expect(defaultObject(result, schema)).toEqual(result);
  });

  it.each([
    ['keeps a null that may be', { properties: { a: { ...level, nullable: true } } }, { a: null }, { a: null }],
    ['takes out a null that may not be, where there is no default', { properties: { a: { type: 'string' } } }, { a: null }, {}],
    ['takes null for no default', { properties: { a: { ...level, default: null, nullable: true } } }, {}, {}],
    ['leaves alone what the schema does not know', { properties: {} }, { a: null, b: { c: 1 } }, { a: null, b: { c: 1 } }],
    ['fills nothing into objects that are not there', { properties: { a: withLevel } }, {}, {}],
  ])('%s (row 97)', (_, schema, sent, result) => {
    expect(defaultObject(sent, schema)).toEqual(result);
  });
});
