import { enableMapSet, Immer } from 'immer';
import type { IndexSnapshot } from './indexSnapshot.js';

/**
 * What differs in a snapshot from the one before: an object that came or was replaced, or `undefined` for one that went.
 */
export type SnapshotChange<T> = readonly [key: string, object: T | undefined];

type Bucket<T> = Map<string, T>;

/** A power of two. At 100,000 objects, a bucket has a hundred: as cheap to copy as the array of the buckets. */
const bucketCount = 1024;

/** FNV-1a with its higher bits folded in. */
function bucketOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 15)) & (bucketCount - 1);
}

enableMapSet();

/** Freezing is left to who owns the objects: they are far larger than the buckets. */
const immer = new Immer({ autoFreeze: false });

class BucketedSnapshot<T> implements IndexSnapshot<T> {
  readonly size: number;
  readonly resourceVersion: string;
  readonly #buckets: readonly Bucket<T>[];

  constructor(buckets: readonly Bucket<T>[], size: number, resourceVersion: string) {
    this.#buckets = buckets;
    this.size = size;
    this.resourceVersion = resourceVersion;
  }

  static bucketsOf<T>(snapshot: BucketedSnapshot<T>): readonly Bucket<T>[] {
    return snapshot.#buckets;
  }

  has(key: string): boolean {
    return this.#buckets[bucketOf(key)]?.has(key) ?? false;
  }

  get(key: string): T | undefined {
    return this.#buckets[bucketOf(key)]?.get(key);
  }

  *keys(): IterableIterator<string> {
    for (const bucket of this.#buckets) yield* bucket.keys();
  }

  *values(): IterableIterator<T> {
    for (const bucket of this.#buckets) yield* bucket.values();
  }

  *[Symbol.iterator](): IterableIterator<readonly [string, T]> {
    for (const bucket of this.#buckets) yield* bucket;
  }
}

/** Carries out the changes in buckets of one's own, and tells by how much the size grew. */
function apply<T>(buckets: readonly Bucket<T>[], changes: readonly SnapshotChange<T>[]): number {
  let growth = 0;
  for (const [key, object] of changes) {
    const bucket = buckets[bucketOf(key)];
    if (bucket === undefined) continue;
    const size = bucket.size;
    if (object === undefined) bucket.delete(key);
    else bucket.set(key, object);
    growth += bucket.size - size;
  }
  return growth;
}

let empty: BucketedSnapshot<never> | undefined;

/**
 * The snapshot of an empty cache.
 */
export function emptySnapshot<T>(): IndexSnapshot<T> {
  empty ??= new BucketedSnapshot<never>(
    Array.from({ length: bucketCount }, () => new Map<string, never>()),
    0,
    '',
  );
  return empty;
}

/**
 * The snapshot that comes after `snapshot` when these changes have been made, in this order. `snapshot` stays as it is; what has not changed
 * is shared by both. Without any difference it is `snapshot` itself.
 *
 * Made for one change at a time, and for a whole relist as one batch. Nothing is kept between two calls: who has no use for snapshots makes
 * none, and pays nothing.
 *
 * @throws TypeError when `snapshot` was not made by this package.
 */
export function snapshotWith<T>(
  snapshot: IndexSnapshot<T>,
  changes: readonly SnapshotChange<T>[],
  resourceVersion: string,
): IndexSnapshot<T> {
  if (!(snapshot instanceof BucketedSnapshot)) throw new TypeError('Expected `snapshot` to be made by emptySnapshot or snapshotWith');
  const before = BucketedSnapshot.bucketsOf(snapshot as BucketedSnapshot<T>);
  if (changes.every(([key, object]) => snapshot.get(key) === object)) {
    return snapshot.resourceVersion === resourceVersion ? snapshot : new BucketedSnapshot(before, snapshot.size, resourceVersion);
  }
  let growth = 0;
  let after: readonly Bucket<T>[];
  if (changes.length > bucketCount) {
    // A change in nearly every bucket: copying all of them takes a fraction of the time that drafts take.
    after = before.map((bucket) => new Map(bucket));
    growth = apply(after, changes);
  } else {
    after = immer.produce(before, (draft) => {
      growth = apply(draft as readonly Bucket<T>[], changes);
    });
  }
  return new BucketedSnapshot(after, snapshot.size + growth, resourceVersion);
}
