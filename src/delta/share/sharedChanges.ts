import { Observable, share, type ShareConfig, type Subscriber, Subscription } from 'rxjs';
import type { ResourceChange } from '../../api/events/resourceChange.js';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import { readGuard } from '../../cache/store/readGuard.js';
import { flattenChange } from './flattenChange.js';
import { follow } from '../../rx/follow.js';
import { Trampoline } from '../../rx/trampoline.js';
import type { StoreOf } from '../storeOf.js';
import { type Sink, SnapshotSubject } from './snapshotSubject.js';

/** Options of `shareWithSnapshot`. */
export interface ShareWithSnapshotOptions {
  /** The turns in which subscribers get changes, those of the graph that the store belongs to; by default turns of its own. */
  readonly trampoline?: Trampoline | undefined;
  /** Whether subscribers get changes with the cause `resync`; by default they do not. */
  readonly resync?: boolean | undefined;
  /** When to leave the source after the last subscriber has left, as in `share`; at once by default. */
  // eslint-disable-next-line rxjs-x/finnish -- the name and the type of share's option
  readonly resetOnRefCountZero?: ShareConfig<unknown>['resetOnRefCountZero'] | undefined;
}

/** Changes that any number of subscribers share. */
export interface SharedChanges<T> extends Observable<ResourceChange<T>> {
  /** The same, each emitted as soon as the store has changed, before any other subscriber gets it. Meant for what is derived from the store. */
  readonly settled$: Observable<ResourceChange<T>>;
  /** The same, one event at a time. */
  readonly resource$: Observable<ResourceEvent<T>>;
  /** Calls a function without keeping the source open: with the changes of all sessions. What the store holds in between is known. */
  follow(next: (change: ResourceChange<T>) => void): Subscription;
  /** Whether the source has ever changed the store. */
  hasChanged(): boolean;
}

/** Hands on what the source emits, for as long as it is subscribed to. */
function sessionOf<T>(source: Observable<ResourceChange<T>>, subject: SnapshotSubject<T>): Observable<never> {
  return new Observable((subscriber) => {
    const end = subject.begin();
    subscriber.add(end);
    const error = (thrown: unknown): void => {
      end();
      subscriber.error(thrown);
    };
    const complete = (): void => {
      end();
      subscriber.complete();
    };
    follow(source, subscriber, { next: subject.next, error, complete });
  });
}

export function createSharedChanges<T>(
  source: Observable<ResourceChange<T>>,
  store: StoreOf<T>,
  { trampoline: turns = new Trampoline(), resync = false, resetOnRefCountZero = true }: ShareWithSnapshotOptions,
): SharedChanges<T> {
  const subject = new SnapshotSubject<T>(store, turns, resync);
  const connection$ = sessionOf(source, subject).pipe(share({ resetOnError: true, resetOnComplete: false, resetOnRefCountZero }));

  /** All of a subscription is one turn: what the source emits meanwhile comes behind the snapshot, and whoever hears of it finds everything in place. */
  const observe = <R>(settled: boolean, observersOf: (subscriber: Subscriber<R>) => Pick<Sink<T>, 'observer' | 'single'>): Observable<R> =>
    new Observable((subscriber) => {
      if (readGuard.refusesSubscription()) {
        subscriber.complete();
        return;
      }
      const { observer, single } = observersOf(subscriber);
      const sink: Sink<T> = { observer, single, settled, known: false, since: 0 };
      subscriber.add(() => subject.leave(sink));
      turns.enter(() => {
        subject.join(sink);
        if (subscriber.closed) return;
        const connection = connection$.subscribe({
          error: (error: unknown) => subject.whenTold(() => subscriber.error(error)),
          complete: () => subject.whenTold(() => subscriber.complete()),
        });
        subscriber.add(connection);
      });
    });

  const changesOf = (observer: Sink<T>['observer']) => ({ observer, single: undefined });
  return Object.assign(observe(false, changesOf), {
    settled$: observe(true, changesOf),
    resource$: observe<ResourceEvent<T>>(false, (single) => ({ observer: { next: (change) => flattenChange(change, single) }, single })),
    hasChanged: () => subject.hasChanged(),
    follow: (callback: (change: ResourceChange<T>) => void) => {
      const sink: Sink<T> = { observer: { next: callback }, single: undefined, settled: false, known: false, since: 0 };
      const following = new Subscription(() => subject.leave(sink));
      turns.enter(() => subject.join(sink));
      return following;
    },
  });
}
