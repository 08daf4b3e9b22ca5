import { describe, expect, it } from '@jest/globals';
import { textOf, textTable } from '../../src/output/line.js';

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

  it('counts columns of wide characters', () => {
    expect(
      textTable([
        ['世界', '1'],
        ['x', '2'],
      ]).map(textOf),
    ).toEqual(['世界   1', 'x      2']);
  });

  it('moves columns together where the terminal is narrow', () => {
    expect(textTable([['NAME', 'AGE']], 9).map(textOf)).toEqual(['NAME  AGE']);
    expect(textTable([['NAME', 'AGE']], 8).map(textOf)).toEqual(['NAME AGE']);
  });

  it('cuts lines that are longer than the terminal', () => {
    expect(textTable([['abcdef', 'ghi']], 8).map(textOf)).toEqual(['abcdef …']);
  });
});
