import { Observable, type SchedulerLike, share, type ShareConfig, type Subscriber, Subscription } from 'rxjs';
import type { AddedEvent, ObjectEvent, ResourceChange, ResourceEvent } from '../../api/events.js';
import { checkOptions, type OptionRules, rules } from '../../api/options.js';
import { SlowCalls } from '../slowCalls.js';
import { expectStore, type StoreOf } from '../../cache/store/store.js';
import { readGuard } from '../../cache/store/readGuard.js';
import { follow, Trampoline } from '../../rx/trampoline.js';

/** Who is told changes, and what is known of it. */
interface Sink<T> {
  readonly observer: { next(change: ResourceChange<T>): void };
  /** Who is told the events of each change, if `observer` does just that. */
  readonly single: { next(event: ObjectEvent<T>): void } | undefined;
  /** Whether it is told as soon as the store has changed, before all others. */
  readonly settled: boolean;
  /** Whether it knows what the store held before the next change. If not, it gets a snapshot in place of that change. */
  known: boolean;
  /** How many changes had been received when it was given its snapshot: those are in it. `Infinity` when it has left. */
  since: number;
}

/** What is counted of a store's changes and of those who are told them. */
interface SharingFigures {
  readonly changes: number;
  readonly subscribers: number;
  /** How often all subscribers together took longer than 50 ms for a change, and the longest time. */
  readonly slow: number;
  readonly slowestMs: number;
}

interface Session {
  /** How many changes earlier sessions have brought. */
  readonly begunAt: number;
  /** Whether there was nothing in the store. */
  readonly wasEmpty: boolean;
}

/**
 * Multicasts the changes of a store. A sink that joins later gets the content of the store first.
 *
 * Changes are counted as they are received, which is before anybody is told. A snapshot is of the store at that moment, and contains every change
 * received so far; its sink is told those that are received later. So no sink is told a change twice, also when it joins in the middle of one.
 */
class SnapshotSubject<T> {
  private readonly store: StoreOf<T>;
  private readonly turns: Trampoline;
  private readonly resync: boolean;
  private readonly sinks = new Set<Sink<T>>();
  /** The sinks by audience, as lists that do not change: who joins or leaves does not disturb a dispatch under way. */
  private audiences: { readonly settled: readonly Sink<T>[]; readonly others: readonly Sink<T>[] } | undefined;
  private readonly waiting: ResourceChange<T>[] = [];
  private readonly calls: SlowCalls;
  private received = 0;
  private dispatched = 0;
  /** Undefined between sessions. */
  private session: Session | undefined;
  private synced = false;

  /**
   * @param resync - whether anybody is told changes with the cause `resync`.
   * @param calls - measures the time of subscribers.
   */
  constructor(store: StoreOf<T>, turns: Trampoline, resync: boolean, calls: SlowCalls) {
    this.calls = calls;
    this.resync = resync;
    this.store = store;
    this.turns = turns;
  }

  hasChanged(): boolean {
    return this.received > 0;
  }

  figures(): SharingFigures {
    const { received: changes, sinks } = this;
    const { slow, slowestMs } = this.calls;
    return { changes, subscribers: sinks.size, slow, slowestMs };
  }

  /** A session begins. What the store holds from an earlier one is known to those who were told then. Returns how to end it. */
  begin(): () => void {
    const session: Session = { begunAt: this.received, wasEmpty: this.store.listKeys().length === 0 };
    this.session = session;
    this.synced = false;
    for (const sink of this.sinks) sink.known ||= this.isKnownTo(sink, session);
    return () => {
      if (session === this.session) this.session = undefined;
    };
  }

  readonly next = (change: ResourceChange<T>): void => {
    if (change.cause === 'resync' && !this.resync) return;
    this.received += 1;
    if (change.synced) this.synced = true;
    const { settled, others } = this.audience();
    for (const sink of settled) this.tell(sink, change, this.received);
    // The snapshot of a sink that joins from here on has this change in it.
    if (others.length === 0 && this.waiting.length === 0) {
      this.dispatched = this.received;
      return;
    }
    this.waiting.push(change);
    this.turns.tell(this.dispatch);
  };

