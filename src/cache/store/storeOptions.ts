import type { OptionRules } from '../../api/options/optionRule.js';
import { rules } from '../../api/options/rules.js';
import type { Indexers } from './indexer.js';
import type { IndexErrorHandler } from './indexSet.js';
import type { KeyFunc } from '../keys/keyFunc.js';

/** Options of `createStore`. */
export interface StoreOptions<T> {
  /**
   * Returns the key under which an object is stored.
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

/** Options of `createIndexer`. */
export interface IndexerOptions<T> extends StoreOptions<T> {
  /** The indexes to start with; more can be added at any time. */
  readonly indexers?: Indexers<T> | undefined;
  /**
   * Called for index functions that fail, after the object has been stored. Without it, the write throws an InformerError with the code
   * `ERR_INDEX_FUNC` after the object has been stored.
   */
  readonly onIndexError?: IndexErrorHandler | undefined;
}

/** The rules of the options of a store. @internal */
export const storeRules: OptionRules<StoreOptions<never>> = {
  keyFunc: rules.function,
  transform: rules.function,
  initialObjects: rules.iterable,
};

/** The rules of the options of an indexer. The functions of `indexers` are checked one by one. @internal */
export const indexerRules: OptionRules<IndexerOptions<never>> = { ...storeRules, indexers: rules.any, onIndexError: rules.function };
