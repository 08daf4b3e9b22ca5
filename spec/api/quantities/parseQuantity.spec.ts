import { describe, expect, it } from '@jest/globals';
import { parseQuantity } from '../../../src/api/parseQuantity.js';

describe('parseQuantity', () => {
  it.each([
    ['0', 0],
    ['1', 1],
    ['1.5', 1.5],
    ['.5', 0.5],
    ['5.', 5],
    ['+2', 2],
    ['-2', -2],
    ['100m', 0.1],
    ['1500m', 1.5],
    ['250u', 0.00025],
    ['1n', 1e-9],
    ['2k', 2000],
    ['1M', 1e6],
    ['1G', 1e9],
    ['1E', 1e18],
    ['1Ki', 1024],
    ['64Mi', 67_108_864],
    ['1.5Gi', 1_610_612_736],
    ['1Ei', 2 ** 60],
    ['1e3', 1000],
    ['12E2', 1200],
    ['1e-3', 0.001],
    [3, 3],
  ])('reads %s as %d', (quantity, number) => {
    expect(parseQuantity(quantity)).toBe(number);
  });

  it.each(['', 'm', '1 Gi', '1mi', '1K', '0x10', 'Infinity', '1e', '1Gib', '--1', NaN, null, undefined, {}])(
    'refuses %p, and names it',
    (quantity) => {
      expect(() => parseQuantity(quantity as string)).toThrow('Expected a quantity such as 100m, 1.5 or 64Mi');
    },
  );
});
