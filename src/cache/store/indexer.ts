import type { Store } from './store.js';

/**
 * The values under which an index files an object; none or several are fine. Must be pure: it is called with old objects as well. `key` is the key that the
 * object is stored under.
 */
export type IndexFunc<T> = (object: T, key: string) => readonly string[];

/** Index functions by the names of their indexes. */
export type Indexers<T> = Readonly<Record<string, IndexFunc<T>>>;

/** A Store with secondary indexes: client-go's Indexer. */
export interface Indexer<T> extends Store<T> {
  /** The objects that share any value of the named index with `object`. */
  index(indexName: string, object: T): T[];
  /** The keys of the objects filed under a value, ascending. */
  indexKeys(indexName: string, indexedValue: string): string[];
  /** The values that have at least one object; none for an unknown index. */
  listIndexFuncValues(indexName: string): string[];
  /** The objects filed under a value. */
  byIndex(indexName: string, indexedValue: string): T[];
  /** The objects filed under all of these values of several indexes. */
  byIndexes(values: Readonly<Record<string, string>>): T[];
  /** The index functions by the names of their indexes. */
  getIndexers(): Indexers<T>;
  /** Adds indexes and files every stored object at once. A name that exists is an error, and nothing is added. */
  addIndexers(indexers: Indexers<T>): void;
  /** Removes an index; reading it is an error from then on. */
  removeIndexer(indexName: string): void;
}
