import type { OptionRules } from '../../api/options/optionRule.js';
import { rules } from '../../api/options/rules.js';
import { type WaitOptions, waitRules } from '../waiting/waitOptions.js';

/**
 * Options of `verify`.
 */
export interface VerifyOptions extends WaitOptions {
  /** Lists whole objects, and compares contents where the versions agree. Not for informers with a `transform`. Default `false`. */
  readonly contents?: boolean | undefined;
  /** Objects per page of the list; 0 for all at once. Default 500. */
  readonly pageSize?: number | undefined;
}

/**
 * The rules of the options of `verify`.
 *
 * @internal
 */
export const verifyRules: OptionRules<VerifyOptions> = {
  ...waitRules,
  contents: rules.boolean,
  pageSize: rules.number({ min: 0, integer: true }),
};
