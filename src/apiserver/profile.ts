/**
 * Which generation of API servers the server behaves like.
 *
 * - `current`: streams initial lists (WatchList); the default.
 * - `gate-off`: current, with the WatchList feature switched off: such watches are refused with 422.
 * - `1.26`: as servers from 1.19 to 1.26: WatchList parameters are refused with 422, in other words.
 * - `1.18`: as servers up to 1.18 and many that are not made of Kubernetes' own parts: WatchList parameters are ignored, the marker never comes.
 */
export type ApiServerProfile = '1.18' | '1.26' | 'current' | 'gate-off';

/**
 * What a profile decides.
 */
export interface ProfileFeatures {
  readonly gitVersion: string;
  /** What happens to `sendInitialEvents` and `resourceVersionMatch` on a watch. */
  readonly watchList: 'on' | 'gate-off' | 'unknown' | 'ignored';
  /** Whether the version of bookmarks follows every write, or those of the watched resource alone. */
  readonly progressNotify: boolean;
  /** Whether the newer of two behaviours is shown where versions differ in texts and codes. */
  readonly modern: boolean;
  readonly aggregatedDiscovery: boolean;
}

/** The features of each profile. */
export const profiles: Readonly<Record<ApiServerProfile, ProfileFeatures>> = {
  current: { gitVersion: 'v1.36.0', watchList: 'on', progressNotify: true, modern: true, aggregatedDiscovery: true },
  'gate-off': { gitVersion: 'v1.33.0', watchList: 'gate-off', progressNotify: true, modern: true, aggregatedDiscovery: true },
  '1.26': { gitVersion: 'v1.26.0', watchList: 'unknown', progressNotify: false, modern: false, aggregatedDiscovery: false },
  '1.18': { gitVersion: 'v1.18.20', watchList: 'ignored', progressNotify: false, modern: false, aggregatedDiscovery: false },
};
