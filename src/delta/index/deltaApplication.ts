import type { Delta } from '../../api/events/delta.js';
import type { InformerError } from '../../api/errors/informerError.js';
import type { ObjectEvent } from '../../api/events/resourceChange.js';
import type { AddedEvent } from '../../api/events/resourceEvent.js';
import type { Store } from '../../cache/store/store.js';
import { identityOf, isRecreated } from './identity.js';
import { createIdentityMemory } from './identityMemory.js';
import type { KnownObjects } from '../fifo/knownObjects.js';
import { missedDeletion } from './missedDeletion.js';
import { createObjectIntake, failed, type ObjectIntake } from './objectIntake.js';
import type { ScanToIndexOptions } from './scanToIndexOptions.js';
import { createStoreWriter, type StoreWriter } from './storeWriter.js';

/**
 * Options of `processDeltas`; they mean the same as for `scanToIndex`.
 */
export type ProcessDeltasOptions<T, U = T> = Pick<
  ScanToIndexOptions<T, U>,
  'transform' | 'keys' | 'freeze' | 'comesShared' | 'resource' | 'known' | 'degraded'
>;

type Deletion<T> = Extract<Delta<T>, { readonly type: 'Deleted' }>;
type Upsert<T> = Exclude<Delta<T>, Deletion<T>>;

const nothing: readonly never[] = [];

/**
 * Applies deltas to a store, and knows what each of them means for those who know what was in it before.
 */
export class DeltaApplication<T, U> implements KnownObjects<T | U> {
  readonly problems: InformerError[] = [];
  private readonly store: Store<U>;
  private readonly intake: ObjectIntake<T, U>;
  private readonly writer: StoreWriter<U>;
  private readonly known: boolean;
  private readonly degraded: Set<string>;
  private readonly identities = createIdentityMemory();
  /** Objects of which no version could be transformed: known, although the store does not have them. */
  private readonly unready = new Map<string, T>();

  constructor(store: Store<U>, options: ProcessDeltasOptions<T, U>) {
    this.store = store;
    this.intake = createObjectIntake<T, U>({ ...options, onError: (error) => this.problems.push(error) });
    this.writer = createStoreWriter(store, this.intake.report);
    this.known = options.known ?? false;
    this.degraded = options.degraded ?? new Set();
    this.degraded.clear();
  }

  listKeys(): string[] {
    return this.unready.size === 0 ? this.store.listKeys() : [...new Set([...this.store.listKeys(), ...this.unready.keys()])];
  }

  getByKey(key: string): T | U | undefined {
    return this.store.getByKey(key) ?? this.unready.get(key);
  }

  /**
   * Changes the store, and returns the events of that change.
   *
   * @param version - the version that the store is to say it has afterwards; by default that of the object.
   */
  apply(delta: Delta<T>, isInInitialList: boolean, version?: string): readonly ObjectEvent<U>[] {
    return delta.type === 'Deleted' ? this.remove(delta, version) : this.upsert(delta, isInInitialList, version);
  }

  private upsert({ type, key, object }: Upsert<T>, isInInitialList: boolean, version?: string): readonly ObjectEvent<U>[] {
    const before = this.store.getByKey(key);
    const isResync = type === 'Sync' && before !== undefined && before === (object as unknown);
    if (isResync) return [{ type: 'updated', key, object: before, oldObject: before, resync: true, inferred: false }];
    // Before the transform, which may change the object in place.
    const identity = identityOf(object);
    const value = this.intake.valueOf(key, object, before);
    if (value === failed) {
      this.degraded.add(key);
      if (before === undefined) this.unready.set(key, object);
      return nothing;
    }
    this.degraded.delete(key);
    const recreated = before !== undefined && isRecreated(this.identities.recall(key, before), identity);
    const isNews = value !== before || recreated || (isInInitialList && !this.known);
    if (isNews && !this.writer.put(key, value, version ?? identity.resourceVersion)) return nothing;
    this.unready.delete(key);
    this.identities.remember(key, value, identity);
    if (!isNews) return nothing;
    const inferred = type === 'Replaced';
    const added: AddedEvent<U> = { type: 'added', key, object: value, initial: isInInitialList, inferred: inferred && !isInInitialList };
    if (before === undefined) return [added];
    if (recreated) return [missedDeletion(key, before), added];
    return [{ type: 'updated', key, object: value, oldObject: before, resync: false, inferred }];
  }

  private remove({ key, object, finalStateUnknown }: Deletion<T>, version?: string): readonly ObjectEvent<U>[] {
    this.unready.delete(key);
    this.degraded.delete(key);
    const before = this.store.getByKey(key);
    if (before === undefined) return nothing;
    const identity = identityOf(object);
    const isMissed = finalStateUnknown || object === undefined || isRecreated(this.identities.recall(key, before), identity);
    const value = isMissed ? failed : this.intake.valueOf(key, object, before);
    const versionAfter = version ?? (isMissed ? this.store.lastStoreSyncResourceVersion() : identity.resourceVersion);
    if (!this.writer.remove(key, before, versionAfter)) return nothing;
    this.identities.forget(key);
    if (isMissed) return [missedDeletion(key, before)];
    return [{ type: 'deleted', key, object: value === failed ? before : value, finalStateUnknown: false, inferred: false }];
  }
}
