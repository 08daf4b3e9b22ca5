import type { Delta } from '../api/delta.js';
import { InformerError } from '../api/informerError.js';
import type { AddedEvent, ResourceEvent } from '../api/resourceEvent.js';
import { messageOf } from '../cache/messageOf.js';
import type { Store } from '../cache/store.js';
import type { DeltaProcessor, ListBoundary } from './deltaProcessor.js';
import { expectFunctionOption, expectOption } from './expectOption.js';
import { identityOf, isRecreated } from './identity.js';
import { createIdentityMemory } from './identityMemory.js';
import type { KnownObjects } from './knownObjects.js';
import { missedDeletion } from './missedDeletion.js';
import { createObjectIntake, failed, type ObjectIntake } from './objectIntake.js';
import type { ScanToIndexOptions } from './scanToIndexOptions.js';
import type { StoreOf } from './storeOf.js';
import { createStoreWriter, type StoreWriter } from './storeWriter.js';

/**
 * Functions to call when the store has changed. All of them are optional; what they return is not waited for.
 *
 * @see client-go: `ResourceEventHandlerDetailedFuncs`
 */
export interface DeltaHandler<T> {
  /** An object came into the store. `isInInitialList`: while the first list was being processed. */
  onAdd?(object: T, isInInitialList: boolean): void;
  /** An object was replaced by a newer version. In a resync both are the same object. */
  onUpdate?(oldObject: T, object: T): void;
  /** An object left the store. `finalStateUnknown`: its deletion was missed, and `object` is its last known state. */
  onDelete?(object: T, finalStateUnknown: boolean): void;
}

/**
 * Options of `processDeltas`; they mean the same as for `scanToIndex`.
 */
export type ProcessDeltasOptions<T, U = T> = Pick<
  ScanToIndexOptions<T, U>,
  'transform' | 'keys' | 'freeze' | 'resource' | 'resumed' | 'degraded'
>;

/** The deltas of objects, applied to a store one after the other. */
class DeltaApplication<T, U> implements KnownObjects<T | U> {
  readonly problems: InformerError[] = [];
  private readonly store: Store<U>;
  private readonly intake: ObjectIntake<T, U>;
  private readonly writer: StoreWriter<U>;
  private readonly resumed: boolean;
  private readonly degraded: Set<string>;
  private readonly identities = createIdentityMemory();
  /** Objects of which no version could be transformed: known, although the store does not have them. */
  private readonly unready = new Map<string, T>();

  constructor(store: Store<U>, options: ProcessDeltasOptions<T, U>) {
    this.store = store;
    this.intake = createObjectIntake<T, U>({ ...options, onError: (error) => this.problems.push(error) });
    this.writer = createStoreWriter(store, (error, done, key) => {
      if (done) this.intake.report('ERR_INDEX_FUNC', 'The object is cached without an entry in an index whose function failed', error, key);
      else this.intake.report('ERR_KEY', 'The store refused a change', error, key);
    });
    this.resumed = options.resumed ?? false;
    this.degraded = options.degraded ?? new Set();
  }

  listKeys(): string[] {
    return this.unready.size === 0 ? this.store.listKeys() : [...new Set([...this.store.listKeys(), ...this.unready.keys()])];
  }

  getByKey(key: string): T | U | undefined {
    return this.store.getByKey(key) ?? this.unready.get(key);
  }
}
