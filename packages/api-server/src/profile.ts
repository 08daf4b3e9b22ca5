/**
 * The generation of API servers that this server imitates.
 *
 * - `current`: streams initial lists (WatchList); the default.
 * - `gate-off`: current, with the feature gate WatchList off: such watches are refused with 422.
 * - `1.26`: servers from 1.19 to 1.26: WatchList parameters are refused with 422, with another message.
 * - `1.18`: servers up to 1.18, and many that do not use Kubernetes' own code: WatchList parameters are ignored, and the bookmark that ends
 *   the initial events never comes.
 */
export type ApiServerProfile = '1.18' | '1.26' | 'current' | 'gate-off';

/** The features in which profiles differ. */
export interface ProfileFeatures {
  readonly gitVersion: string;
  /** The treatment of `sendInitialEvents` and `resourceVersionMatch` in a watch. */
  readonly watchList: 'on' | 'gate-off' | 'unknown' | 'ignored';
  /** Whether the version of bookmarks follows every write, or only writes to the watched resource. */
  readonly progressNotify: boolean;
  /** Whether messages and codes are those of newer servers. */
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
