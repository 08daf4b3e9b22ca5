import { describe, expect, it } from '@jest/globals';

import { ValueIndex } from '../../../src/cache/store/indexSet.js';

describe('ValueIndex', () => {
  it('counts and tells keys by value', () => {
    const index = new ValueIndex();
    index.file('a', ['x']);
    expect([index.count('x'), index.has('x', 'a'), index.has('x', 'b'), index.count('y')]).toEqual([1, true, false, 0]);
    index.file('b', ['x', 'y']);
    expect([index.count('x'), index.has('x', 'b'), index.has('x', 'c'), index.count('y')]).toEqual([2, true, false, 1]);
    expect([...index.keys('x')]).toEqual(['a', 'b']);
  });

  it('does not depend on the array of values that it was given', () => {
    const index = new ValueIndex();
    const values = ['x', 'y'];
    index.file('a', values);
    values.length = 0;
    index.unfile('a');
    expect(index.values()).toEqual([]);
  });

  it('files a key again under values that it had before', () => {
    const index = new ValueIndex();
    index.file('a', ['x']);
    index.file('a', []);
    expect(index.values()).toEqual([]);
    index.file('a', ['x']);
    expect([...index.keys('x')]).toEqual(['a']);
  });

  it('files a key under exactly the values that it has, whatever it had before', () => {
    const subsets = [[], ['x'], ['y'], ['x', 'y'], ['y', 'x'], ['x', 'z'], ['z', 'y'], ['x', 'y', 'z'], ['x', 'x'], ['x', 'y', 'y']];
    for (const before of subsets) {
      for (const after of subsets) {
        const index = new ValueIndex();
        index.file('other', ['x', 'y', 'z']);
        index.file('a', before);
        index.file('a', after);
        expect(['x', 'y', 'z'].filter((value) => index.has(value, 'a'))).toEqual([...new Set(after)].sort());
        expect([...index.valuesOf('a')].sort()).toEqual([...new Set(after)].sort());
        expect(['x', 'y', 'z'].map((value) => index.keys(value).includes('a'))).toEqual(
          ['x', 'y', 'z'].map((value) => after.includes(value)),
        );
      }
    }
  });

  it('forgets nothing of others when an unknown key is removed', () => {
    const index = new ValueIndex();
    index.file('a', ['x']);
    index.unfile('b');
    expect(index.values()).toEqual(['x']);
  });
});
