import type { Observable } from 'rxjs';
import type { InformerError } from '../api/errors/informerError.js';
import type { InformerHealth } from '../api/events/informerHealth.js';
import type { ResourceChange } from '../api/events/resourceChange.js';
import type { ResourceEvent } from '../api/events/resourceEvent.js';
import type { IndexSnapshot } from '../cache/snapshot/indexSnapshot.js';
import type { IndexReader } from '../cache/store/indexReader.js';
import type { Trampoline } from '../rx/trampoline.js';
import type { Lister } from './lister.js';
import type { WaitOptions } from './waiting/waitOptions.js';

/** Where a collection keeps its `CollectionPort`. */
export const collectionPort: unique symbol = Symbol.for('rx-informer.collectionPort') as never;

/** What a view needs of its inputs beside their public members. */
export interface CollectionPort<T> {
  /** The turns of the graph that the collection belongs to. */
  readonly trampoline: Trampoline;
  /** 0 for a collection with a source of its own; for a derived one, one more than the highest of its inputs. */
  readonly level: number;
  /**
   * The same changes as `change$`, each emitted when the collection itself has changed and before anybody is told. Subscribing starts the
   * collection by the rules of `change$`; the first change is a snapshot, once there is one.
   */
  readonly settled$: Observable<ResourceChange<T>>;
}

/** A keyed collection that is kept up: an informer or a view. Whatever works on one works on the other. */
export interface Collection<T> {
  /** What the collection is called in messages, and in the answers of who waits for several. */
  readonly name: string;
  /**
   * The content as one change, then every change as one value.
   *
   * ```text
   * server   (a b)                a'    -b
   * result   {+a +b synced}       {~a}  {-b}
   * late                    {+a' +b synced}{-b}
   * ```
   *
   * Nothing is emitted before the first list is complete. It completes when the collection is stopped.
   */
  readonly change$: Observable<ResourceChange<T>>;
  /** The same, one object at a time, with `synced` behind each snapshot and each list. */
  readonly resource$: Observable<ResourceEvent<T>>;
  /** Immutable snapshots: the current one, then one after each change, behind `resource$`. */
  readonly index$: Observable<IndexSnapshot<T>>;
  /** Synchronous reads by key and index. */
  readonly indexer: IndexReader<T>;
  /** Synchronous reads by label selector, namespace and index. */
  readonly lister: Lister<T>;
  /** The current health, then every change of its state. Starts nothing; completes when the collection is stopped. */
  readonly health$: Observable<InformerHealth>;
  /** The health with its current values. */
  health(): InformerHealth;
  /** Every failure, as it happens. Starts nothing, and never fails; completes when the collection is stopped. */
  readonly error$: Observable<InformerError>;
  /** Whether the content is complete. */
  hasSynced(): boolean;
  /** Starts the collection, and resolves when its content is complete. */
  whenSynced(options?: WaitOptions): Promise<void>;
  readonly [collectionPort]: CollectionPort<T>;
}
