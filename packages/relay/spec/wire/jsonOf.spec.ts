import { describe, expect, it } from '@jest/globals';
import { jsonOf } from '../../src/wire/jsonOf.js';

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = { value };
  return value;
}

describe('jsonOf', () => {
  it('returns JSON itself', () => {
    const value: unknown = JSON.parse('{"a":[1,null,{"b":"c"}],"__proto__":{"d":true},"constructor":-0}');
    expect(jsonOf(value)).toBe(value);
    for (const one of ['a', 1, true, null, undefined]) expect(jsonOf(one)).toBe(one);
  });

  it.each([
    [{ a: NaN, b: -Infinity, c: 1 }],
    [{ at: new Date(0) }],
    [[undefined, () => 1, Symbol('a'), 2]],
    [{ a: () => 1, b: Symbol('a'), c: undefined, d: 2 }],
    [{ toJSON: () => ({ a: [NaN] }) }],
    [Object.freeze({ a: Object.freeze([NaN]), b: Object.freeze({ c: 1 }) })],
    // eslint-disable-next-line no-sparse-arrays -- values of views may have holes
    [[1, , 2]],
    [new Date(0)],
  ])('is what JSON.stringify writes: case %#', (value) => {
    const json = jsonOf(value);
    expect(JSON.stringify(json)).toBe(JSON.stringify(value));
    expect(json).toEqual(JSON.parse(JSON.stringify(value)));
  });

  it('has no copy that kubectl leaves of an object, and no managedFields, at any depth', () => {
    const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
    const metadata = { name: 'x', annotations: { [lastApplied]: 'HIDDEN' }, managedFields: [{ manager: 'HIDDEN' }] };
    const noted = { metadata: { ...metadata, annotations: { [lastApplied]: 'HIDDEN', note: 'kept' } } };
    const value = { one: { metadata }, all: [noted], moved: metadata, picked: { metadata: { managedFields: [{ time: 'HIDDEN' }] } } };
    const json = jsonOf({ ...value, spec: { managedFields: [{ name: 'its own' }], annotations: {} } });
    expect(JSON.stringify(json)).not.toContain('HIDDEN');
    expect(json).toEqual({
      one: { metadata: { name: 'x' } },
      all: [{ metadata: { name: 'x', annotations: { note: 'kept' } } }],
      moved: { name: 'x' },
      picked: { metadata: {} },
      spec: { managedFields: [{ name: 'its own' }], annotations: {} },
    });
  });

  it('does not change the value', () => {
    const value = { a: NaN, b: [undefined] };
    expect(jsonOf(value)).toEqual({ a: null, b: [null] });
    expect(value).toEqual({ a: NaN, b: [undefined] });
  });

  it('fails for what cannot be sent', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(() => jsonOf({ a: 1n })).toThrow(TypeError);
    expect(() => jsonOf(circle)).toThrow('it is nested more than 500 levels deep');
    expect(() => jsonOf(nested(10_000))).toThrow(RangeError);
    expect(jsonOf(nested(500))).toEqual(nested(500));
  });
});
