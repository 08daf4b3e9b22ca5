import type { UnstructuredObject } from '../../api/kubernetesObject.js';
import type { Resource } from '../../api/resource.js';

/** One version of a group as a server offers it. */
export interface DiscoveredVersion {
  readonly version: string;
  readonly resources: readonly Resource<UnstructuredObject>[];
}

/** One group of a server's API, its preferred version first. */
export interface DiscoveredGroup {
  readonly group: string;
  readonly versions: readonly DiscoveredVersion[];
  /** The versions that could not be read, and why. */
  readonly failures: readonly string[];
}
