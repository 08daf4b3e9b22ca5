import { describeValue, rules } from '../../api/options.js';

/**
 * `T`, but no place to infer it from: in a `pipe` it then comes from the source, so that a predicate for any object keeps the type of a pod.
 * TypeScript has a `NoInfer` of its own only since 5.4, and the declarations are for 5.0 and later.
 */
export type NoInference<T> = [T][T extends unknown ? 0 : never];

/**
 * What a store is to hold, or a part of that, taken in bit by bit. It is not visible before it is published, in one step: a `replace` whose work has
 * been done before.
 */
export interface StagedContent<T> {
  /** What has been taken in, as it will be stored. */
  readonly objects: ReadonlyMap<string, T>;
  /** Whether it takes the place of all that the store holds; if not, the rest stays. */
  readonly whole: boolean;
  /** Whether objects are stored as they come, and not what a transform of the store makes of them. */
  readonly verbatim: boolean;
  /**
   * Takes an object in; one with the same key makes way. `key` is the key to store it under; by default the one that the store's key
   * function makes.
   *
   * @throws KeyError when it has no key, InformerError when the store's transform fails. It is not taken in then.
   */
  put(object: T, key?: string): void;
  /** Takes out what was taken in under a key. */
  remove(key: string): void;
  /**
   * Makes it the store's content, or a part of that. Nothing may be put or removed after that.
   *
   * @param gone - the keys that the store is no more to hold when a part is published.
   */
  publish(resourceVersion: string, gone?: Iterable<string>): void;
}

/** Writes under keys that the caller has: the key function of the store is not asked. They leave the store's version alone. */
export interface KeyedWrites<T> {
  /** Puts an object under its key. */
  update(key: string, object: T): void;
  /** Removes what is under the key. */
  delete(key: string): void;
}

/**
 * A keyed collection of objects: client-go's Store.
 *
 * Any implementation that passes the exported conformance suite can stand behind `scanToIndex`. `stage` and `keyed` are for speed, and for
 * objects whose keys are not made of them: a store that wraps another one, and does more than it in its writes, leaves them out.
 */
export interface Store<T> {
  /** Inserts the object, or overwrites the one under its key. */
  add(object: T): void;
  /** The same as `add`. */
  update(object: T): void;
  /** Removes the object under the key of `object`; nothing when there is none. */
  delete(object: T): void;
  /** Makes the store hold exactly these objects, in one step; of several with one key the last counts. Nothing changes if a key fails. */
  replace(objects: readonly T[], resourceVersion: string): void;
  /** The objects, in no promised order: a new array of the objects themselves, which must not be changed. */
  list(): T[];
  /** The keys of all objects, in no promised order: a new array. */
  listKeys(): string[];
  /** The object under the key of `object`. */
  get(object: T): T | undefined;
  /** The object under a key, if there is one. */
  getByKey(key: string): T | undefined;
  /** Does nothing in a plain store. */
  resync(): void;
  /** The version last written: by `replace`, `bookmark` or a changed object. */
  lastStoreSyncResourceVersion(): string;
  /** Takes note that the store reflects this version. */
  bookmark(resourceVersion: string): void;
  /**
   * Begins a content that is to take the place of the present one, or, if it is not `whole`, of a part of that: a `replace` that is done bit
   * by bit. `whole` is `true` by default.
   */
  stage?(whole?: boolean): StagedContent<T>;
  readonly keyed?: KeyedWrites<T>;
}

/** Any store of `U`. `U` is inferred from what can be read from the store; some stores take more than that in their `delete`. */
export type StoreOf<U> = Store<NoInference<U>> & Pick<Store<U>, 'getByKey'>;

const store = rules.withMethods('getByKey', 'listKeys', 'update', 'replace');

/** @throws TypeError when a value is no store. */
export function expectStore(owner: string, value: unknown): void {
  if (!store.holds(value)) throw new TypeError(`Expected the store of \`${owner}\` to be ${store.expected}, got ${describeValue(value)}`);
}

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

/** The synchronous reads that a reader has. */
export type Reads =
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
export function readerOf<T>(given: Indexer<T>, onRead: () => Pick<Indexer<T>, Reads> = () => given): IndexReader<T> {
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
