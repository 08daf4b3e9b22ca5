import type { Collection } from '../informer/collection.js';
import type { Selection } from '../informer/lister.js';
import type { none } from './none.js';

/**
 * Which objects of a collection to read; all that fulfil every condition. A condition that is there but undefined is an error: it would read too much.
 */
export interface ReadSelection<T> {
  /** The namespace in the keys of the objects. */
  readonly namespace?: string | undefined;
  /** The text of kubectl's `-l`, the object that specs carry, labels to be equal to, or `none`. An empty selector selects everything. */
  readonly labelSelector?: Selection | Readonly<Record<string, string>> | typeof none | undefined;
  /** A pure function of the object alone. The value is computed again when an object changes for which it returned true, or now does. */
  readonly filter?: ((object: T) => boolean) | undefined;
}

/**
 * Reads other collections inside the function of a view, and records what was read: the value is computed again when that changes.
 *
 * The objects come in ascending order of their keys. They are those of the cache: they must not be changed. It works only until the function returns.
 */
export interface Read {
  /**
   * The selected objects of a collection; all of them without a selection.
   *
   * Equality conditions of a label selector are looked up; without any, all objects of the namespace or of the collection are tested.
   *
   * @throws TypeError when a condition is undefined or no selector, or when the collection is made of the view that reads it.
   */
  <T>(collection: Collection<T>, selection?: ReadSelection<T>): readonly T[];
  /** The object under a key, if there is one. */
  get<T>(collection: Collection<T>, key: string): T | undefined;
  /**
   * The objects filed under a value of an index.
   *
   * @throws TypeError when there is no such index.
   */
  byIndex<T>(collection: Collection<T>, indexName: string, indexedValue: string): readonly T[];
}
