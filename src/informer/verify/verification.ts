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
