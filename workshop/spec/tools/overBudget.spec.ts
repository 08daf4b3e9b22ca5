import { describe, expect, it } from '@jest/globals';
import { overBudget } from '../../tools/overBudget.js';

describe('the budget of memory and size, a stage of the gate', () => {
  it.each<readonly [string, number, readonly string[]]>([
    ['a tenth more is allowed', 1_100, []],
    ['less is', 1, []],
    ['more than a tenth is not', 1_101, ['heap']],
    ['nor is what could not be measured', NaN, ['heap']],
  ])('%s', (_, heap, over) => {
    expect(overBudget({ heap }, { heap: 1_000 })).toEqual(over);
  });

  it('allows nothing above what is promised', () => {
    expect(overBudget({ page: 1_001, heap: 1_000 }, { page: 1_000, heap: 1_000 }, { page: 1_000, heap: 1_000 })).toEqual(['page']);
  });

  it('has a figure for everything that is measured', () => {
    expect(overBudget({ size: 1 }, { heap: 1_000 })).toEqual(['size']);
  });
});
