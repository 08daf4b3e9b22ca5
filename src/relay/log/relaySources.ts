import type { Resource } from '../../api/resource.js';
import type { Collection } from '../../informer/collection.js';

/** A kind that pages may follow. */
export interface RelayKind {
  readonly collection: Collection<unknown>;
  /** What it is a collection of: what a user needs the right to list and watch. */
  readonly resource: Pick<Resource<unknown>, 'group' | 'plural' | 'namespaced'>;
}

/** A view that pages may follow. */
export interface RelayView {
  readonly collection: Collection<unknown>;
  /**
   * The names of all sources that it is made of. A user sees a value with the rights of everything that it was made from, where the view can `explain` it; else only
   * with the right to all namespaces of every input.
   */
  readonly inputs: readonly string[];
}

/** What pages may follow, by the names that they use. Nothing else can be asked for. */
export type RelaySources = Readonly<Record<string, RelayKind | RelayView>>;
