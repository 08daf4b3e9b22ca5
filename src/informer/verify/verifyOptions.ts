import type { OptionRules } from '../../api/options/optionRule.js';
import { rules } from '../../api/options/rules.js';
import { type WaitOptions, waitRules } from '../waiting/waitOptions.js';

/** Options of `verify`. */
export interface VerifyOptions extends WaitOptions {
  /** Lists whole objects, and compares contents where the versions agree. Not for informers with a `transform`. Default `false`. */
  readonly contents?: boolean | undefined;
  /** Objects per page of the list; 0 for all at once. Default 500. */
  readonly pageSize?: number | undefined;
}

const ownRules = { contents: rules.boolean, pageSize: rules.number({ min: 0, integer: true }) };

/** The rules of the options of `verify`. @internal */
export const verifyRules: OptionRules<VerifyOptions> = { ...waitRules, ...ownRules };

/** How an informer verifies its cache by itself. */
export interface VerificationOptions extends Pick<VerifyOptions, 'contents' | 'pageSize'> {
  /** How often, from this many milliseconds to a tenth more, drawn anew each time. At least 1,000; default `Infinity`: only after outages. */
  readonly everyMs?: number | undefined;
  /** What to do about a difference: list again, beside the watch (`'relist'`, the default), or nothing but say so. Lists do not mend contents. */
  readonly onDrift?: 'relist' | 'report' | undefined;
}

/** The rules of the options of verification. @internal */
export const verificationRules: OptionRules<VerificationOptions> = {
  ...ownRules,
  everyMs: rules.durationOf({ min: 1000, infinite: true }),
  onDrift: rules.oneOf('relist', 'report'),
};
