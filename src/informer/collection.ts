import type { Observable } from 'rxjs';
import type { InformerError } from '../api/errors/informerError.js';
import type { InformerHealth, ResourceChange, ResourceEvent } from '../api/events.js';
import type { IndexSnapshot } from '../cache/snapshotWith.js';
import type { IndexReader } from '../cache/store/store.js';
import type { Trampoline } from '../rx/trampoline.js';
import type { WaitOptions } from './waiting/waitFor.js';
import type { LabelMap, LabelSelector, LabelSelectorObject } from '../api/selectors.js';

/** Selects objects by their labels: the text of kubectl's `-l`, the object that specs carry, or a selector that is parsed already. */
export type Selection = string | LabelSelectorObject | LabelMap | LabelSelector;

/** Synchronous reads of a cache. The objects are those of the cache: they must not be changed. */
export interface NamespaceLister<T> {
  /**
   * The objects that a label selector selects, in no promised order; all without one.
   *
   * @throws TypeError when the selector cannot be parsed.
   */
  list(selector?: Selection): T[];
  /**
   * The object of that name, or undefined.
   *
   * @throws TypeError when it cannot be a name, because of its slashes.
   */
  get(name: string): T | undefined;
  /**
   * The object of that name.
   *
   * @throws ApiError with the reason `NotFound` when it is not in the cache.
   */
  getOrThrow(name: string): T;
}

/**
 * Reads of a whole cache. Names are keys: `namespace/name`, or `name` alone for cluster-scoped objects.
 *
 * @see client-go: the generated listers, and `GenericLister`
 */
export interface Lister<T> extends NamespaceLister<T> {
  /** Reads of one namespace; `''` stands for all of them when listing, and for no namespace when getting. */
  namespace(namespace: string): NamespaceLister<T>;
  /**
   * The objects filed under a value of an index.
   *
   * @throws TypeError when there is no such index.
   */
  byIndex(indexName: string, indexedValue: string): T[];
}

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