  /** Calls a function when every change received so far has been told. */
  whenTold(action: () => void): void {
    if (this.waiting.length === 0) action();
    else this.turns.tell(action);
  }

  /** From now on the sink is told changes; first of all the content, once there is one. */
  join(sink: Sink<T>): void {
    sink.since = this.received;
    this.sinks.add(sink);
    this.audiences = undefined;
    const { session } = this;
    if (session === undefined) return;
    if (this.received > session.begunAt) this.tellSnapshot(sink);
    else sink.known = this.isKnownTo(sink, session);
  }

  /** Who leaves in the middle of a change is told no more of it. */
  leave(sink: Sink<T>): void {
    sink.since = Infinity;
    this.sinks.delete(sink);
    this.audiences = undefined;
  }

  private readonly dispatch = (): void => {
    const change = this.waiting.shift();
    if (change === undefined) return;
    this.dispatched += 1;
    const count = this.dispatched;
    const { cause, events } = change;
    const isSynced = cause === 'snapshot' || cause === 'list';
    const from = this.calls.begin();
    for (const sink of this.audience().others) {
      const { single } = sink;
      if (single === undefined || isSynced || !sink.known) this.tell(sink, change, count);
      else if (count > sink.since) for (const event of events) this.call(single, event);
    }
    // A list of thousands takes its time, however quick each of its events is.
    this.calls.end(from, events.length);
  };

  private tell(sink: Sink<T>, change: ResourceChange<T>, count: number): void {
    if (count <= sink.since) return;
    if (sink.known) this.call(sink.observer, change);
    else this.tellSnapshot(sink);
  }

  /** A subscriber that throws does not keep the change from the others: the trampoline throws its error when the turns are over. */
  private call<V>(observer: { next(value: V): void }, value: V): void {
    try {
      observer.next(value);
    } catch (error) {
      this.turns.after(() => {
        throw error;
      });
    }
  }

  private tellSnapshot(sink: Sink<T>): void {
    sink.since = this.received;
    sink.known = true;
    this.call(sink.observer, this.snapshot(sink));
  }

  private snapshot({ settled }: Sink<T>): ResourceChange<T> {
    const facts = { cause: 'snapshot', resourceVersion: this.store.lastStoreSyncResourceVersion(), synced: this.synced } as const;
    const events = (): readonly AddedEvent<T>[] => this.events();
    if (!settled) return { ...facts, events: events() };
    return {
      ...facts,
      // For those who read the store itself: made when they are read, which must be at once.
      get events() {
        return events();
      },
    };
  }

  private events(): readonly AddedEvent<T>[] {
    const { store } = this;
    const events: AddedEvent<T>[] = [];
    for (const key of store.listKeys()) {
      const object = store.getByKey(key);
      if (object !== undefined) events.push({ type: 'added', key, object, initial: true, inferred: false });
    }
    return events;
  }

  /**
   * What the store held before the first session came from the caller, who knows it: subscribers are told the difference to it. Those of `settled$` get a
   * snapshot.
   */
  private isKnownTo({ settled }: Sink<T>, { wasEmpty, begunAt }: Session): boolean {
    return wasEmpty || (begunAt === 0 && !settled);
  }

  private audience(): { readonly settled: readonly Sink<T>[]; readonly others: readonly Sink<T>[] } {
    if (this.audiences === undefined) {
      const all = [...this.sinks];
      this.audiences = { settled: all.filter(({ settled }) => settled), others: all.filter(({ settled }) => !settled) };
    }
    return this.audiences;
  }
}

