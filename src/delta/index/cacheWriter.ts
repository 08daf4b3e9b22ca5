import type { InformerError } from '../../api/errors/informerError.js';
import type { AddedEvent, LeaveReason, ObjectEvent } from '../../api/events.js';
import type { StagedContent, Store } from '../../cache/store/store.js';
import { createIdentityMemory, type IdentityMemory, isRecreated, missedDeletion, objectIdentity } from './identity.js';
import { createObjectIntake, failed, type ObjectIntake, type ScanToIndexOptions } from './objectIntake.js';

/** The flags of an event, beside its object. */
interface Circumstances {
  readonly initial: boolean;
  /** Whether the event was inferred from a list. */
  readonly inferred: boolean;
  /** Whether to emit it even if nothing has changed. */
  readonly isNews: boolean;
}

const nothing: readonly never[] = [];

/** Whether a store has the content of a `replace`. */
function holds<U>(store: Store<U>, content: ReadonlyMap<string, U>, whole: boolean): boolean {
  for (const [key, value] of content) if (store.getByKey(key) !== value) return false;
  return !whole || store.listKeys().length === content.size;
}

/** Writes objects to a store, and returns what changes for subscribers that have its previous content. */
export class CacheWriter<T, U> {
  /** The steps from an object to its value. */
  readonly objects: ObjectIntake<T, U>;
  /** The identities of the stored values, as sent. */
  identities: IdentityMemory;
  /** The keys whose last version could not be transformed. */
  readonly degraded: Set<string>;
  private readonly store: Store<U>;

  constructor(store: Store<U>, options: ScanToIndexOptions<T, U>, onError: (error: InformerError) => void) {
    this.store = store;
    this.objects = createObjectIntake<T, U>({ ...options, onError });
    this.degraded = options.degraded ?? new Set();
    this.degraded.clear();
    this.identities = createIdentityMemory(options.transform !== undefined);
  }

  /**
   * Stores an object. Does nothing when its version is cached already, or when it cannot be transformed. `version` becomes the store's version; by default
   * that of the object.
   */
  upsert(key: string, object: T, version: string | undefined, { initial, inferred, isNews }: Circumstances): readonly ObjectEvent<U>[] {
    const { store, identities, degraded } = this;
    const before = store.getByKey(key);
    // Read before the transform, which may change the object in place.
    const identity = objectIdentity(object);
    const value = this.objects.valueOf(key, object, before);
    if (value === failed) {
      degraded.add(key);
      return this.bookmark(version);
    }
    degraded.delete(key);
    const recreated = before !== undefined && isRecreated(identities.recall(key, before), identity);
    if (value === before && !recreated && !isNews) {
      identities.remember(key, value, identity);
      return this.bookmark(version);
    }
    if (!this.write('update', key, value, version ?? identity.resourceVersion)) return nothing;
    identities.remember(key, value, identity);
    const added: AddedEvent<U> = { type: 'added', key, object: value, initial, inferred: inferred && !initial };
    if (before === undefined) return [added];
    if (recreated) return [missedDeletion(key, before), added];
    return [{ type: 'updated', key, object: value, oldObject: before, resync: false, inferred }];
  }

  /** Removes an object, whose last state may be unknown; `version` as for `upsert`. With a `reason`, the object was not deleted on the server. */
  // mutation condition: an undefined `reason` counts as absent, and every caller but a bare `processDeltas` passes the version
  remove(key: string, object: T | undefined, version: string | undefined, reason?: LeaveReason): readonly ObjectEvent<U>[] {
    const { store, identities } = this;
    const before = store.getByKey(key);
    if (before === undefined) {
      this.forget(key);
      return this.bookmark(version);
    }
    const identity = objectIdentity(object);
    const isMissed = object === undefined || isRecreated(identities.recall(key, before), identity);
    const value = isMissed ? failed : this.objects.valueOf(key, object, before);
    const versionAfter = version ?? (isMissed ? store.lastStoreSyncResourceVersion() : identity.resourceVersion);
    if (!this.write('delete', key, before, versionAfter)) return nothing;
    this.forget(key);
    if (isMissed) return [reason === undefined ? missedDeletion(key, before) : { ...missedDeletion(key, before), reason }];
    return [{ type: 'deleted', key, object: value === failed ? before : value, finalStateUnknown: false, inferred: false }];
  }

  /** Replaces the store's content by these values, or by the staged ones (a part: deleting the keys in `gone`). Returns whether the store has them. */
  replace(content: ReadonlyMap<string, U> | StagedContent<U>, resourceVersion: string, gone: ReadonlySet<string>): boolean {
    const { store } = this;
    const isStaged = 'publish' in content;
    let done = true;
    // mutation condition: equivalent: staged content is published above, and does not contain the deleted keys
    try {
      const staged = isStaged ? content : store.stage?.();
      if (!isStaged && staged !== undefined) for (const [key, value] of content) staged.put(value, key);
      if (staged !== undefined) staged.publish(resourceVersion, isStaged ? gone : undefined);
      else if (!isStaged) store.replace([...content.values()], resourceVersion);
    } catch (error) {
      const isPlaced = holds(store, isStaged ? content.objects : content, !isStaged || content.whole);
      done = store.lastStoreSyncResourceVersion() === resourceVersion && isPlaced;
      this.reportThrown(error, done);
    }
    return this.finish(done, resourceVersion);
  }

  forget(key: string): void {
    this.identities.forget(key);
    this.degraded.delete(key);
  }

  /** Stores or deletes the value of a key. Returns whether the store has the result. */
  private write(method: 'update' | 'delete', key: string, value: U, resourceVersion: string): boolean {
    const { store } = this;
    const { keyed } = store;
    let done = true;
    try {
      if (keyed === undefined) store[method](value);
      else keyed[method](key, value);
    } catch (error) {
      done = store.getByKey(key) === (method === 'update' ? value : undefined);
      this.reportThrown(error, done, key);
    }
    return this.finish(done, resourceVersion);
  }

  /** A write that threw counts as done if the store has its result nevertheless. */
  private finish(done: boolean, resourceVersion: string): boolean {
    const { store } = this;
    if (resourceVersion !== '' && done && store.lastStoreSyncResourceVersion() !== resourceVersion) store.bookmark(resourceVersion);
    return done;
  }

  private reportThrown(error: unknown, done: boolean, key?: string): void {
    const { report } = this.objects;
    if (done) report('ERR_INDEX_FUNC', 'The object is cached without an entry in an index whose function failed', error, key);
    else report('ERR_KEY', 'The store refused a change', error, key);
  }

  /** Records a version that the store has reached without an event. */
  private bookmark(version: string | undefined): readonly never[] {
    if (version !== undefined && version !== '') this.store.bookmark(version);
    return nothing;
  }
}
