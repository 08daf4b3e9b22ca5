import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FieldSet } from '../../src/apply/fieldSet.js';

const element = fc.constantFrom('f:a', 'f:b', 'k:{"name":"c"}', 'v:"x"', 'i:0');
const paths = fc.array(fc.array(element, { minLength: 1, maxLength: 3 }), { maxLength: 8 });

function single([first, ...rest]: readonly string[]): FieldSet {
  return first === undefined ? FieldSet.leaf : FieldSet.of(false, [[first, single(rest)]]);
}

const sets = paths.map((all) => all.reduce((set, path) => set.union(single(path)), FieldSet.empty));

function members(set: FieldSet): ReadonlySet<string> {
  return new Set(set.paths());
}

describe('FieldSet', () => {
  it('reads and writes FieldsV1 (row 107)', () => {
    const fields = {
      'f:data': { '.': {}, 'f:k': {} },
      'f:spec': { 'f:containers': { 'k:{"name":"c"}': { '.': {}, 'f:image': {} } }, 'f:tags': { 'v:"x"': {} } },
    };
    const set = FieldSet.parse(fields);
    expect(set.toJSON()).toEqual(fields);
    expect(set.paths()).toEqual(['.data', '.data.k', '.spec.containers[name="c"]', '.spec.containers[name="c"].image', '.spec.tags[="x"]']);
  });

  it('leaves out what is no FieldsV1', () => {
    expect(FieldSet.parse({ bogus: {}, 'f:a': 5, 'f:b': {} }).toJSON()).toEqual({ 'f:b': {} });
    expect(FieldSet.parse(null).isEmpty).toBe(true);
  });

  it('obeys the laws of sets', () => {
    fc.assert(
      fc.property(sets, sets, (a, b) => {
        const [inA, inB] = [members(a), members(b)];
        expect(members(a.union(b))).toEqual(new Set([...inA, ...inB]));
        expect(members(a.difference(b))).toEqual(new Set([...inA].filter((path) => !inB.has(path))));
        expect(members(a.intersection(b))).toEqual(new Set([...inA].filter((path) => inB.has(path))));
      }),
    );
  });

  it('survives a trip through FieldsV1', () => {
    fc.assert(fc.property(sets, (set) => expect(members(FieldSet.parse(set.toJSON()))).toEqual(members(set))));
  });
});
