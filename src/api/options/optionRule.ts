/** What the value of one option has to be. An absent option, or one that is `undefined`, is right unless it is required. */
export interface OptionRule {
  /** What is expected, as the end of "Expected `name` to be ...". */
  readonly expected: string;
  readonly holds: (value: unknown) => boolean;
  /** Whether error messages must not show the value. */
  readonly secret?: boolean;
  readonly required?: boolean;
}

/** A rule for each option of `O`, and for no other name. */
export type OptionRules<O> = { readonly [Name in keyof Required<O>]: OptionRule };

/** A value as an error message shows it: short, and without what an object holds. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 80 ? `${value.slice(0, 77)}...` : value);
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'symbol' ? 'a symbol' : String(value);
}

/** Checks an argument that must not be absent: throws a TypeError that names it, what it should be and what it is. */
export function expectArgument(owner: string, name: string, value: unknown, rule: OptionRule): void {
  if (value !== undefined && rule.holds(value)) return;
  const shown = rule.secret === true && value !== undefined ? 'something else' : describeValue(value);
  throw new TypeError(`Expected \`${name}\` of \`${owner}\` to be ${rule.expected}, got ${shown}`);
}
