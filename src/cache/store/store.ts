import { describeValue, rules } from '../../api/options.js';

/**
 * `T`, but not inferred from here: in a `pipe` the type then comes from the source, so that a predicate for any object keeps the type of a pod.
 * TypeScript has a `NoInfer` of its own only since 5.4, and the declarations are for 5.0 and later.
 */
export type NoInference<T> = [T][T extends unknown ? 0 : never];

/**
 * A keyed collection of objects: client-go's Store.
 *
 * Any implementation that passes the exported conformance suite works with `scanToIndex`. It computes its keys from the objects; only stores of this package
 * take the keys of source events. What it throws ends the stream with that error.
 */
export interface Store<T> {
  /** Inserts the object, or overwrites the one under its key. */
  add(object: T): void;
  /** The same as `add`. */
  update(object: T): void;
  /** Removes the object under the key of `object`; nothing when there is none. */
  delete(object: T): void;
  /** Replaces the content by exactly these objects, in one step; of several with one key the last counts. Nothing changes if a key fails. */
  replace(objects: readonly T[], resourceVersion: string): void;
  /** The objects, in no guaranteed order: a new array of the stored objects, which must not be changed. */
  list(): T[];
  /** The keys of all objects, in no guaranteed order: a new array. */
  listKeys(): string[];
  /** The object under the key of `object`. */
  get(object: T): T | undefined;
  /** The object under a key, if there is one. */
  getByKey(key: string): T | undefined;
  /** Does nothing in a plain store. */
  resync(): void;
  /** The version last written: by `replace`, `bookmark` or a changed object. */
  lastStoreSyncResourceVersion(): string;
  /** Records that the store reflects this version. */
  bookmark(resourceVersion: string): void;
}

/** Any store of `U`. `U` is inferred from `getByKey`, since `delete` of some stores accepts more types. */
export type StoreOf<U> = Store<NoInference<U>> & Pick<Store<U>, 'getByKey'>;

/** What a cache needs of its store beside `contentOf`. */
export type CacheStore<T> = Pick<Store<T>, 'listKeys' | 'getByKey' | 'lastStoreSyncResourceVersion' | 'bookmark'>;

const store = rules.withMethods('getByKey', 'listKeys', 'update', 'replace');

/** @throws TypeError when a value is not a store. */
export function expectStore(owner: string, value: unknown): void {
  if (!store.holds(value)) throw new TypeError(`Expected the store of \`${owner}\` to be ${store.expected}, got ${describeValue(value)}`);
}

/**
 * The values under which an index has an object; none or several are fine. Must be pure: it is called with old objects as well. `key` is the key under which
 * the object is stored.
 */
export type IndexFunc<T> = (object: T, key: string) => readonly string[];

/** Index functions by the names of their indexes. */
export type Indexers<T> = Readonly<Record<string, IndexFunc<T>>>;

/**
 * Called for an index function that threw, or did not return an array of strings. The object has been stored, without an entry in
 * that index.
 */
export type IndexErrorHandler = (error: unknown, indexName: string, key: string) => void;

/** A Store with secondary indexes: client-go's Indexer. */
export interface Indexer<T> extends Store<T> {
  /** The objects that share any value of the named index with `object`. */
  index(indexName: string, object: T): T[];
  /** The keys of the objects with a value, ascending. */
  indexKeys(indexName: string, indexedValue: string): string[];
  /** The values that have at least one object; none for an unknown index. */
  listIndexFuncValues(indexName: string): string[];
  /** The objects with a value. */
  byIndex(indexName: string, indexedValue: string): T[];
  /** The objects with all of these values of several indexes. */
  byIndexes(values: Readonly<Record<string, string>>): T[];
  /** The index functions by the names of their indexes. */
  getIndexers(): Indexers<T>;
  /** Adds indexes, with entries for all stored objects, and returns what removes them. When a name exists already, throws and adds nothing. */
  addIndexers(indexers: Indexers<T>): () => void;
}

type Writes = 'add' | 'update' | 'delete' | 'replace' | 'resync' | 'bookmark' | 'addIndexers';

/**
 * Synchronous reads of a cache by key and by index: an `Indexer` without its writing methods. Covariant in `T`.
 */
export interface IndexReader<T> extends Omit<Indexer<T>, Writes | 'getIndexers'> {
  /** The index functions by the names of their indexes. Only the cache may call them. */
  getIndexers(): Indexers<never>;
}

/** Any reader of `T`. `T` is inferred from `getByKey`, since `get` of some stores accepts more types. */
export type ReaderOf<T> = IndexReader<NoInference<T>> & Pick<IndexReader<T>, 'getByKey'>;

/** The names of the methods that read content. */
export type Reads = Exclude<keyof IndexReader<unknown>, 'getIndexers'>;

/** The reads of an indexer, without its writing methods. `onRead` returns the indexer to read, at each read of objects. */
export function readerOf<T>(given: ReaderOf<T>, onRead: () => Pick<ReaderOf<T>, Reads> = () => given): IndexReader<T> {
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

/** The keys of a store with their objects. @internal */
export function* entriesOf<T>(store: Pick<Store<T>, 'listKeys' | 'getByKey'>): Generator<readonly [key: string, object: T]> {
  for (const key of store.listKeys()) {
    const object = store.getByKey(key);
    if (object !== undefined) yield [key, object];
  }
}
