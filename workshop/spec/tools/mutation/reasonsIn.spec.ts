import { describe, expect, it } from '@jest/globals';
import { instrument } from '../../../tools/mutation/instrument.js';

function reasonsOf(text: string): readonly string[] {
  const { mutants } = instrument('a.ts', text, 0);
  return mutants.filter(({ reason }) => reason !== undefined).map((one) => `${one.original} as ${one.replacement}: ${one.reason ?? ''}`);
}

describe('reasonsIn', () => {
  it('speaks of mutants of the named kinds in the statement below', () => {
    expect(reasonsOf(`// mutation text: any name\nconst a = ['x', true];\nconst b = 'y';`)).toEqual(["'x' as '': any name"]);
  });

  it('takes several kinds, and goes on with the lines below', () => {
    const text = `// mutation boolean, text: a name\n// and a flag\nconst a = ['x', true];`;
    expect(reasonsOf(text)).toEqual(["'x' as '': a name and a flag", 'true as false: a name and a flag']);
  });

  it('ends at the body of an `if` and of a loop', () => {
    const text = `function f(a) {\n  // mutation condition: always\n  if (a) {\n    if (b) c();\n  }\n}`;
    expect(reasonsOf(text)).toEqual(['a as true: always', 'a as false: always']);
    const loop = `// mutation comparison: ends\nfor (; a < b; ) {\n  f(c < d);\n}`;
    expect(reasonsOf(loop)).toEqual(['a < b as a <= b: ends', 'a < b as a >= b: ends']);
  });

  it('speaks of a whole function, but for what an inner comment speaks of', () => {
    const text = `// mutation text: outer\nfunction f() {\n  g('a');\n  // mutation text: inner\n  g('b');\n}`;
    expect(reasonsOf(text)).toEqual(["'a' as '': outer", "'b' as '': inner"]);
  });

  it('leaves out of a mutant the comments inside', () => {
    const text = `function f() {\n  // mutation text: inner\n  g('b');\n  h();\n}`;
    expect(instrument('a.ts', text, 0).mutants.map(({ original }) => original)).toContain("{ g('b'); h(); }");
  });

  it('names a comment that speaks of no mutant', () => {
    const { stale } = instrument('a.ts', `// mutation list: none here\nconst a = 'x';`, 0);
    expect(stale).toEqual([expect.objectContaining({ line: 1, text: 'none here' })]);
  });

  it('refuses a kind that there is not', () => {
    expect(() => instrument('a.ts', `// mutation word: what\nconst a = 'x';`, 0)).toThrow('at a.ts:1, got word');
  });
});
