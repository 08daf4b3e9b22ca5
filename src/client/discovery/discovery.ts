import type { Resource } from '../../api/resource.js';
import type { UnstructuredObject } from '../../api/kubernetesObject.js';

/** What an API server offers, requested once and then cached. */
export interface Discovery {
  /** Every resource of every group, in its group's preferred version first. */
  resources(): Promise<readonly Resource<UnstructuredObject>[]>;
  /**
   * The resource that a user's word means: a plural, singular, kind or short name, in any case, with `.group` or `.version.group` behind it if need
   * be. Fails with a TypeError that suggests similar names.
   */
  find(name: string): Promise<Resource<UnstructuredObject>>;
  /** The resources of a category, for example `all`. */
  category(name: string): Promise<readonly Resource<UnstructuredObject>[]>;
  /** Sends the request again at the next call. */
  invalidate(): void;
}
