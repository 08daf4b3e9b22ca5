import type { Delta } from '../../api/events/delta.js';
import type { InformerError } from '../../api/errors/informerError.js';
import type { ObjectEvent } from '../../api/events/resourceChange.js';
import type { Store } from '../../cache/store/store.js';
import type { KnownObjects } from '../fifo/knownObjects.js';
import type { ProcessDeltasOptions } from './scanToIndexOptions.js';
import { StoreApplier } from './storeApplier.js';

/**
 * Applies deltas to a store.
 */
export class DeltaApplication<T, U> implements KnownObjects<T | U> {
  readonly problems: InformerError[] = [];
  private readonly store: Store<U>;
  private readonly applier: StoreApplier<T, U>;
  private readonly known: boolean;
  /** Objects of which no version could be transformed: known, although the store does not have them. */
  private readonly unready = new Map<string, T>();

  constructor(store: Store<U>, options: ProcessDeltasOptions<T, U>) {
    this.store = store;
    this.applier = new StoreApplier<T, U>(store, options, (error) => this.problems.push(error));
    this.known = options.known ?? false;
  }

  listKeys(): string[] {
    return this.unready.size === 0 ? this.store.listKeys() : [...new Set([...this.store.listKeys(), ...this.unready.keys()])];
  }

  getByKey(key: string): T | U | undefined {
    return this.store.getByKey(key) ?? this.unready.get(key);
  }

  /**
   * Changes the store, and returns what has happened.
   *
   * @param version - the version that the store is to say it has afterwards; by default that of the object.
   */
  apply(delta: Delta<T>, isInInitialList: boolean, version?: string): readonly ObjectEvent<U>[] {
    const { store, applier, unready } = this;
    const { type, key, object } = delta;
    unready.delete(key);
    if (type === 'Deleted') return applier.remove(key, delta.finalStateUnknown ? undefined : object, version);
    const before = store.getByKey(key);
    if (type === 'Sync' && before !== undefined && before === (object as unknown)) {
      return [{ type: 'updated', key, object: before, oldObject: before, resync: true, inferred: false }];
    }
    const inferred = type === 'Replaced';
    const events = applier.upsert(key, object, version, { initial: isInInitialList, inferred, isNews: isInInitialList && !this.known });
    if (applier.degraded.has(key) && store.getByKey(key) === undefined) unready.set(key, object);
    return events;
  }
}
