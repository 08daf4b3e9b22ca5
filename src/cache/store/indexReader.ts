import type { Indexer } from './indexer.js';

/**
 * Synchronous reads of a cache by key and by index: an `Indexer` without its writing methods.
 */
export type IndexReader<T> = Pick<
  Indexer<T>,
  | 'list'
  | 'listKeys'
  | 'get'
  | 'getByKey'
  | 'index'
  | 'indexKeys'
  | 'listIndexFuncValues'
  | 'byIndex'
  | 'byIndexes'
  | 'getIndexers'
  | 'lastStoreSyncResourceVersion'
>;
