import type { Resource } from '../../api/resource.js';
import type { UnstructuredObject } from '../../api/kubernetesObject.js';

/** The resources that an API server serves, requested once and then cached. */
export interface Discovery {
  /** Every resource of every group, in its group's preferred version first. */
  resources(): Promise<readonly Resource<UnstructuredObject>[]>;
  /**
   * The resource that a user's word names: a plural, singular, kind or short name, in any case, optionally followed by `.group` or `.version.group`. Rejects with
   * a TypeError that suggests similar names.
   */
  find(name: string): Promise<Resource<UnstructuredObject>>;
  /** The resources of a category, for example `all`. */
  category(name: string): Promise<readonly Resource<UnstructuredObject>[]>;
  /** Drops the cached answer: the next call asks the server again. */
  invalidate(): void;
}
