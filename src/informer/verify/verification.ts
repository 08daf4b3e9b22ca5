import { type OptionRules, rules } from '../../api/options.js';
import { type WaitOptions, waitRules } from '../waiting/waitFor.js';

/** Options of `verify`. */
export interface VerifyOptions extends WaitOptions {
  /** Lists whole objects, and compares contents of equal versions. Not for informers with a `transform`. @defaultValue false */
  readonly contents?: boolean | undefined;
  /** Objects per page of the list; 0 for all at once. @defaultValue 500 */
  readonly pageSize?: number | undefined;
}

const ownRules = { contents: rules.boolean, pageSize: rules.number({ min: 0, integer: true }) };

/** The rules of the options of `verify`. @internal */
export const verifyRules: OptionRules<VerifyOptions> = { ...waitRules, ...ownRules };

/** How an informer verifies its cache automatically. */
export interface VerificationOptions extends Pick<VerifyOptions, 'contents' | 'pageSize'> {
  /** The period in milliseconds, prolonged at random by up to a tenth. At least 1,000. @defaultValue Infinity: only after outages */
  readonly everyMs?: number | undefined;
  /**
   * The largest cache, in objects, that is verified after an outage; a larger one waits for its next list, or for `everyMs`, and its health says so
   * (`unverifiedSince`). `Infinity` for no limit.
   *
   * @defaultValue 5000
   */
  readonly maxObjects?: number | undefined;
  /** What to do about a difference: list again in parallel to the watch, or only report it. A list does not correct differing contents of equal versions. @defaultValue `'relist'` */
  readonly onDrift?: 'relist' | 'report' | undefined;
}

/** The rules of the options of verification. @internal */
export const verificationRules: OptionRules<VerificationOptions> = {
  ...ownRules,
  everyMs: rules.durationOf({ min: 1000, infinite: true }),
  maxObjects: rules.number({ min: 1, infinite: true }),
  onDrift: rules.oneOf('relist', 'report'),
};

/** An object that only one side has, with its version. */
export interface VerifiedObject {
  readonly key: string;
  /** `''` when a `transform` removed it. */
  readonly resourceVersion: string;
}

/** An object that differs between both sides. */
export interface DifferingObject {
  readonly key: string;
  /** The version in the cache. */
  readonly cached: string;
  /** The version on the server. Equal to `cached` if only the contents differ. */
  readonly served: string;
}

/** The differences between a cache and its server at the same version. Lists are in order of the keys. */
export interface Verification {
  /** Whether nothing differs. */
  readonly isConsistent: boolean;
  /** The number of objects on the server. */
  readonly count: number;
  /** The compared version, by scope (namespace); `''` is the scope of an informer on all namespaces. */
  readonly resourceVersions: ReadonlyMap<string, string>;
  /** Objects on the server that the cache lacks. */
  readonly missing: readonly VerifiedObject[];
  /** Cached objects that the server does not have. */
  readonly extra: readonly VerifiedObject[];
  readonly differing: readonly DifferingObject[];
}
