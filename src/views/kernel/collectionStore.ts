import { Subject, Subscription } from 'rxjs';
import type { IndexSnapshot } from '../../cache/snapshot/indexSnapshot.js';
import type { Collection } from '../../informer/collection.js';

/**
 * What a collection shows at one moment: its data, whether they are complete, and its last failure until it is healthy again.
 */
export type CollectionState<D> = readonly [data: D | undefined, loaded: boolean, error: Error | undefined];

/**
 * The state of a collection for those who ask for the current one and are told when there is another, as frameworks of user interfaces do.
 *
 * It keeps the collection up while anybody is subscribed. Without subscribers, it has the state that it had last.
 */
export class CollectionStore<T, D> {
  private readonly collection: Collection<T>;
  private readonly pick: (snapshot: IndexSnapshot<T>) => D | undefined;
  private readonly changed$ = new Subject<void>();
  private state: CollectionState<D> = [undefined, false, undefined];
  private connection: Subscription | undefined;
  private failure: Error | undefined;
  private received = false;

  constructor(collection: Collection<T>, pick: (snapshot: IndexSnapshot<T>) => D | undefined) {
    this.collection = collection;
    this.pick = pick;
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
    };
  };

  /** The state: the same tuple until it changes. */
  readonly getSnapshot = (): CollectionState<D> => this.state;

  private connect(): void {
    const { collection } = this;
    const connection = new Subscription();
    this.connection = connection;
    this.received = false;
    this.failure = undefined;
    connection.add(
      collection.index$.subscribe({
        next: (snapshot) => {
          this.received = true;
          this.update(this.pick(snapshot));
        },
        error: (error: unknown) => {
          this.failure = error instanceof Error ? error : new Error(String(error));
          this.update(this.state[0]);
        },
      }),
    );
    connection.add(collection.health$.subscribe({ next: () => this.update(this.state[0]), error: () => undefined }));
  }

  private update(data: D | undefined): void {
    const loaded = this.received && this.collection.hasSynced();
    const error = this.failure ?? this.collection.health().error;
    const [dataBefore, loadedBefore, errorBefore] = this.state;
    if (data === dataBefore && loaded === loadedBefore && error === errorBefore) return;
    this.state = [data, loaded, error];
    this.changed$.next();
  }
}

/**
 * Makes a store of everything in a collection, or of the object under one key.
 */
export function collectionStore<T>(
  collection: Collection<T>,
  key: string | undefined,
): CollectionStore<T, IndexSnapshot<T>> | CollectionStore<T, T> {
  if (key === undefined) return new CollectionStore<T, IndexSnapshot<T>>(collection, (snapshot) => snapshot);
  return new CollectionStore<T, T>(collection, (snapshot) => snapshot.get(key));
}
