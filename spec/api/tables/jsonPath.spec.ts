import { describe, expect, it } from '@jest/globals';
import { parseJsonPath } from '../../../src/api/tables/jsonPath.js';

const value = {
  spec: { size: 3, 'with.dot': 'x', list: [{ a: 1 }, { a: 2 }] },
  status: {
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Old', status: 'False' },
    ],
  },
};

describe('parseJsonPath', () => {
  it.each([
    ['.spec.size', [3]],
    ['.spec.missing', []],
    ['.spec.list[1].a', [2]],
    ['.spec.list[-1].a', [2]],
    ['.spec.list[*].a', [1, 2]],
    ['.spec.with\\.dot', ['x']],
    [".spec['with.dot']", ['x']],
    ['.status.conditions[?(@.type=="Ready")].status', ['True']],
    ['.status.conditions[?(@.type != "Ready")].status', ['False']],
    ['.constructor', []],
  ])('finds %s', (path, expected) => {
    expect(parseJsonPath(path)(value)).toEqual(expected);
  });

  it.each(['spec', '.spec[', '.a[?(x)]', '.a[b]'])('refuses %j', (path) => {
    expect(() => parseJsonPath(path)).toThrow(TypeError);
  });
});
