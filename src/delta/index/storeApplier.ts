import type { InformerError } from '../../api/errors/informerError.js';
import type { ObjectEvent } from '../../api/events/resourceChange.js';
import type { AddedEvent, LeaveReason } from '../../api/events/resourceEvent.js';
import type { StagedContent } from '../../cache/store/stagedContent.js';
import type { Store } from '../../cache/store/store.js';
import { createIdentityMemory, type IdentityMemory, objectIdentity, isRecreated, missedDeletion } from './identity.js';
import { createObjectIntake, failed, type ObjectIntake } from './objectIntake.js';
import type { ScanToIndexOptions } from './scanToIndexOptions.js';

/** What has happened to an object beside the object itself. */
export interface Circumstances {
  readonly initial: boolean;
  /** Whether it was found out by comparing a list. */
  readonly inferred: boolean;
  /** Whether it counts as news even if nothing has changed. */
  readonly isNews: boolean;
}

const nothing: readonly never[] = [];

/** Whether a store has what it was to take over. */
function holds<U>(store: Store<U>, content: ReadonlyMap<string, U>, whole: boolean): boolean {
  for (const [key, value] of content) if (store.getByKey(key) !== value) return false;
  return !whole || store.listKeys().length === content.size;
}

/** Applies what has happened to objects to a store, and says what that means for those who know what was in it before. */
export class StoreApplier<T, U> {
  readonly store: Store<U>;
  readonly intake: ObjectIntake<T, U>;
  /** The keys whose last version could not be transformed. */
  readonly degraded: Set<string>;
  /** The identities of the stored values, as sent. */
  identities: IdentityMemory;

  constructor(store: Store<U>, options: ScanToIndexOptions<T, U>, onError: (error: InformerError) => void) {
    this.store = store;
    this.intake = createObjectIntake<T, U>({ ...options, onError });
    this.degraded = options.degraded ?? new Set();
    this.degraded.clear();
    this.identities = createIdentityMemory(options.transform !== undefined);
  }

  /**
   * Stores an object. Nothing happens when its version is cached already, or cannot be transformed. `version` is what the store is to say it has
   * afterwards; by default that of the object.
   */
  upsert(key: string, object: T, version: string | undefined, { initial, inferred, isNews }: Circumstances): readonly ObjectEvent<U>[] {
    const { store, identities, degraded } = this;
    const before = store.getByKey(key);
    // Before the transform, which may change the object in place.
    const identity = objectIdentity(object);
    const value = this.intake.valueOf(key, object, before);
    if (value === failed) {
      degraded.add(key);
      this.reach(version);
      return nothing;
    }
    degraded.delete(key);
    const recreated = before !== undefined && isRecreated(identities.recall(key, before), identity);
    if (value === before && !recreated && !isNews) {
      identities.remember(key, value, identity);
      this.reach(version);
      return nothing;
    }
    if (!this.write('update', key, value, version ?? identity.resourceVersion)) return nothing;
    identities.remember(key, value, identity);
    const added: AddedEvent<U> = { type: 'added', key, object: value, initial, inferred: inferred && !initial };
    if (before === undefined) return [added];
    if (recreated) return [missedDeletion(key, before), added];
    return [{ type: 'updated', key, object: value, oldObject: before, resync: false, inferred }];
  }

  /** Removes an object, whose last state may be unknown; `version` as for `upsert`. With a reason, it has not been deleted. */
  remove(key: string, object: T | undefined, version: string | undefined, reason?: LeaveReason): readonly ObjectEvent<U>[] {
    const { store, identities } = this;
    const before = store.getByKey(key);
    if (before === undefined) {
      this.forget(key);
      this.reach(version);
      return nothing;
    }
    const identity = objectIdentity(object);
    const isMissed = object === undefined || isRecreated(identities.recall(key, before), identity);
    const value = isMissed ? failed : this.intake.valueOf(key, object, before);
    const versionAfter = version ?? (isMissed ? store.lastStoreSyncResourceVersion() : identity.resourceVersion);
    if (!this.write('delete', key, before, versionAfter)) return nothing;
    this.forget(key);
    if (isMissed) return [reason === undefined ? missedDeletion(key, before) : { ...missedDeletion(key, before), reason }];
    return [{ type: 'deleted', key, object: value === failed ? before : value, finalStateUnknown: false, inferred: false }];
  }

  forget(key: string): void {
    this.identities.forget(key);
    this.degraded.delete(key);
  }

  /** Makes the store hold just these values, or what is staged (a part: without the keys that are `gone`); returns whether it does. */
  replace(content: ReadonlyMap<string, U> | StagedContent<U>, resourceVersion: string, gone: ReadonlySet<string>): boolean {
    const { store } = this;
    let done = true;
    try {
      if ('publish' in content) content.publish(resourceVersion, gone);
      else this.replaceAll(content, resourceVersion);
    } catch (error) {
      const isStaged = 'publish' in content;
      done =
        store.lastStoreSyncResourceVersion() === resourceVersion &&
        holds(store, isStaged ? content.objects : content, !isStaged || content.whole);
      this.reportThrown(error, done);
    }
    return this.finish(done, resourceVersion);
  }

  private replaceAll(content: ReadonlyMap<string, U>, resourceVersion: string): void {
    const staged = this.store.stage?.();
    if (staged === undefined) {
      this.store.replace([...content.values()], resourceVersion);
      return;
    }
    for (const [key, value] of content) staged.put(value, key);
    staged.publish(resourceVersion);
  }

  /** Puts a value under its key, or takes it out; returns whether that is so. */
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

  /** A write that threw counts when the store holds its result all the same. */
  private finish(done: boolean, resourceVersion: string): boolean {
    const { store } = this;
    if (resourceVersion !== '' && done && store.lastStoreSyncResourceVersion() !== resourceVersion) store.bookmark(resourceVersion);
    return done;
  }

  private reportThrown(error: unknown, done: boolean, key?: string): void {
    const { report } = this.intake;
    if (done) report('ERR_INDEX_FUNC', 'The object is cached without an entry in an index whose function failed', error, key);
    else report('ERR_KEY', 'The store refused a change', error, key);
  }

  private reach(version: string | undefined): void {
    if (version !== undefined && version !== '') this.store.bookmark(version);
  }
}
