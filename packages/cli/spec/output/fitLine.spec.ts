import { describe, expect, it } from '@jest/globals';
import { fitLine, paint, textOf, wrapLine } from '../../src/output/line.js';

const line = [{ text: 'abc', style: 'green' }, 'def'] as const;

describe('fitLine', () => {
  it.each([
    [6, 'abcdef'],
    [5, 'abcd…'],
    [3, 'ab…'],
    [1, '…'],
    [0, ''],
  ])('makes a line of at most %d characters', (width, expected) => {
    expect(textOf(fitLine(line, width))).toBe(expected);
  });

  it.each([
    [8, '世界x\u0301🎉z'],
    [7, '世界x\u0301…'],
    [4, '世…'],
    [2, '…'],
  ])('counts columns, of which wide characters take two and accents none: %d', (width, expected) => {
    expect(textOf(fitLine(['世界', 'x\u0301🎉z'], width))).toBe(expected);
  });
});

describe('wrapLine', () => {
  it('goes on in the next line, indented by two more, and keeps styles', () => {
    expect(wrapLine(line, 6)).toEqual([line]);
    expect(wrapLine([{ text: ' abc', style: 'green' }, 'defgh'], 5)).toEqual([
      [{ text: ' abc', style: 'green' }, 'd'],
      ['  ', 'efg'],
      ['  ', 'h'],
    ]);
    expect(wrapLine(['ab'], 1)).toEqual([['a'], ['', 'b']]);
    expect(wrapLine(['ab'], 0)).toEqual([['a'], ['', 'b']]);
    expect(wrapLine(['世界🎉'], 3)).toEqual([['世'], [' ', '界'], [' ', '🎉']]);
    expect(wrapLine(['世界'], 1)).toEqual([[], ['', '世'], ['', '界']]);
  });
});

describe('paint', () => {
  it('writes the codes of styles where colour is wanted', () => {
    expect(paint(line, true)).toBe('\u001b[32mabc\u001b[39mdef');
    expect(paint(line, false)).toBe('abcdef');
    expect(paint(fitLine(line, 3), true)).toBe('\u001b[32mab\u001b[39m…');
  });
});
