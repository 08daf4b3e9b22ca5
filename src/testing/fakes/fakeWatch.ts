import { Observable, type SchedulerLike, type Subscriber, throwError } from 'rxjs';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import { apiErrorOfStatus, type Status } from '../../api/errors/apiError.js';
import { initialEventsEndAnnotation, type WatchChunk, type WatchEvent, type WatchRequest } from '../../api/listerWatcher.js';
import type { FakeChange, FakeHistory } from './fakeHistory.js';
import { expiredStatus, failureStatus, tooLargeResourceVersionStatus } from './serverErrors.js';

/** The start and the events of a fake watch. */
interface FakeWatchOptions<T> {
  readonly selects: (object: T) => boolean;
  readonly scheduler: SchedulerLike;
  /** Only changes after this version are emitted. */
  readonly after: number;
  /** The objects that are emitted first, as ADDED. */
  readonly initial: readonly T[];
  /** Whether a bookmark marks the end of the initial objects. */
  readonly marker: boolean;
  /** How often a bookmark is sent while the version changes, in milliseconds; `Infinity` for never. */
  readonly bookmarkIntervalMs: number;
  readonly timeoutMs: number;
}

/** One open watch of a fake server. @internal */
export class FakeWatch<T extends KubernetesObject> {
  /** Whether the connection is half-open: nothing arrives any more, not even its end. */
  stalled = false;
  private position: number;
  private pumping = true;
  private readonly subscriber: Subscriber<WatchChunk<T>>;
  private readonly history: FakeHistory<T>;
  private readonly options: FakeWatchOptions<T>;

  constructor(subscriber: Subscriber<WatchChunk<T>>, history: FakeHistory<T>, options: FakeWatchOptions<T>) {
    this.subscriber = subscriber;
    this.history = history;
    this.options = options;
    this.position = history.positionAfter(options.after);
  }

  open(): void {
    const { scheduler, initial, marker, bookmarkIntervalMs, timeoutMs, after } = this.options;
    this.send();
    for (const object of initial) this.send({ type: 'ADDED', object });
    if (marker) this.send(this.bookmarkOf(after, { annotations: { [initialEventsEndAnnotation]: 'true' } }));
    if (this.subscriber.closed) return;
    if (timeoutMs < Infinity) this.subscriber.add(scheduler.schedule(() => this.end(), timeoutMs));
    if (bookmarkIntervalMs < Infinity) {
      const { history, send, bookmarkOf } = { history: this.history, send: this.send.bind(this), bookmarkOf: this.bookmarkOf.bind(this) };
      this.subscriber.add(
        scheduler.schedule(function again() {
          // A real server sends no bookmark while nothing has changed since the watch began.
          if (history.version > after) send(bookmarkOf(history.version));
          this.schedule(undefined, bookmarkIntervalMs);
        }, bookmarkIntervalMs),
      );
    }
    this.pumping = false;
    this.pump();
  }

  /** Emits all changes since the last call. A change made by a subscriber is emitted after the one that it reacts to. */
  pump(): void {
    if (this.pumping) return;
    this.pumping = true;
    for (
      let change = this.history.log[this.position];
      change !== undefined && !this.subscriber.closed;
      change = this.history.log[this.position]
    ) {
      this.position += 1;
      const event = change.lost || change.version <= this.options.after ? undefined : this.eventOf(change);
      if (event !== undefined) this.send(event);
    }
    this.pumping = false;
  }

  fail(status: Status): void {
    this.send({ type: 'ERROR', object: status });
    this.end();
  }

  end(error?: unknown): void {
    if (this.stalled) return;
    if (error === undefined) this.subscriber.complete();
    else this.subscriber.error(error);
  }

  private send(...events: WatchChunk<T>): void {
    if (!this.stalled) this.subscriber.next(events);
  }

  /** The event of a change for a watch with a selector: an object that stops matching is deleted, with its last matching content. */
  private eventOf({ type, object, previous, version }: FakeChange<T>): WatchEvent<T> | undefined {
    const { selects } = this.options;
    const was = previous !== undefined && selects(previous);
    const is = type !== 'DELETED' && selects(object);
    if (is) return { type: was ? 'MODIFIED' : 'ADDED', object };
    if (!was) return undefined;
    return { type: 'DELETED', object: { ...previous, metadata: { ...previous.metadata, resourceVersion: String(version) } } };
  }

  private bookmarkOf(version: number, metadata: KubernetesObject['metadata'] = {}): WatchEvent<T> {
    return { type: 'BOOKMARK', object: { metadata: { ...metadata, resourceVersion: String(version) } } };
  }
}

/** What a fake watch uses of its server. @internal */
export interface FakeWatchAnswerOptions<T extends KubernetesObject> {
  readonly scheduler: SchedulerLike;
  readonly selects: (object: T) => boolean;
  readonly watchList: 'on' | 'refused' | 'ignored';
  readonly bookmarkIntervalMs: number;
  /** The open watches, including this one while it is open. */
  readonly watches: Set<FakeWatch<T>>;
}

/**
 * Answers a watch like a server: with all changes after the requested version; without a version, with all objects first; for an expired
 * version, with a 410 inside the answer. For a version in the future, the watch is silent, unless a list is streamed.
 *
 * @internal
 */
export function fakeWatchAnswer<T extends KubernetesObject>(
  history: FakeHistory<T>,
  request: WatchRequest,
  options: FakeWatchAnswerOptions<T>,
): Observable<WatchChunk<T>> {
  const { scheduler, selects, watchList, watches } = options;
  const { resourceVersion = '', allowWatchBookmarks = false, timeoutSeconds = Infinity } = request;
  const asked = Number(resourceVersion);
  // A server that can streams the list of a watch without a version, too.
  const { sendInitialEvents = asked === 0 && watchList === 'on' } = request;
  const streamed = sendInitialEvents && watchList !== 'ignored';
  if (streamed && watchList === 'refused') {
    const status = failureStatus(422, 'Invalid', 'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch');
    return throwError(() => apiErrorOfStatus(status));
  }
  return new Observable((subscriber) => {
    const fresh = streamed || asked === 0;
    const watch = new FakeWatch(subscriber, history, {
      selects,
      scheduler,
      after: fresh ? history.version : asked,
      initial: fresh
        ? history
            .at(history.version)
            .map(([, object]) => object)
            .filter(selects)
        : [],
      marker: streamed && allowWatchBookmarks,
      bookmarkIntervalMs: allowWatchBookmarks ? options.bookmarkIntervalMs : Infinity,
      timeoutMs: timeoutSeconds * 1000,
    });
    watches.add(watch);
    subscriber.add(() => watches.delete(watch));
    if (streamed && asked > history.version) watch.fail(tooLargeResourceVersionStatus(resourceVersion, String(history.version)));
    else if (!fresh && asked < history.cached) watch.fail(expiredStatus(resourceVersion, String(history.cached)));
    else watch.open();
  });
}
