/**
 * Whether Go can read a regular expression: RE2 has neither look-around nor references to groups. Other errors are the API server's to find.
 */
export function isGoPattern(pattern: string): boolean {
  return !/\(\?<?[=!]|\\[1-9]|\\k</.test(pattern.replaceAll('\\\\', ''));
}

/** Why Go cannot read a regular expression; undefined if it can. */
export function goPatternProblem(pattern: string): string | undefined {
  return isGoPattern(pattern) ? undefined : 'RE2 has no look-around and no back-references';
}
