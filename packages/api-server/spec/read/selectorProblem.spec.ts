import { describe, expect, it } from '@jest/globals';
import { selectorProblem } from '../../src/read/selectorProblem.js';

describe('selectorProblem', () => {
  it.each([
    ['a===b', "unable to parse requirement: found '=', expected: identifier"],
    ['a in b', "unable to parse requirement: found 'b' expected: '('"],
    ['==', "found '==', expected: !, identifier, or 'end of string'"],
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ['a in (b', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['a,,b', "found ',', expected: identifier after ','"],
    ['a=b c', "found 'c', expected: ',' or 'end of string'"],
  ])('says of %j what Kubernetes says', (text, expected) => {
    expect(selectorProblem(text)).toBe(expected);
  });

  it.each(['', 'a', '!a', 'a=', 'a=b,c!=d', 'a in (b,c), !d', 'a notin ()', 'a>1'])('finds nothing in %j', (text) => {
    expect(selectorProblem(text)).toBe('');
  });
});
