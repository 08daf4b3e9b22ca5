import { describe, expect, it } from '@jest/globals';

import { expectNumber } from '../../src/workqueue/expectNumber.js';

describe('expectNumber', () => {
  it('returns what keeps the rule', () => {
    expect([
      expectNumber('x', -1.5),
      expectNumber('x', 0, { min: 0 }),
      expectNumber('x', 0.1, { above: 0 }),
      expectNumber('x', 3, { integer: true, min: 1 }),
      expectNumber('x', Infinity, { infinite: true, min: 0 }),
    ]).toEqual([-1.5, 0, 0.1, 3, Infinity]);
  });

  it.each([
    ['5', {}, 'a finite number, got "5"'],
    [undefined, {}, 'a finite number, got undefined'],
    [Infinity, { min: 0 }, 'a finite number >= 0, got Infinity'],
    [0, { above: 0 }, 'a finite number > 0, got 0'],
    [1.5, { integer: true, min: 1 }, 'an integer >= 1, got 1.5'],
    [-Infinity, { infinite: true, min: 0 }, 'a number or Infinity >= 0, got -Infinity'],
    [NaN, { infinite: true }, 'a number or Infinity, got NaN'],
  ])('refuses %p under %j', (value, rule, expected) => {
    expect(() => expectNumber('x', value, rule)).toThrow(new TypeError(`Expected \`x\` to be ${expected}`));
  });
});
