import type { LabelMap, LabelSelector, LabelSelectorObject } from '../api/selectors/labelSelector.js';

/** Selects objects by their labels: the text of kubectl's `-l`, the object that specs carry, or a selector that is parsed already. */
export type Selection = string | LabelSelectorObject | LabelMap | LabelSelector;

/** Synchronous reads of a cache. The objects are those of the cache: they must not be changed. */
export interface NamespaceLister<T> {
  /**
   * The objects that a label selector selects, in no promised order; all without one.
   *
   * @throws TypeError when the selector cannot be parsed.
   */
  list(selector?: Selection): T[];
  /**
   * The object of that name, or undefined.
   *
   * @throws TypeError when it cannot be a name, because of its slashes.
   */
  get(name: string): T | undefined;
  /**
   * The object of that name.
   *
   * @throws ApiError with the reason `NotFound` when it is not in the cache.
   */
  getOrThrow(name: string): T;
}

/**
 * Reads of a whole cache. Names are keys: `namespace/name`, or `name` alone for cluster-scoped objects.
 *
 * @see client-go: the generated listers, and `GenericLister`
 */
export interface Lister<T> extends NamespaceLister<T> {
  /** Reads of one namespace; `''` stands for all of them when listing, and for no namespace when getting. */
  namespace(namespace: string): NamespaceLister<T>;
  /**
   * The objects filed under a value of an index.
   *
   * @throws TypeError when there is no such index.
   */
  byIndex(indexName: string, indexedValue: string): T[];
}
