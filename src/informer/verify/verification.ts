import { type OptionRules, rules } from '../../api/options.js';
import { type WaitOptions, waitRules } from '../waiting/waitFor.js';

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
  /**
   * Up to how many objects a cache is verified after an outage; a larger one waits for its next list, or for `everyMs`, and its health says so
   * (`unverifiedSince`). `Infinity` for any number.
   *
   * @defaultValue 5000
   */
  readonly maxObjects?: number | undefined;
  /** What to do about a difference: list again, beside the watch (`'relist'`, the default), or nothing but say so. Lists do not mend contents. */
  readonly onDrift?: 'relist' | 'report' | undefined;
}

/** The rules of the options of verification. @internal */
export const verificationRules: OptionRules<VerificationOptions> = {
  ...ownRules,
  everyMs: rules.durationOf({ min: 1000, infinite: true }),
  maxObjects: rules.number({ min: 1, infinite: true }),
  onDrift: rules.oneOf('relist', 'report'),
};

/** An object that only one side has, and its version there. */
export interface VerifiedObject {
  readonly key: string;
  /** `''` where it is not known: a `transform` left none. */
  readonly resourceVersion: string;
}

/** An object that both sides have, but not the same. */
export interface DifferingObject {
  readonly key: string;
  /** The version in the cache. */
  readonly cached: string;
  /** The version on the server. Equal to `cached` where only the contents differ. */
  readonly served: string;
}

/** In what the cache of an informer differs from what its server had at the same version. Lists are in the order of the keys. */
export interface Verification {
  /** Whether nothing differs. */
  readonly isConsistent: boolean;
  /** How many objects the server had. */
  readonly count: number;
  /** The version at which both were compared, by scope (namespace); `''` is the scope of an informer on everything. */
  readonly resourceVersions: ReadonlyMap<string, string>;
  /** What the server had, and the cache has not. */
  readonly missing: readonly VerifiedObject[];
  /** What the cache has, and the server had not. */
  readonly extra: readonly VerifiedObject[];
  readonly differing: readonly DifferingObject[];
}
