import { describeValue } from '../../api/options/describeValue.js';
import type { OptionRule } from '../../api/options/optionRule.js';

/**
 * Checks an argument, or an option that must not be absent.
 *
 * @throws TypeError that names it, what it should be and what it is.
 */
export function expectArgument(owner: string, name: string, value: unknown, rule: OptionRule): void {
  if (value !== undefined && rule.holds(value)) return;
  throw new TypeError(`Expected \`${name}\` of \`${owner}\` to be ${rule.expected}, got ${describeValue(value)}`);
}
