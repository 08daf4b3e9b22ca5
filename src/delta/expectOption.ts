function described(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'object' && value !== null ? 'an object' : typeof value === 'function' ? 'a function' : String(value);
}

/**
 * @throws TypeError that names the option, what it should be and what it is.
 */
export function expectOption(holds: boolean, name: string, expectation: string, value: unknown): void {
  if (!holds) throw new TypeError(`Expected \`${name}\` to be ${expectation}, got ${described(value)}`);
}

export function expectFunctionOption(name: string, value: unknown): void {
  expectOption(value === undefined || typeof value === 'function', name, 'a function', value);
}
