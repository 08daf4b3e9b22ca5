import { beforeAll, describe, expect, it } from '@jest/globals';
import { hasPattern, loadPatterns, matchesPattern } from '../../src/schema/patterns.js';

describe('hasPattern', () => {
  it('looks everywhere in a schema', () => {
    expect(hasPattern({ properties: { a: { anyOf: [{ items: { pattern: 'x' } }] } } })).toBe(true);
    expect(hasPattern({ properties: { pattern: { type: 'string' } } })).toBe(false);
  });
});

describe('matchesPattern', () => {
  beforeAll(() => loadPatterns());

  it.each([
    ['^a+$', 'aaa', true],
    ['^a+$', 'ab', false],
    ['\\Aa\\z', 'a', true],
    ['(?i)^abc$', 'ABC', true],
    ['(?s)^a.b$', 'a\nb', true],
    ['[[:digit:]]+', 'x1', true],
    // A pattern that Go cannot compile restricts nothing.
    ['(?=a)b', 'c', true],
    ['(', 'c', true],
  ])('holds %j against %j', (pattern, text, expected) => {
    expect(matchesPattern(pattern, text)).toBe(expected);
  });

  it('takes time in proportion to the text, whatever the pattern', () => {
    // A backtracking engine would need 2 ** 5000 steps.
    expect(matchesPattern('^(a|a)*(a|aa)+$', `${'a'.repeat(5_000)}b`)).toBe(false);
  });
});
