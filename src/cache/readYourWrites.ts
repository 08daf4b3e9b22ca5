import {
  compareResourceVersions,
  type Identity,
  keyOfObjectName,
  type KubernetesObject,
  metaNamespaceKey,
  namespaceOfKey,
  type ObjectName,
  resourceVersionOf,
  uidOf,
} from '../api/kubernetesObject.js';
import type { ResourceEvent } from '../api/events.js';
import { checkedValues } from './store/indexedStore.js';
import type { IndexFunc, IndexReader } from './store/store.js';

/** What a view of a cache with one's own writes needs. */
export interface ReadYourWritesInit<T> {
  readonly indexer: IndexReader<T>;
  /** The uid and version of a cached object as sent, before any transform. */
  readonly identityOf: (key: string, cached: T | undefined) => Identity;
  /**
   * Makes the cached form of an object in an answer of the server: what the cache's transform returns, or undefined when its selectors exclude the
   * object. When it throws, the write is not shown.
   */
  readonly project: (written: KubernetesObject) => T | undefined;
  /** The version up to which the cache is complete for a key. A cache of several namespaces has one for each. */
  readonly reachedVersion: (key: string) => string;
  /** Whether the cache is to have this object; one of a shard has only some. */
  readonly owns: (object: Pick<KubernetesObject, 'metadata'>) => boolean;
}

/** The result of a write: an object, or none if the selectors of the cache exclude it. */
interface Entry<T> {
  readonly object: T | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string;
}

/** False when the versions cannot be compared. */
function isAtLeast(version: string | undefined, bound: string): boolean {
  return version !== undefined && (compareResourceVersions(version, bound) ?? -1) >= 0;
}

function isStillThere({ metadata }: KubernetesObject): boolean {
  if (metadata?.deletionTimestamp === undefined) return false;
  return (metadata.finalizers?.length ?? 0) > 0 || (metadata.deletionGracePeriodSeconds ?? 0) > 0;
}

/**
 * How many deletions are remembered: one's own, since the cache may never have had the object, and those that the cache has seen. An answer about one of the
 * others, which is that late, counts as newer than the cache only if its version is.
 */
const deletionLimit = 10_000;

function remember(deletions: Map<string, string>, uid: string, value: string): void {
  deletions.delete(uid);
  deletions.set(uid, value);
  const [oldest] = deletions.keys();
  if (deletions.size > deletionLimit && oldest !== undefined) deletions.delete(oldest);
}

/** The key of an object in an answer; undefined for what is not an object with a name. */
function keyIn(written: KubernetesObject): string | undefined {
  try {
    return metaNamespaceKey(written);
  } catch {
    return undefined;
  }
}

/**
 * A view of a cache that shows one's own writes from the server's answer until the cache contains them.
 *
 * A write is shown while its resourceVersion is higher than that of the cached object and than the version that the cache has reached; a
 * write whose version is not a decimal number is never shown. A deletion hides the object with that uid. So the view never shows anything
 * older than the cache, nor a deleted object, whatever the order of answers and events. The cache is not changed, and no event is emitted.
 *
 * @see MutationCache of client-go
 */
export class ReadYourWrites<T> {
  private readonly init: ReadYourWritesInit<T>;
  private readonly writes = new Map<string, Entry<T>>();
  /** Keys by the uids of our own deletions: an object with such a uid never comes back, even if the cache or a late answer has it. */
  private readonly deletions = new Map<string, string>();
  /** Versions by the uids of objects deleted from the cache: a late answer about one of them counts only if its version is newer. */
  private readonly seenDeletions = new Map<string, string>();

  constructor(init: ReadYourWritesInit<T>) {
    this.init = init;
  }

  /** Takes the server's answer to a create, replace or patch. Answers may come late and in any order. One that is not an object with a name has no effect. */
  noteWrite(written: KubernetesObject): void {
    const key = keyIn(written);
    const uid = uidOf(written);
    const resourceVersion = resourceVersionOf(written);
    // Without a comparable version, it would never be known that the cache has caught up.
    if (key === undefined || resourceVersion === undefined || compareResourceVersions(resourceVersion, resourceVersion) === undefined)
      return;
    if (uid !== undefined) {
      if (this.deletions.has(uid)) return;
      const goneAt = this.seenDeletions.get(uid);
      if (goneAt !== undefined && isAtLeast(goneAt, resourceVersion)) return;
    }
    if (isAtLeast(this.writes.get(key)?.resourceVersion, resourceVersion)) return;
    this.writes.delete(key);
    if (this.isDone(key, { uid, resourceVersion })) return;
    try {
      this.writes.set(key, { object: this.init.project(written), uid, resourceVersion });
    } catch {
      // A write that cannot be projected is not shown.
    }
  }

