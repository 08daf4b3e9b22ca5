import { defer, finalize, ignoreElements, Observable, share, type ShareConfig, type Subscriber, Subscription, tap } from 'rxjs';
import type { ResourceChange } from '../../api/events/resourceChange.js';
import { Trampoline } from '../../rx/trampoline.js';
import type { StoreOf } from '../storeOf.js';
import { type Sink, SnapshotSubject } from './snapshotSubject.js';

/**
 * Options of `shareWithSnapshot`.
 */
export interface ShareWithSnapshotOptions {
  /** The turns in which subscribers are told, those of the graph that the store belongs to; by default turns of its own. */
  readonly trampoline?: Trampoline | undefined;
  /** Whether subscribers are told changes with the cause `resync`; by default they are not. */
  readonly resync?: boolean | undefined;
  /** When to leave the source after the last subscriber has left, as in `share`; at once by default. */
  // eslint-disable-next-line rxjs-x/finnish -- the name and the type of share's option
  readonly resetOnRefCountZero?: ShareConfig<unknown>['resetOnRefCountZero'] | undefined;
}

/**
 * Changes that any number of subscribers share.
 */
export class SharedChanges<T> extends Observable<ResourceChange<T>> {
  /**
   * The same, each emitted as soon as the store has changed, before any other subscriber is told. Meant for what is derived from the store.
   */
  readonly settled$: Observable<ResourceChange<T>>;
  private readonly subject: SnapshotSubject<T>;
  private readonly turns: Trampoline;
  private readonly connection$: Observable<never>;

  constructor(source: Observable<ResourceChange<T>>, store: StoreOf<T>, options: ShareWithSnapshotOptions) {
    const { trampoline: turns = new Trampoline(), resync = false, resetOnRefCountZero = true } = options;
    super((subscriber) => this.connect(subscriber, false));
    const subject = new SnapshotSubject<T>(store, turns);
    this.turns = turns;
    this.subject = subject;
    this.settled$ = new Observable((subscriber) => this.connect(subscriber, true));
    const next = (change: ResourceChange<T>): void => {
      if (resync || change.cause !== 'resync') subject.next(change);
    };
    this.connection$ = defer(() => {
      const end = subject.begin();
      return source.pipe(tap({ next, error: end, complete: end }), finalize(end), ignoreElements());
    }).pipe(share({ resetOnError: true, resetOnComplete: false, resetOnRefCountZero }));
  }

  /** Whether the source has ever changed the store. */
  hasChanged(): boolean {
    return this.subject.hasChanged();
  }

  /**
   * Tells changes without keeping the source open: those of all sessions, one after the other. What the store holds in between is known.
   */
  follow(next: (change: ResourceChange<T>) => void): Subscription {
    const sink: Sink<T> = { next, settled: false, known: false, since: 0 };
    const following = new Subscription(() => this.subject.leave(sink));
    this.turns.enter(() => this.subject.join(sink));
    return following;
  }

  /** All of it is one turn: what the source emits meanwhile comes behind the snapshot, and whoever hears of it finds everything in place. */
  private connect(subscriber: Subscriber<ResourceChange<T>>, settled: boolean): void {
    const sink: Sink<T> = { next: (change) => subscriber.next(change), settled, known: false, since: 0 };
    subscriber.add(() => this.subject.leave(sink));
    this.turns.enter(() => {
      this.subject.join(sink);
      if (subscriber.closed) return;
      subscriber.add(
        this.connection$.subscribe({
          error: (error: unknown) => this.subject.whenTold(() => subscriber.error(error)),
          complete: () => this.subject.whenTold(() => subscriber.complete()),
        }),
      );
    });
  }
}
