import type { Observable } from 'rxjs';
import type { InformerError } from '../api/errors/informerError.js';
import type { InformerHealth, ResourceChange, ResourceEvent } from '../api/events.js';
import type { IndexSnapshot } from '../cache/snapshotWith.js';
import type { IndexReader } from '../cache/store/store.js';
import type { Trampoline } from '../rx/trampoline.js';
import type { WaitOptions } from './waiting/waitFor.js';
import type { Selection } from '../api/selectors.js';

/**
 * Synchronous reads of a cache. They return the cached objects, which must not be changed. Names are keys: `namespace/name`, or `name` alone for
 * cluster-scoped objects.
 *
 * @see client-go: the generated listers, and `GenericLister`
 */
export interface Lister<T> {
  /**
   * The objects that a label selector matches, in no guaranteed order; all without a selector.
   *
   * @throws TypeError when the selector cannot be parsed.
   */
  list(selector?: Selection): T[];
  /**
   * The object of that name, or undefined.
   *
   * @throws TypeError when the name has too many slashes, for the objects of a client.
   */
  get(name: string): T | undefined;
  /**
   * The object of that name.
   *
   * @throws ApiError with the reason `NotFound` when it is not in the cache.
   */
  getOrThrow(name: string): T;
  /** Reads of one namespace, by names. With `''`, `list` covers all namespaces, and `get` takes no namespace. */
  namespace(namespace: string): Pick<Lister<T>, 'list' | 'get' | 'getOrThrow'>;
  /**
   * The objects with a value of an index.
   *
   * @throws TypeError when there is no such index.
   */
  byIndex(indexName: string, indexedValue: string): T[];
}

/** The member of a collection with its `CollectionPort`. */
export const collectionPort: unique symbol = Symbol.for('rx-informer.collectionPort') as never;

/** The members of an input that only views use. */
export interface CollectionPort<T> {
  /** The trampoline of the collection's graph. */
  readonly trampoline: Trampoline;
  /** 0 for a collection with its own source; for a derived one, one more than the highest level of its inputs. */
  readonly level: number;
  /** How many changes it has had. */
  readonly changes: number;
  /**
   * The same changes as `change$`, each emitted when the collection itself has changed and before any subscriber gets it. Subscribing starts the
   * collection by the rules of `change$`; the first change is a snapshot, once there is content.
   */
  readonly settled$: Observable<ResourceChange<T>>;
}

/** A live, keyed collection: an informer or a view. Operators and functions accept both. */
export interface Collection<T> {
  /** The name of the collection in messages, and in results of waits for several. */
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
  /** The events of `change$`, one object at a time, with `synced` after each snapshot and each list. */
  readonly resource$: Observable<ResourceEvent<T>>;
  /** Immutable snapshots: the current one, then one after each change, emitted after `resource$`. */
  readonly index$: Observable<IndexSnapshot<T>>;
  /** Synchronous reads by key and index. */
  readonly indexer: IndexReader<T>;
  /** Synchronous reads by label selector, namespace and index. */
  readonly lister: Lister<T>;
  /** The current health, then every change of its state or failure. Subscribing starts nothing; completes when the collection is stopped. */
  readonly health$: Observable<InformerHealth>;
  /** The health now. */
  health(): InformerHealth;
  /** Every failure, when it happens. Subscribing starts nothing; never fails; completes when the collection is stopped. */
  readonly error$: Observable<InformerError>;
  /** Whether the content is complete. */
  hasSynced(): boolean;
  /** Starts the collection, and resolves when its content is complete. */
  whenSynced(options?: WaitOptions): Promise<void>;
  readonly [collectionPort]: CollectionPort<T>;
}