/** Options of `shareWithSnapshot`. */
export interface ShareWithSnapshotOptions {
  /** The turns in which subscribers get changes, those of the graph that the store belongs to; by default turns of its own. */
  readonly trampoline?: Trampoline | undefined;
  /** Whether subscribers get changes with the cause `resync`; by default they do not. */
  readonly resync?: boolean | undefined;
  /** The clock that subscribers' time is measured with. */
  readonly scheduler?: SchedulerLike | undefined;
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
  /** What is counted of it. */
  figures(): SharingFigures;
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
  { trampoline: turns = new Trampoline(), resync = false, resetOnRefCountZero = true, scheduler }: ShareWithSnapshotOptions,
): SharedChanges<T> {
  const subject = new SnapshotSubject<T>(store, turns, resync, new SlowCalls(scheduler));
  const connection$ = sessionOf(source, subject).pipe(share({ resetOnError: true, resetOnComplete: false, resetOnRefCountZero }));

  /** All of a subscription is one turn: what the source emits meanwhile comes behind the snapshot, when the subscription is complete. */
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
    figures: () => subject.figures(),
    follow: (callback: (change: ResourceChange<T>) => void) => {
      const sink: Sink<T> = { observer: { next: callback }, single: undefined, settled: false, known: false, since: 0 };
      const following = new Subscription(() => subject.leave(sink));
      turns.enter(() => subject.join(sink));
      return following;
    },
  });
}

/** Tells the events of a change, one after the other, and with `synced` behind a snapshot or a list after which every scope is complete. */
export function flattenChange<T>(change: ResourceChange<T>, observer: { next(event: ResourceEvent<T>): void }): void {
  const { cause, events, synced } = change;
  for (const event of events) observer.next(event);
  if (!synced || (cause !== 'snapshot' && cause !== 'list')) return;
  const { resourceVersion = '', previousResourceVersion = '' } = change;
  observer.next({ type: 'synced', resourceVersion, previousResourceVersion });
}

const shareRules: OptionRules<ShareWithSnapshotOptions> = {
  trampoline: rules.withMethods('run', 'settle', 'tell', 'after'),
  resync: rules.boolean,
  scheduler: rules.scheduler,
  resetOnRefCountZero: rules.either(rules.boolean, rules.function),
};

/**
 * Shares one subscription to the changes of a store among any number of subscribers, and gives each that comes later the content of `store` first.
 *
 * ```text
 * source   {+a +b}   {~a}   {-b}
 * first    {+a +b}   {~a}   {-b}
 * second        ^{+a +b}{~a}{-b}       the content, as one change with the cause `snapshot`
 * third                  ^{+a' +b}{-b}
 * ```
 *
 * - A subscriber from before the first change gets every change as it happens; where the store holds something from an earlier subscription to the
 *   source, the first one as a snapshot. A later subscriber gets a snapshot at once, then every later change: nothing twice, nothing left out, in order,
 *   also when it subscribes inside another subscriber's callback.
 * - Between the operator that changes the store (`scanToIndex`) and this one there must be nothing that delays. Where callbacks may cause
 *   changes, put the operator `trampoline` above both of them: then a callback finds in the store what it receives.
 * - A subscriber that throws does not affect the others.
 * - Errors and completion go to all. The source is subscribed to with the first subscriber and left with the last, by the rules of `share`;
 *   after an error the next subscriber starts it again, after completion it is completed at once.
 *
 * @example
 * ```ts
 * import type { KubernetesObject } from 'rx-informer';
 * import { createIndexer, reflect, scanToIndex, shareWithSnapshot, trampoline, type ListerWatcher } from 'rx-informer/pipeline';
 *
 * declare const pods: ListerWatcher<KubernetesObject>;
 * const indexer = createIndexer<KubernetesObject>();
 * const changes = reflect(pods).pipe(trampoline(), scanToIndex(indexer), shareWithSnapshot(indexer));
 * changes.subscribe(({ cause, events }) => console.log('early', cause, events.length));
 * changes.subscribe(({ cause, events }) => console.log('late', cause, events.length));
 * ```
 *
 * @throws TypeError when the store or an option is wrong.
 *
 * @see client-go: `sharedProcessor` in tools/cache/shared_informer.go
 */
export function shareWithSnapshot<T>(
  store: StoreOf<T>,
  options: ShareWithSnapshotOptions = {},
): (source: Observable<ResourceChange<T>>) => SharedChanges<T> {
  expectStore('shareWithSnapshot', store);
  checkOptions('shareWithSnapshot', options, shareRules);
  return (source) => createSharedChanges(source, store, options);
}
