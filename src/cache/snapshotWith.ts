/** The content of a cache at one moment: immutable, sharing everything unchanged with the snapshots before and after it. */
export interface IndexSnapshot<T> extends Iterable<readonly [string, T]> {
  readonly size: number;
  /** The version that the content reflects. */
  readonly resourceVersion: string;
  /** Whether there is an object under a key. */
  has(key: string): boolean;
  /** The object under a key, if there is one; takes constant time. */
  get(key: string): T | undefined;
  /** The keys, in no guaranteed order. */
  keys(): IterableIterator<string>;
  /** The objects, in no guaranteed order. */
  values(): IterableIterator<T>;
}

/** The number of buckets of a snapshot, a power of two. With 100,000 objects, a bucket holds about a hundred: copying one costs as little as copying the array of buckets. */
export const bucketCount = 1024;

/** The bucket of a key, by its FNV-1a hash. */
export function bucketOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return hash & (bucketCount - 1);
}

/** A change between two snapshots: a new or replaced object, or `undefined` for a deleted one. */
export type SnapshotChange<T> = readonly [key: string, object: T | undefined];

type Bucket<T> = Map<string, T>;

/** A snapshot that is also a `ReadonlyMap`: emitted by `toMap`. */
class BucketedSnapshot<T> implements IndexSnapshot<T>, ReadonlyMap<string, T> {
  readonly size: number;
  readonly resourceVersion: string;
  readonly #buckets: readonly Bucket<T>[];

  constructor(buckets: readonly Bucket<T>[], size: number, resourceVersion: string) {
    this.#buckets = buckets;
    this.size = size;
    this.resourceVersion = resourceVersion;
  }

  /** Copies the array of buckets and the buckets that change, each bucket once. */
  with(changes: readonly SnapshotChange<T>[], resourceVersion: string): BucketedSnapshot<T> {
    const buckets = [...this.#buckets];
    let { size } = this;
    for (const [key, object] of changes) {
      const at = bucketOf(key);
      let bucket = buckets[at] as Bucket<T>;
      if (bucket === this.#buckets[at]) buckets[at] = bucket = new Map(bucket);
      size -= bucket.size;
      if (object === undefined) bucket.delete(key);
      else bucket.set(key, object);
      size += bucket.size;
    }
    return new BucketedSnapshot(buckets, size, resourceVersion);
  }

  has(key: string): boolean {
    return this.#buckets[bucketOf(key)]?.has(key) ?? false;
  }

  get(key: string): T | undefined {
    return this.#buckets[bucketOf(key)]?.get(key);
  }

  get [Symbol.toStringTag](): string {
    return 'Map';
  }

  forEach(callback: (object: T, key: string, map: ReadonlyMap<string, T>) => void, thisArg?: unknown): void {
    for (const [key, object] of this) callback.call(thisArg, object, key, this);
  }

  *keys(): MapIterator<string> {
    for (const bucket of this.#buckets) yield* bucket.keys();
  }

  *values(): MapIterator<T> {
    for (const bucket of this.#buckets) yield* bucket.values();
  }

  *entries(): MapIterator<[string, T]> {
    for (const bucket of this.#buckets) yield* bucket;
  }

  [Symbol.iterator](): MapIterator<[string, T]> {
    return this.entries();
  }
}

let empty: BucketedSnapshot<never> | undefined;

/** The snapshot of an empty cache. */
export function emptySnapshot<T>(): IndexSnapshot<T> {
  empty ??= new BucketedSnapshot<never>(
    Array.from({ length: bucketCount }, () => new Map<string, never>()),
    0,
    '',
  );
  return empty;
}

/**
 * The snapshot after these changes, applied in order. `snapshot` itself does not change; unchanged parts are shared. Without any difference, the result is
 * `snapshot`.
 *
 * Call it for one change at a time, and for a relist with all changes as one batch. Nothing is kept between calls: without snapshots there is no
 * cost.
 *
 * @throws TypeError when `snapshot` was not made by this package.
 */
export function snapshotWith<T>(
  snapshot: IndexSnapshot<T>,
  changes: readonly SnapshotChange<T>[],
  resourceVersion: string,
): IndexSnapshot<T> {
  if (!(snapshot instanceof BucketedSnapshot)) throw new TypeError('Expected `snapshot` to be made by emptySnapshot or snapshotWith');
  const before = snapshot as BucketedSnapshot<T>;
  const differs = changes.some(([key, object]) => before.get(key) !== object);
  return differs || before.resourceVersion !== resourceVersion ? before.with(differs ? changes : [], resourceVersion) : before;
}
