import { describeValue } from './describeValue.js';
import type { OptionRule } from './optionRule.js';

/** Checks an argument that must not be absent: throws a TypeError that names it, what it should be and what it is. */
export function expectArgument(owner: string, name: string, value: unknown, rule: OptionRule): void {
  if (value !== undefined && rule.holds(value)) return;
  const shown = rule.secret === true && value !== undefined ? 'something else' : describeValue(value);
  throw new TypeError(`Expected \`${name}\` of \`${owner}\` to be ${rule.expected}, got ${shown}`);
}
