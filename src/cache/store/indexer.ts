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

type Reads =
  | 'list'
  | 'listKeys'
  | 'get'
  | 'getByKey'
  | 'index'
  | 'indexKeys'
  | 'listIndexFuncValues'
  | 'byIndex'
  | 'byIndexes'
  | 'lastStoreSyncResourceVersion';

/**
 * Synchronous reads of a cache by key and by index: an `Indexer` without its writing methods. A reader of objects is one of anything that they are.
 */
export interface IndexReader<T> extends Pick<Indexer<T>, Reads> {
  /** The index functions by the names of their indexes, which only the cache calls. */
  getIndexers(): Indexers<never>;
}

/** The reads of an indexer, without its writing methods; `onRead` is asked for it at each read of objects. */
export function readerOf<T>(given: Indexer<T>, onRead: () => Indexer<T> = () => given): IndexReader<T> {
  return {
    list: () => onRead().list(),
    listKeys: () => onRead().listKeys(),
    get: (object) => onRead().get(object),
    getByKey: (key) => onRead().getByKey(key),
    index: (indexName, object) => onRead().index(indexName, object),
    indexKeys: (indexName, indexedValue) => onRead().indexKeys(indexName, indexedValue),
    listIndexFuncValues: (indexName) => onRead().listIndexFuncValues(indexName),
    byIndex: (indexName, indexedValue) => onRead().byIndex(indexName, indexedValue),
    byIndexes: (values) => onRead().byIndexes(values),
    getIndexers: () => given.getIndexers(),
    lastStoreSyncResourceVersion: () => given.lastStoreSyncResourceVersion(),
  };
}
