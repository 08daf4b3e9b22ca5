import { Subject, Subscription } from 'rxjs';
import type { ResourceChange } from '../../api/events.js';
import { isForbidden } from '../../api/errors/apiError.js';
import { InformerError } from '../../api/errors/informerError.js';
import { emptySnapshot, type IndexSnapshot, type SnapshotChange, snapshotWith } from '../../cache/snapshotWith.js';
import { type Collection, collectionPort } from '../../informer/collection.js';
import { untyped } from './viewPort.js';

/**
 * What a collection shows at one moment: its data, whether they are complete, the last failure until it is healthy again, and what that comes to.
 *
 * | state | meaning | `loaded` |
 * |---|---|---|
 * | `loading` | the first list is under way, or nobody follows the collection | no |
 * | `restored` | the data are of an earlier session | no |
 * | `live` | the data are complete, and followed | yes |
 * | `stale` | the data are complete, and not followed at present; `error` says why | yes |
 * | `failing` | the data are not complete, and `error` says why | no |
 * | `forbidden` | the user may not read it: that is not an empty list | no |
 */
export type CollectionState<D> =
  | readonly [data: D, loaded: true, error: Error | undefined, state: 'live' | 'stale']
  | readonly [data: D | undefined, loaded: false, error: Error | undefined, state: 'loading' | 'restored']
  | readonly [data: D | undefined, loaded: false, error: Error | undefined, state: 'failing' | 'forbidden'];

/** What the health of a collection comes to for those who show it. */
export function shownState<T>(collection: Collection<T>, error: Error | undefined): CollectionState<T>[3] {
  const { state } = collection.health();
  // What may be listed and not watched is polled: that is stale at times, and no refusal.
  if (isForbidden(error) && !(error instanceof InformerError && error.code.startsWith('ERR_WATCH'))) return 'forbidden';
  if (collection.hasSynced()) return error === undefined && state !== 'stopped' ? 'live' : 'stale';
  if (state === 'restored') return 'restored';
  return error === undefined && state !== 'stopped' ? 'loading' : 'failing';
}

/**
 * The state of a collection for those who ask for the current one and are told when there is another, as frameworks of user interfaces do.
 *
 * It keeps the collection up while anybody is subscribed. The state is always that of the collection as it is: with the caches of a graph, all stores over it
 * have changed before the first subscriber of any of them is told.
 */
export abstract class CollectionStore<T, D> {
  protected readonly collection: Collection<T>;
  /** Whether changes are followed. */
  protected isLive = false;
  private readonly changed$ = new Subject<void>();
  private state: CollectionState<D> = [undefined, false, undefined, 'loading'];
  private told: unknown;
  private connection: Subscription | undefined;
  private failure: Error | undefined;
  private isTelling = false;

  constructor(collection: Collection<T>) {
    this.collection = collection;
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
    const [data, error] = [this.data(), this.failure ?? collection.health().error];
    const shown = shownState(collection, error);
    const [dataBefore, , errorBefore, shownBefore] = this.state;
    if (data !== dataBefore || error !== errorBefore || shown !== shownBefore)
      this.state = [data, shown === 'live' || shown === 'stale', error, shown] as CollectionState<D>;
    return this.state;
  };

  /** The data as they are: the same value until they change. */
  protected abstract data(): D | undefined;

  /** Takes a change over, before anybody is told. */
  protected abstract follow(change: ResourceChange<T>): void;

  private connect(): void {
    const { collection } = this;
    const connection = new Subscription();
    this.connection = connection;
    this.failure = undefined;
    this.told = this.getSnapshot();
    const next = (change: ResourceChange<T>): void => {
      this.follow(change);
      this.isLive = true;
      this.tell();
    };
    const error = (thrown: unknown): void => {
      this.failure = thrown instanceof Error ? thrown : new Error(String(thrown));
      this.tell();
    };
    connection.add(collection[collectionPort].settled$.subscribe({ next, error }));
    connection.add(collection.health$.subscribe({ next: () => this.tell(), error: () => undefined }));
  }

  private tell(): void {
    if (this.isTelling) return;
    this.isTelling = true;
    this.collection[collectionPort].trampoline.tell(() => {
      this.isTelling = false;
      const state = this.getSnapshot();
      if (state === this.told) return;
      this.told = state;
      this.changed$.next();
    });
  }
}

/** Everything in a collection. */
class WholeStore<T> extends CollectionStore<T, IndexSnapshot<T>> {
  private snapshot = emptySnapshot<T>();

  protected data(): IndexSnapshot<T> | undefined {
    if (!this.isLive) this.compare();
    return this.snapshot.size === 0 && !this.collection.hasSynced() ? undefined : this.snapshot;
  }

  protected follow({ cause, events }: ResourceChange<T>): void {
    // A snapshot is all that there is: most of it is known.
    if (!this.isLive || cause === 'snapshot') this.compare();
    else if (events.length > 0)
      this.write(events.map((event): SnapshotChange<T> => [event.key, event.type === 'deleted' ? undefined : event.object]));
  }

  /** Finds out what has changed while nobody followed. */
  private compare(): void {
    const { indexer } = this.collection;
    const keys = new Set(indexer.listKeys());
    const gone = [...this.snapshot.keys()].filter((key) => !keys.has(key)).map((key): SnapshotChange<T> => [key, undefined]);
    const others = [...keys].map((key): SnapshotChange<T> => [key, indexer.getByKey(key)]);
    const differing = others.filter(([key, object]) => this.snapshot.get(key) !== object);
    if (gone.length > 0 || differing.length > 0) this.write([...gone, ...differing]);
  }

  private write(changes: readonly SnapshotChange<T>[]): void {
    this.snapshot = snapshotWith(this.snapshot, changes, this.collection.health().resourceVersion);
  }
}

/** The object under one key. */
class ObjectStore<T> extends CollectionStore<T, T> {
  private readonly key: string;

  constructor(collection: Collection<T>, key: string) {
    super(collection);
    this.key = key;
  }

  protected data(): T | undefined {
    return this.collection.indexer.getByKey(this.key);
  }

  protected follow(): void {
    // It is looked up.
  }
}

/** Those of whole collections: who shows one beside another shows the same moment. */
const shared = new WeakMap<Collection<never>, WholeStore<never>>();

/** A store of everything in a collection, or of the object under one key. */
export function collectionStore<T>(
  collection: Collection<T>,
  key: string | undefined,
): CollectionStore<T, IndexSnapshot<T>> | CollectionStore<T, T> {
  if (key !== undefined) return new ObjectStore(collection, key);
  const known = shared.get(untyped(collection)) as WholeStore<T> | undefined;
  if (known !== undefined) return known;
  const store = new WholeStore(collection);
  shared.set(untyped(collection), store as unknown as WholeStore<never>);
  return store;
}
