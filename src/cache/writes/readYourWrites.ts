import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import type { ObjectName } from '../keys/objectName.js';

/** Options of `createReadYourWrites`. */
export interface ReadYourWritesOptions<T> {
  /**
   * What the cache would hold of an object that the server answered with: whatever its transform makes of it, or undefined when its
   * selectors leave the object out. A write for which it throws is not shown.
   * @defaultValue the object itself
   */
  readonly project?: ((written: KubernetesObject) => T | undefined) | undefined;
  /**
   * The version up to which the cache is complete for a key. A cache that is fed from several namespaces has one for each.
   * @defaultValue the indexer's `lastStoreSyncResourceVersion`
   */
  readonly reachedVersion?: ((key: string) => string) | undefined;
  /**
   * How many writes, and how many deletions, are kept at most; beyond that the oldest is forgotten, and reads show what the cache has.
   * @defaultValue 1000
   */
  readonly maxEntries?: number | undefined;
}

/** A deletion that the server has carried out. */
export interface NotedDelete extends ObjectName {
  /** The uid of what was deleted. Without it (here or in `object`) the deletion shows when the cache has it. */
  readonly uid?: string | undefined;
  /** The object as the server answered. */
  readonly object?: KubernetesObject | undefined;
}

/** Reads of a cache that show one's own writes at once. */
export interface ReadYourWrites<T> {
  /** Takes the server's answer to a create, replace or patch. Answers may come late and in any order. */
  noteWrite(written: KubernetesObject): void;
  /** Takes the server's answer to a delete. An object that finalizers or a grace period keep is a write. */
  noteDelete(deleted: NotedDelete): void;
  /**
   * Takes an event of the cache, after the cache was changed: what it has caught up with is let go. After a `synced` with a lower version
   * than the one before, the server's history is another, and everything is let go.
   */
  noteEvent(event: ResourceEvent<T>): void;
  /** The object under a key, as the cache or a newer write of this client has it. */
  getByKey(key: string): T | undefined;
  /** All objects, each as the cache or a newer write of this client has it. */
  list(): T[];
  /** The keys of all objects. */
  listKeys(): string[];
  /** The objects filed under a value of an index of the cache, newer writes of this client included. */
  byIndex(indexName: string, indexedValue: string): T[];
  /** How many writes and deletions the cache has not caught up with, as far as is known. */
  pending(): number;
  /** Lets everything go, or what belongs to the keys that are picked. */
  clear(isPicked?: (key: string) => boolean): void;
}
