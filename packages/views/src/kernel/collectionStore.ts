import { Subject, Subscription } from 'rxjs';
import { type Collection, type IndexSnapshot, InformerError, isForbidden, type ResourceChange } from 'rx-informer';
import { emptySnapshot, errorOf, type SnapshotChange, snapshotWith, collectionPort } from 'rx-informer/internal';
import { untyped } from './viewPort.js';

/**
 * The state of a collection for display: its data, whether they are complete, the last failure until the collection is healthy again, and a summary.
 *
 * | state | meaning | `loaded` |
 * |---|---|---|
 * | `loading` | the first list is under way, or the collection has no subscriber | no |
 * | `restored` | the data are from an earlier session | no |
 * | `live` | the data are complete and up to date | yes |
 * | `stale` | the data are complete, but not updated at present; `error` says why | yes |
 * | `failing` | the data are not complete; `error` says why | no |
 * | `forbidden` | the user may not read the resource: do not show an empty list | no |
 */
export type CollectionState<D> =
  | readonly [data: D, loaded: true, error: Error | undefined, state: 'live' | 'stale']
  | readonly [data: D | undefined, loaded: false, error: Error | undefined, state: 'loading' | 'restored']
  | readonly [data: D | undefined, loaded: false, error: Error | undefined, state: 'failing' | 'forbidden'];

/** The summary of a collection's health. */
export function shownState<T>(collection: Collection<T>, error: Error | undefined): CollectionState<T>[3] {
  const { state } = collection.health();
  // With permission to list but not to watch, the collection polls: its data are stale at times, not forbidden.
  if (isForbidden(error) && !(error instanceof InformerError && error.code.startsWith('ERR_WATCH'))) return 'forbidden';
  if (collection.hasSynced()) return error === undefined && state !== 'stopped' ? 'live' : 'stale';
  if (state === 'restored') return 'restored';
  return error === undefined && state !== 'stopped' ? 'loading' : 'failing';
}

/** What a store shows of its collection. */
interface Content<T, D> {
  /** The current data: the same value until they change. */
  readonly data: (isLive: boolean) => D | undefined;
  /** Applies a change, before subscribers are notified. Returns false if the data are still the same. */
  readonly follow: (change: ResourceChange<T>, isLive: boolean) => boolean;
}

/**
 * The state of a collection in the form of an external store for user interface frameworks: a current snapshot, and notifications of changes.
 *
 * It keeps the collection running while it has subscribers. All stores over the caches of a graph change before any subscriber is notified, so that
 * they always agree.
 */
export class CollectionStore<T, D> {
  private readonly collection: Collection<T>;
  private readonly content: Content<T, D>;
  /** Whether the store is subscribed to the collection. */
  private isLive = false;
  private readonly changed$ = new Subject<void>();
  private state: CollectionState<D> = [undefined, false, undefined, 'loading'];
  private notified: unknown;
  private connection: Subscription | undefined;
  private failure: Error | undefined;
  private isTelling = false;

  constructor(collection: Collection<T>, content: Content<T, D>) {
    this.collection = collection;
    this.content = content;
  }

  /** Calls the listener after each change of the state, until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    const subscription = this.changed$.subscribe({ next: listener, error: () => undefined });
    if (this.connection === undefined) this.connect();
    return () => {
      subscription.unsubscribe();
      if (this.changed$.observed) return;
      this.connection?.unsubscribe();
      this.connection = undefined;
      this.isLive = false;
    };
  };

  /** The state: the same tuple until it changes. */
  readonly getSnapshot = (): CollectionState<D> => {
    const { collection } = this;
    const [data, error] = [this.content.data(this.isLive), this.failure ?? collection.health().error];
    const shown = shownState(collection, error);
    const [dataBefore, , errorBefore, shownBefore] = this.state;
    if (data !== dataBefore || error !== errorBefore || shown !== shownBefore)
      this.state = [data, shown === 'live' || shown === 'stale', error, shown] as CollectionState<D>;
    return this.state;
  };

  private connect(): void {
    const { collection } = this;
    const connection = new Subscription();
    this.connection = connection;
    this.failure = undefined;
    this.notified = this.getSnapshot();
    const next = (change: ResourceChange<T>): void => {
      const isOther = this.content.follow(change, this.isLive);
      if (isOther || !this.isLive) this.notify();
      this.isLive = true;
    };
    const error = (thrown: unknown): void => {
      this.failure = errorOf(thrown);
      this.notify();
    };
    connection.add(collection[collectionPort].settled$.subscribe({ next, error }));
    connection.add(collection.health$.subscribe({ next: () => this.notify(), error: () => undefined }));
  }

  private notify(): void {
    if (this.isTelling) return;
    this.isTelling = true;
    this.collection[collectionPort].trampoline.notify(() => {
      this.isTelling = false;
      const state = this.getSnapshot();
      if (state === this.notified) return;
      this.notified = state;
      this.changed$.next();
    });
  }
}

/** The content of a whole collection, kept from one subscription to the next. */
function wholeContent<T>(collection: Collection<T>): Content<T, IndexSnapshot<T>> {
  const { indexer } = collection;
  let snapshot = emptySnapshot<T>();
  let compared: string | undefined;
  const write = (changes: readonly SnapshotChange<T>[]): void => {
    if (changes.length > 0) snapshot = snapshotWith(snapshot, changes, collection.health().resourceVersion);
  };
  /** Finds the changes since the last subscription, once for all components that are rendered before the first of them subscribes. */
  const compare = (): void => {
    // The state tells the saved content of a warm start from that of the cache.
    const current = `${collection[collectionPort].changes} ${collection.health().state}`;
    if (current === compared) return;
    compared = current;
    const keys = new Set(indexer.listKeys());
    const gone = [...snapshot.keys()].filter((key) => !keys.has(key)).map((key): SnapshotChange<T> => [key, undefined]);
    const others = [...keys].map((key): SnapshotChange<T> => [key, indexer.getByKey(key)]);
    write([...gone, ...others.filter(([key, object]) => snapshot.get(key) !== object)]);
  };
  return {
    data: (isLive) => {
      if (!isLive) compare();
      return snapshot.size === 0 && !collection.hasSynced() ? undefined : snapshot;
    },
    follow: ({ cause, events }, isLive) => {
      // A snapshot repeats the whole content: compare it with the known one.
      if (!isLive || cause === 'snapshot') compare();
      else write(events.map((event): SnapshotChange<T> => [event.key, event.type === 'deleted' ? undefined : event.object]));
      return true;
    },
  };
}

/** The stores of whole collections: shared, so that all components show the same snapshot. */
const shared = new WeakMap<Collection<never>, unknown>();

/** The store of a whole collection. */
export function collectionStore<T>(collection: Collection<T>): CollectionStore<T, IndexSnapshot<T>> {
  const known = shared.get(untyped(collection)) as CollectionStore<T, IndexSnapshot<T>> | undefined;
  const store = known ?? new CollectionStore(collection, wholeContent(collection));
  shared.set(untyped(collection), store);
  return store;
}

/** A store of the object with one key. */
export function objectStore<T>(collection: Collection<T>, key: string): CollectionStore<T, T> {
  return new CollectionStore(collection, {
    data: () => collection.indexer.getByKey(key),
    // A page may have a store for each of thousands of rows, and most changes are of one. To read the events of a snapshot makes them.
    follow: (change) => !['watch', 'view'].includes(change.cause) || change.events.length !== 1 || change.events[0]?.key === key,
  });
}
