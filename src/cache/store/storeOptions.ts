import type { Indexers } from './indexer.js';
import type { IndexErrorHandler } from './indexSet.js';
import type { KeyFunc } from '../keys/keyFunc.js';

/**
 * Options of `createStore`.
 */
export interface StoreOptions<T> {
  /**
   * Tells under which key an object is stored.
   * @defaultValue `metaNamespaceKey`
   */
  readonly keyFunc?: KeyFunc<T> | undefined;
  /**
   * What is stored for an object, instead of the object itself. The key and the version are those of the object as it came, so a transform may
   * leave out anything. When it throws or returns nothing, the write is not done.
   */
  readonly transform?: ((object: T) => T) | undefined;
  /** What the store holds from the start, for example what an earlier run of the program has saved. */
  readonly initialObjects?: Iterable<T> | undefined;
}

/**
 * Options of `createIndexer`.
 */
export interface IndexerOptions<T> extends StoreOptions<T> {
  /** The indexes to start with; more can be added at any time. */
  readonly indexers?: Indexers<T> | undefined;
  /**
   * Is told of index functions that fail, after the object has been stored. Without it, the write throws an InformerError with the code
   * `ERR_INDEX_FUNC` after the object has been stored.
   */
  readonly onIndexError?: IndexErrorHandler | undefined;
}

function expectFunction(name: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'function') throw new TypeError(`Expected \`${name}\` to be a function, got ${typeof value}`);
}

/**
 * @throws TypeError naming the option that is wrong.
 */
export function checkStoreOptions<T>(options: IndexerOptions<T>): void {
  expectFunction('keyFunc', options.keyFunc);
  expectFunction('transform', options.transform);
  expectFunction('onIndexError', options.onIndexError);
  const initialObjects: unknown = options.initialObjects;
  if (
    initialObjects !== undefined &&
    (typeof initialObjects !== 'object' || initialObjects === null || !(Symbol.iterator in initialObjects))
  ) {
    throw new TypeError(`Expected \`initialObjects\` to be iterable, got ${initialObjects === null ? 'null' : typeof initialObjects}`);
  }
}
