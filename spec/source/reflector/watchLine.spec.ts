import { describe, expect, it } from '@jest/globals';
import { watchLine } from '../../../src/source/reflector/watchLine.js';

describe('watchLine.hasGoneBack', () => {
  it.each([
    ['9', '10', true],
    ['10', '10', false],
    ['11', '10', false],
    ['9007199254740993', '9007199254740994', true],
    ['9007199254740994', '9007199254740993', false],
    ['a', '10', false],
    ['9', 'b', false],
    ['', '10', false],
  ])('from %j, where %j was seen: %p', (current, last, expected) => {
    expect(watchLine.hasGoneBack(current, last)).toBe(expected);
  });
});