  /**
   * Takes the server's answer to a delete, with the object in it. An object that finalizers or a grace period keep is a write. Without a uid, here or in the
   * object, the deletion has no effect until the cache has it.
   */
  noteDelete(deleted: ObjectName & { readonly uid?: string; readonly object?: KubernetesObject }): void {
    const { object } = deleted;
    if (object !== undefined && isStillThere(object)) {
      this.noteWrite(object);
      return;
    }
    const key = keyOfObjectName(deleted);
    const uid = deleted.uid ?? uidOf(object);
    // A deletion without a uid hides nothing: another object may have the name by now.
    if (uid === undefined) return;
    const write = this.writes.get(key);
    // The cache may still have an object of that name from before the write.
    if (write?.uid === uid) this.writes.set(key, { ...write, object: undefined });
    const isGone = this.seenDeletions.has(uid) && this.cachedIdentity(key).uid !== uid;
    if (!isGone) remember(this.deletions, uid, key);
  }

  /**
   * Takes an event of the cache, after the cache has changed, and drops the writes that the cache now contains. A `synced` with a lower version than the one
   * before means that the server's history has changed: everything is dropped.
   */
  noteEvent(event: ResourceEvent<T>): void {
    if (event.type === 'synced') {
      const { resourceVersion, previousResourceVersion } = event;
      if (previousResourceVersion !== '' && !isAtLeast(resourceVersion, previousResourceVersion)) this.clear();
      for (const key of [...this.writes.keys()]) this.dropIfDone(key);
      return;
    }
    if (event.type === 'deleted') this.noteSeenDeletion(event.object);
    this.dropIfDone(event.key);
  }

  /** The object under a key in its newest form: from the cache, or from a newer write of this client. So it is with all reads. */
  getByKey(key: string): T | undefined {
    return this.resolve(key, this.init.indexer.getByKey(key));
  }

  list(): T[] {
    return this.overlaid(this.init.indexer.list(), () => true);
  }

  listKeys(): string[] {
    const keys = new Set(this.init.indexer.listKeys());
    for (const key of this.touchedKeys()) {
      if (this.getByKey(key) === undefined) keys.delete(key);
      else keys.add(key);
    }
    return [...keys];
  }

  byIndex(indexName: string, indexedValue: string): T[] {
    const cached = this.init.indexer.byIndex(indexName, indexedValue);
    const indexFunc = this.init.indexer.getIndexers()[indexName] as IndexFunc<T> | undefined;
    return this.overlaid(cached, (object, key) => {
      try {
        return indexFunc !== undefined && checkedValues(indexFunc(object, key)).includes(indexedValue);
      } catch {
        return false; // As in the cache: an object whose index function throws has no entry in that index.
      }
    });
  }

  /** Drops everything, or the writes of the selected keys. */
  clear(isPicked?: (key: string) => boolean): void {
    if (isPicked === undefined) this.seenDeletions.clear();
    for (const key of this.writes.keys()) if (isPicked?.(key) !== false) this.writes.delete(key);
    for (const [uid, key] of this.deletions) if (isPicked?.(key) !== false) this.deletions.delete(uid);
  }

  /** The keys whose object may differ from the cached one. */
  private touchedKeys(): Set<string> {
    return new Set([...this.writes.keys(), ...this.deletions.values()]);
  }

  /** The object to show under a key whose cached object is `cached`. */
  private resolve(key: string, cached: T | undefined): T | undefined {
    this.dropIfDone(key);
    const write = this.writes.get(key);
    if (write !== undefined) return write.object;
    return this.deletions.size > 0 && this.deletions.has(this.init.identityOf(key, cached).uid) ? undefined : cached;
  }

  private overlaid(cached: T[], isSelected: (object: T, key: string) => boolean): T[] {
    const superseded = new Set<T>();
    const shown: T[] = [];
    for (const key of this.touchedKeys()) {
      const before = this.init.indexer.getByKey(key);
      const after = this.resolve(key, before);
      if (after === before) continue;
      if (before !== undefined) superseded.add(before);
      if (after !== undefined && isSelected(after, key)) shown.push(after);
    }
    if (superseded.size === 0 && shown.length === 0) return cached;
    return [...cached.filter((object) => !superseded.has(object)), ...shown];
  }

  private cachedIdentity(key: string): Identity {
    return this.init.identityOf(key, this.init.indexer.getByKey(key));
  }

  private hasReached(key: string, resourceVersion: string): boolean {
    return (
      isAtLeast(this.cachedIdentity(key).resourceVersion, resourceVersion) || isAtLeast(this.init.reachedVersion(key), resourceVersion)
    );
  }

  /** Whether the cache contains a write, or never will. */
  private isDone(key: string, { uid = '', resourceVersion }: Pick<Entry<T>, 'uid' | 'resourceVersion'>): boolean {
    return !this.init.owns({ metadata: { uid, namespace: namespaceOfKey(key) } }) || this.hasReached(key, resourceVersion);
  }

  private dropIfDone(key: string): void {
    const write = this.writes.get(key);
    if (write !== undefined && this.isDone(key, write)) this.writes.delete(key);
  }

  private noteSeenDeletion(object: T): void {
    const uid = uidOf(object);
    const resourceVersion = resourceVersionOf(object);
    if (uid === undefined) return;
    this.deletions.delete(uid);
    if (resourceVersion !== undefined) remember(this.seenDeletions, uid, resourceVersion);
  }
}
