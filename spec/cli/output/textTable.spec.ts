import { describe, expect, it } from '@jest/globals';
import { textOf } from '../../../src/cli/output/span.js';
import { textTable } from '../../../src/cli/output/textTable.js';

describe('textTable', () => {
  it('makes each column as wide as its widest cell', () => {
    expect(
      textTable([
        ['NAME', 'AGE'],
        ['long-name', '5s'],
        ['x', '10m'],
      ]).map(textOf),
    ).toEqual(['NAME        AGE', 'long-name   5s', 'x           10m']);
  });

  it('cuts lines that are longer than the terminal', () => {
    expect(textTable([['abcdef', 'ghi']], 8).map(textOf)).toEqual(['abcdef …']);
  });
});
