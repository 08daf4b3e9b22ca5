/** The content of a cache at one moment: immutable, sharing everything unchanged with the snapshots before and after it. */
export interface IndexSnapshot<T> extends Iterable<readonly [string, T]> {
  readonly size: number;
  /** The version that the content reflects. */
  readonly resourceVersion: string;
  /** Whether there is an object under a key. */
  has(key: string): boolean;
  /** The object under a key, if there is one; takes constant time. */
  get(key: string): T | undefined;
  /** The keys, in no promised order. */
  keys(): IterableIterator<string>;
  /** The objects, in no promised order. */
  values(): IterableIterator<T>;
}
