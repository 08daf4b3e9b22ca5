import { describe, expect, it } from '@jest/globals';

import { ValueIndex } from '../../../src/cache/store/valueIndex.js';

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

  it('forgets nothing of others when an unknown key is removed', () => {
    const index = new ValueIndex();
    index.file('a', ['x']);
    index.unfile('b');
    expect(index.values()).toEqual(['x']);
  });
});
