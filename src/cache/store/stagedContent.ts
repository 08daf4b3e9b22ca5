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
