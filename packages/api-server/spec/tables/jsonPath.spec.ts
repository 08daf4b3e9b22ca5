import { describe, expect, it } from '@jest/globals';
import { humanDuration } from '../../src/tables/humanDuration.js';
import { parseJsonPath } from '../../src/tables/jsonPath.js';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

describe('humanDuration', () => {
  it.each([
    [-2 * second, '<invalid>'],
    [-500, '0s'],
    [0, '0s'],
    [119 * second, '119s'],
    [2 * minute, '2m'],
    [3 * minute + 12 * second, '3m12s'],
    [10 * minute + 59 * second, '10m'],
    [179 * minute, '179m'],
    [3 * hour, '3h'],
    [7 * hour + 59 * minute, '7h59m'],
    [8 * hour + 30 * minute, '8h'],
    [47 * hour, '47h'],
    [2 * day, '2d'],
    [2 * day + 5 * hour, '2d5h'],
    [8 * day + 5 * hour, '8d'],
    [729 * day, '729d'],
    [730 * day, '2y'],
    [731 * day, '2y1d'],
    [9 * 365 * day, '9y'],
  ])('shows %d ms as %s', (ms, text) => {
    expect(humanDuration(ms)).toBe(text);
  });
});

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
    [".spec['with\\.dot']", ['x']],
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
