import { Observable, type Observer, type Subscriber } from 'rxjs';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import { revisionOf, type StoreRevision } from '../../cache/store/storeRevision.js';
import type { StoreOf } from '../storeOf.js';

/**
 * What one subscriber of a snapshot subject wants.
 */
export interface ObserveOptions {
  /** Whether it is told `resync` updates. */
  readonly resync?: boolean | undefined;
  /**
   * Whether it knows nothing of what was in a warm store before this session: then it is told the result of the session's first change as a
   * snapshot, instead of that change.
   */
  readonly fresh?: boolean | undefined;
}

/** No store has this revision. */
const none = -1;

/** One subscriber. */
class Sink<T> {
  readonly subscriber: Subscriber<ResourceEvent<T>>;
  readonly resync: boolean;
  fresh: boolean;
  synced = false;
  /** The revision of the store that the subscriber has seen whole: events of that change are no news to it. */
  seen = none;
  /** What happens while its snapshot is being told. */
  queue: ResourceEvent<T>[] | undefined;

  constructor(subscriber: Subscriber<ResourceEvent<T>>, { resync = false, fresh = false }: ObserveOptions) {
    this.subscriber = subscriber;
    this.resync = resync;
    this.fresh = fresh;
  }
}

/**
 * Multicasts the resource events of one session, and gives every subscriber that comes later the content of the store first.
 */
export class SnapshotSubject<T> implements Observer<ResourceEvent<T>> {
  private readonly store: StoreOf<T>;
  private readonly revision: StoreRevision;
  private readonly sinks = new Set<Sink<T>>();
  /** The sinks as a list that does not change: who joins or leaves does not disturb a dispatch under way. */
  private audience: readonly Sink<T>[] | undefined;
  private begun = false;
  private synced = false;
  private end: ((subscriber: Subscriber<ResourceEvent<T>>) => void) | undefined;

  constructor(store: StoreOf<T>) {
    this.store = store;
    this.revision = revisionOf(store);
  }

  next(event: ResourceEvent<T>): void {
    if (this.end !== undefined) return;
    this.begun = true;
    if (event.type === 'synced') this.synced = true;
    this.audience ??= [...this.sinks];
    for (const sink of this.audience) this.tell(sink, event);
  }

  error(error: unknown): void {
    this.finish((subscriber) => subscriber.error(error));
  }

  complete(): void {
    this.finish((subscriber) => subscriber.complete());
  }

  observe(options: ObserveOptions = {}): Observable<ResourceEvent<T>> {
    return new Observable((subscriber) => {
      if (this.end !== undefined) {
        this.end(subscriber);
        return undefined;
      }
      const sink = new Sink(subscriber, options);
      this.sinks.add(sink);
      this.audience = undefined;
      if (this.begun) this.tellSnapshot(sink, this.synced);
      return () => {
        this.sinks.delete(sink);
        this.audience = undefined;
      };
    });
  }

  private tell(sink: Sink<T>, event: ResourceEvent<T>): void {
    if (sink.subscriber.closed) return;
    if (event.type === 'updated' && event.resync) {
      if (!sink.resync) return;
    } else {
      if (sink.fresh) this.tellSnapshot(sink, false);
      if (sink.seen !== none) {
        if (sink.seen !== this.revision.value) sink.seen = none;
        else if (event.type !== 'synced' || sink.synced) return;
      }
    }
    if (event.type === 'synced') sink.synced = true;
    if (sink.queue === undefined) sink.subscriber.next(event);
    else sink.queue.push(event);
  }

  private tellSnapshot(sink: Sink<T>, synced: boolean): void {
    const { store } = this;
    const { subscriber } = sink;
    // Whatever happens to the store from here on, the snapshot is of this moment.
    const resourceVersion = store.lastStoreSyncResourceVersion();
    const keys = store.listKeys();
    const objects = keys.map((key) => store.getByKey(key));
    // A store that nobody counts for says nothing about what is in it.
    sink.seen = this.revision.value === 0 ? none : this.revision.value;
    sink.fresh = false;
    sink.queue = [];
    for (const [at, key] of keys.entries()) {
      if (subscriber.closed) return;
      const object = objects[at];
      if (object !== undefined) subscriber.next({ type: 'added', key, object, initial: true, inferred: false });
    }
    if (synced) {
      sink.synced = true;
      subscriber.next({ type: 'synced', resourceVersion, previousResourceVersion: '' });
    }
    // It may grow while it is told.
    for (const event of sink.queue) subscriber.next(event);
    sink.queue = undefined;
  }

  private finish(how: (subscriber: Subscriber<ResourceEvent<T>>) => void): void {
    this.end = how;
    const sinks = [...this.sinks];
    this.sinks.clear();
    this.audience = undefined;
    for (const { subscriber } of sinks) how(subscriber);
  }
}
