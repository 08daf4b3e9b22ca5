import type { Collection } from '../../../informer/collection.js';
import type { ReadSelection } from '../../read.js';

/**
 * Something that functions of a view have read of one input.
 */
export interface Dependency {
  /** The collection that was read. */
  readonly collection: string;
  /** What was read of it, in words. */
  readonly read: string;
  /** The keys whose values were computed from it. */
  readonly readers: Set<string>;
  /** Whether it is what these arguments of `read` ask for, in the same words: then they need no check. */
  isOf(collection: Collection<never>, selection: ReadSelection<never>): boolean;
  /** The objects that it covers now, in ascending order of their keys. */
  objects(): readonly unknown[];
  /** Their keys. */
  keys(): readonly string[];
  /** Called when nobody reads it any more. */
  release(): void;
}
