import { Observable, type Observer, type Subscriber } from 'rxjs';
import type { ResourceEvent } from '../api/resourceEvent.js';
import { revisionOf } from '../cache/storeRevision.js';
import type { StoreOf } from './storeOf.js';

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

/**
 * Multicasts resource events, and gives every subscriber that comes later the content of the store first.
 */
export interface SnapshotSubject<T> extends Observer<ResourceEvent<T>> {
  observe(options?: ObserveOptions): Observable<ResourceEvent<T>>;
}

/** One subscriber. */
interface Sink<T> {
  readonly subscriber: Subscriber<ResourceEvent<T>>;
  readonly resync: boolean;
  fresh: boolean;
  synced: boolean;
  /** The revision of the store that the subscriber has seen whole: events of that change are no news to it. */
  seen: number;
  /** What happens while its snapshot is being told. */
  queue: ResourceEvent<T>[] | undefined;
}

/** No store has this revision. */
const none = -1;

export function createSnapshotSubject<T>(store: StoreOf<T>): SnapshotSubject<T> {
  const revision = revisionOf(store);
  const sinks = new Set<Sink<T>>();
  /** The sinks of the dispatch under way: who joins or leaves meanwhile does not disturb it. */
  let stable: readonly Sink<T>[] | undefined;
  let begun = false;
  let synced = false;
  let end: ((subscriber: Subscriber<ResourceEvent<T>>) => void) | undefined;

  const tellSnapshot = (sink: Sink<T>, wasSynced: boolean): void => {
    const { subscriber } = sink;
    sink.fresh = false;
    sink.seen = revision.value === 0 ? none : revision.value;
    const resourceVersion = store.lastStoreSyncResourceVersion();
    const keys = store.listKeys();
    const objects = keys.map((key) => store.getByKey(key));
    sink.queue = [];
    for (let at = 0; at < keys.length && !subscriber.closed; at += 1) {
      const key = keys[at];
      const object = objects[at];
      if (key !== undefined && object !== undefined) subscriber.next({ type: 'added', key, object, initial: true, inferred: false });
    }
    if (wasSynced) {
      sink.synced = true;
      subscriber.next({ type: 'synced', resourceVersion, previousResourceVersion: '' });
    }
    for (let at = 0; at < sink.queue.length; at += 1) subscriber.next(sink.queue[at] as ResourceEvent<T>);
    sink.queue = undefined;
  };

  const tell = (sink: Sink<T>, event: ResourceEvent<T>): void => {
    if (sink.subscriber.closed) return;
    if (event.type === 'updated' && event.resync) {
      if (!sink.resync) return;
    } else {
      if (sink.fresh) tellSnapshot(sink, false);
      if (sink.seen !== none) {
        if (sink.seen !== revision.value) sink.seen = none;
        else if (event.type !== 'synced' || sink.synced) return;
      }
    }
    if (event.type === 'synced') sink.synced = true;
    if (sink.queue === undefined) sink.subscriber.next(event);
    else sink.queue.push(event);
  };

  const finish = (how: (subscriber: Subscriber<ResourceEvent<T>>) => void): void => {
    end = how;
    const all = [...sinks];
    sinks.clear();
    stable = undefined;
    for (const { subscriber } of all) how(subscriber);
  };

  return {
    next: (event) => {
      if (end !== undefined) return;
      begun = true;
      if (event.type === 'synced') synced = true;
      stable ??= [...sinks];
      for (const sink of stable) tell(sink, event);
    },
    error: (error) => finish((subscriber) => subscriber.error(error)),
    complete: () => finish((subscriber) => subscriber.complete()),
    observe: ({ resync = false, fresh = false } = {}) =>
      new Observable((subscriber) => {
        if (end !== undefined) {
          end(subscriber);
          return undefined;
        }
        const sink: Sink<T> = { subscriber, resync, fresh, synced: false, seen: none, queue: undefined };
        sinks.add(sink);
        stable = undefined;
        if (begun) tellSnapshot(sink, synced);
        return () => {
          sinks.delete(sink);
          stable = undefined;
        };
      }),
  };
}
