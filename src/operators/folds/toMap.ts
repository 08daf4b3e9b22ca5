import type { OperatorFunction } from 'rxjs';
import type { ResourceChange } from '../../api/events/resourceChange.js';
import { emptySnapshot, snapshotWith } from '../../cache/snapshot/snapshotWith.js';
import { foldChanges } from './foldChanges.js';
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

/** A snapshot with the interface of a map. */
function mapOfSnapshot<T>(snapshot: IndexSnapshot<T>): ReadonlyMap<string, T> {
  return new SnapshotMap(snapshot) as unknown as ReadonlyMap<string, T>;
}

/**
 * The objects by key: one map for each change, from the first one on that is synced.
 *
 * ```text
 * source     {+a +b synced}  {~a}    {-b}
 * toMap()    {a b}           {a' b}  {a'}
 * ```
 *
 * - A map stays as it is; it shares everything unchanged with the maps before and after it, so that a change costs the same however many objects
 *   there are. It is a `ReadonlyMap`, but no `Map`, and its order is not promised. A change that alters nothing emits the same map again.
 * - It takes changes only. The result fails with a TypeError at the first value that is none.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources, toMap } from 'rx-informer';
 *
 * const nodes = createInformer(createClient(), resources.core.v1.nodes);
 * nodes.change$.pipe(toMap()).subscribe((byKey) => console.log(byKey.size));
 * ```
 */
export function toMap<T>(): OperatorFunction<ResourceChange<T>, ReadonlyMap<string, T>> {
  return foldChanges('toMap', () => {
    let snapshot = emptySnapshot<T>();
    let map = mapOfSnapshot(snapshot);
    return ({ events }) => {
      const changes = events.map((event) => [event.key, event.type === 'deleted' ? undefined : event.object] as const);
      const after = snapshotWith(snapshot, changes, '');
      if (after !== snapshot) map = mapOfSnapshot((snapshot = after));
      return map;
    };
  });
}
