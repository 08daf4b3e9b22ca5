import { type CacheStore, entriesOf, type IndexErrorHandler, type Store } from './store.js';

/**
 * New content of a store, or of a part of it, collected step by step. It is invisible until it is published in one step: a `replace` whose work has been done
 * beforehand.
 */
export interface StagedContent<T> {
  readonly objects: ReadonlyMap<string, T>;
  /** Whether it replaces the whole content of the store; if not, other keys keep their objects. */
  readonly whole: boolean;
  /** Adds an object, replacing one with the same key. */
  put(key: string, object: T): void;
  /** Removes the object added under a key. */
  remove(key: string): void;
  /**
   * Makes it the store's content, or a part of it. Nothing may be added or removed afterwards.
   *
   * @param gone - when a part is published: the keys to delete from the store.
   */
  publish(resourceVersion: string, gone?: Iterable<string>): void;
}

/**
 * The content of a store, as the cache writes it: under the keys that the cache knows. A write does not change the version. Failures of index functions go to
 * the store's handler; without one, `report` passes them to another.
 */
export interface Content<T> {
  /** The object under a key. No view tracks it: the cache itself reads. */
  get(key: string): T | undefined;
  put(key: string, object: T): void;
  remove(key: string): void;
  stage(whole: boolean): StagedContent<T>;
  report(handler: IndexErrorHandler): void;
}

/** The contents of the stores of this package. A wrapper around such a store has none, so that its own methods are called. */
export const contents: WeakMap<object, Content<unknown>> = new WeakMap();

/** The content of a user's store, by its public methods. */
function contentBy<T>(store: Store<T>): Content<T> {
  return {
    get: (key) => store.getByKey(key),
    put: (_, object) => store.update(object),
    remove: (key) => {
      const object = store.getByKey(key);
      if (object !== undefined) store.delete(object);
    },
    stage: (whole) => {
      const staged = new Map<string, T>();
      return {
        whole,
        objects: staged,
        put: (key, object) => staged.set(key, object),
        remove: (key) => staged.delete(key),
        publish: (resourceVersion, gone = []) => {
          const all = new Map(whole ? [] : entriesOf(store));
          for (const key of gone) all.delete(key);
          for (const [key, object] of staged) all.set(key, object);
          store.replace([...all.values()], resourceVersion);
        },
      };
    },
    report: () => undefined,
  };
}

/** The content of a store of this package. */
export function sealedContent<T>(store: CacheStore<T>): Content<T> {
  return contents.get(store) as Content<T>;
}

/** The content of any store. */
export function contentOf<T>(store: CacheStore<T>): Content<T> {
  return contents.has(store) ? sealedContent(store) : contentBy(store as Store<T>);
}
