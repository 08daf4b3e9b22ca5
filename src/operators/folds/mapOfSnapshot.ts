import type { IndexSnapshot } from '../../cache/snapshot/indexSnapshot.js';

class SnapshotMap<T> {
  private readonly snapshot: IndexSnapshot<T>;

  constructor(snapshot: IndexSnapshot<T>) {
    this.snapshot = snapshot;
  }

  get size(): number {
    return this.snapshot.size;
  }

  get [Symbol.toStringTag](): string {
    return 'Map';
  }

  get(key: string): T | undefined {
    return this.snapshot.get(key);
  }

  has(key: string): boolean {
    return this.snapshot.has(key);
  }

  keys(): IterableIterator<string> {
    return this.snapshot.keys();
  }

  values(): IterableIterator<T> {
    return this.snapshot.values();
  }

  *entries(): IterableIterator<[string, T]> {
    for (const [key, object] of this.snapshot) yield [key, object];
  }

  [Symbol.iterator](): IterableIterator<[string, T]> {
    return this.entries();
  }

  forEach(callback: (object: T, key: string, map: ReadonlyMap<string, T>) => void, thisArg?: unknown): void {
    for (const [key, object] of this.snapshot) callback.call(thisArg, object, key, this as never);
  }
}

/**
 * A snapshot with the interface of a map.
 */
export function mapOfSnapshot<T>(snapshot: IndexSnapshot<T>): ReadonlyMap<string, T> {
  return new SnapshotMap(snapshot) as unknown as ReadonlyMap<string, T>;
}
