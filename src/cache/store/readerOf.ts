import type { IndexReader } from './indexReader.js';
import type { Indexer } from './indexer.js';

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
