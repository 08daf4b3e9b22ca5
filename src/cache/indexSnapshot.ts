/**
 * The content of a cache at one moment: immutable, sharing everything unchanged with the snapshots before and after it.
 */
export interface IndexSnapshot<T> extends Iterable<readonly [string, T]> {
  readonly size: number;
  /** The version that the content reflects. */
  readonly resourceVersion: string;
  has(key: string): boolean;
  get(key: string): T | undefined;
  keys(): IterableIterator<string>;
  values(): IterableIterator<T>;
}
