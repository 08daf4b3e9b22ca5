import type { StagedContent } from './stagedContent.js';

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
