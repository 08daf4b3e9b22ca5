import type { Indexer, Indexers } from './indexer.js';

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

/** The reads of an indexer, without its writing methods. */
export function readerOf<T>(indexer: Indexer<T>): IndexReader<T> {
  return {
    list: () => indexer.list(),
    listKeys: () => indexer.listKeys(),
    get: (object) => indexer.get(object),
    getByKey: (key) => indexer.getByKey(key),
    index: (indexName, object) => indexer.index(indexName, object),
    indexKeys: (indexName, indexedValue) => indexer.indexKeys(indexName, indexedValue),
    listIndexFuncValues: (indexName) => indexer.listIndexFuncValues(indexName),
    byIndex: (indexName, indexedValue) => indexer.byIndex(indexName, indexedValue),
    byIndexes: (values) => indexer.byIndexes(values),
    getIndexers: () => indexer.getIndexers(),
    lastStoreSyncResourceVersion: () => indexer.lastStoreSyncResourceVersion(),
  };
}
