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
