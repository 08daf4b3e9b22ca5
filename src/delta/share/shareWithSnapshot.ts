import { Observable, type SchedulerLike, share, type ShareConfig, Subscription, tap } from 'rxjs';
import { delivering, type Drops } from '../../api/drops.js';
import type { AddedEvent, ResourceChange, ResourceEvent } from '../../api/events.js';
import { checkOptions, type OptionRules, rules } from '../../api/options.js';
import { SlowCalls } from '../../api/clock.js';
import { type CacheStore, entriesOf, expectStore, type StoreOf } from '../../cache/store/store.js';
import { readGuard } from '../../cache/store/readGuard.js';
import { schedulerOf } from '../../rx/schedulerOf.js';
import { follow, Trampoline } from '../../rx/trampoline.js';

/** A subscriber of changes, and what it has received. */
interface Sink<T> {
  readonly observer: { next(change: ResourceChange<T>): void };
  /** Whether it receives each change as soon as the store has changed, before all others (`settled$`). */
  readonly settled: boolean;
  /** Whether it already has the content of the store before the next change. If not, it gets a snapshot instead of that change. */
  known: boolean;
  /** The number of changes that its snapshot contains. It receives only later changes. `Infinity` after it has left. */
  since: number;
  /** Whether it keeps the source subscribed. */
  readonly holds: boolean;
}

/** Counts of a store's changes and subscribers. */
export interface SharingFigures {
  readonly changes: number;
  readonly subscribers: number;
  /** How often all subscribers together took longer than 50 ms for a change, and the longest time. */
  readonly slow: number;
  readonly slowestMs: number;
}

interface Session {
  /** How many changes earlier sessions have emitted. */
  readonly begunAt: number;
  /** Whether the store was empty when the session began. */
  readonly wasEmpty: boolean;
}

/**
 * Multicasts the changes of a store. A sink that joins later gets the content of the store first.
 *
 * Changes are counted when they are received, before they are emitted. A snapshot contains every change received so far, and its sink gets those received
 * later. So no sink gets a change twice, even if it joins during a dispatch.
 */
class SnapshotSubject<T> {
  private readonly store: CacheStore<T>;
  private readonly turns: Trampoline;
  private readonly resync: boolean;
  /** The sinks by audience. Those that join during a dispatch are passed over, as their snapshot has the change. */
  private readonly settled = new Set<Sink<T>>();
  private readonly others = new Set<Sink<T>>();
  private readonly waiting: ResourceChange<T>[] = [];
  private readonly calls: SlowCalls;
  private readonly drops$: Drops | undefined;
  private received = 0;
  /** Undefined between sessions. */
  private session: Session | undefined;
  private synced = false;

  /**
   * @param resync - whether sinks get changes with the cause `resync`.
   * @param calls - measures the time of subscribers.
   */
  constructor(store: CacheStore<T>, turns: Trampoline, resync: boolean, calls: SlowCalls, drops$: Drops | undefined) {
    this.calls = calls;
    this.drops$ = drops$;
    this.resync = resync;
    this.store = store;
    this.turns = turns;
  }

  figures(): SharingFigures {
    const { received: changes, settled, others } = this;
    const { slow, slowestMs } = this.calls;
    // Observers that do not hold the source, such as the inspector, are not counted.
    return { changes, subscribers: others.size + [...settled].filter(({ holds }) => holds).length, slow, slowestMs };
  }

  /** Begins a session, and returns the function that ends it. Sinks that received the content of an earlier session keep it. */
  begin(): () => void {
    const session: Session = { begunAt: this.received, wasEmpty: this.store.listKeys().length === 0 };
    this.session = session;
    this.synced = false;
    for (const sink of [...this.settled, ...this.others]) sink.known ||= this.isKnownTo(sink, session);
    return () => {
      if (session === this.session) this.session = undefined;
    };
  }

  readonly next = (change: ResourceChange<T>): void => {
    if (change.cause === 'resync' && !this.resync) return;
    this.received += 1;
    if (change.synced) this.synced = true;
    if (this.settled.size > 0) this.deliverTo(this.settled, change, this.received);
    // The snapshot of a sink that joins from here on contains this change.
    if (this.others.size === 0 && this.waiting.length === 0) return;
    this.waiting.push(change);
    this.turns.notify(this.dispatch);
  };

  /** Adds a sink. It first gets the content, once there is one, then the changes. */
  join(sink: Sink<T>): void {
    sink.since = this.received;
    (sink.settled ? this.settled : this.others).add(sink);
    const { session } = this;
    if (session === undefined) return;
    if (this.received > session.begunAt) this.telling(() => this.sendSnapshot(sink));
    else sink.known = this.isKnownTo(sink, session);
  }

  /** Removes a sink. If it leaves during a change, it gets nothing more of that change. */
  leave(sink: Sink<T>): void {
    sink.since = Infinity;
    (sink.settled ? this.settled : this.others).delete(sink);
  }

  /** Calls a function when every change received so far has been dispatched. */
  whenDispatched(action: () => void): void {
    if (this.waiting.length === 0) action();
    else this.turns.notify(action);
  }

  private readonly dispatch = (): void => {
    const change = this.waiting.shift();
    if (change === undefined) return;
    const count = this.received - this.waiting.length;
    const from = this.calls.begin();
    this.deliverTo(this.others, change, count);
    // A list of thousands takes long even if each of its events is quick: allow 1 ms per event.
    this.calls.end(from, change.events.length);
  };

  private deliverTo(sinks: Iterable<Sink<T>>, change: ResourceChange<T>, count: number): void {
    this.telling(() => {
      for (const sink of sinks) this.deliver(sink, change, count);
    });
  }

  /** Operators behind this one tell meanwhile what they filter out. */
  private telling(action: () => void): void {
    const outer = delivering.drops;
    delivering.drops = this.drops$;
    try {
      action();
    } finally {
      delivering.drops = outer;
    }
  }

  private deliver(sink: Sink<T>, change: ResourceChange<T>, count: number): void {
    if (count <= sink.since) return;
    if (sink.known) this.call(sink, change);
    else this.sendSnapshot(sink);
  }

  /**
   * A sink that throws does not affect the others: the trampoline throws its error after all turns. RxJS catches the errors of subscribers itself, except
   * with `useDeprecatedSynchronousErrorHandling`.
   */
  private call({ observer }: Sink<T>, change: ResourceChange<T>): void {
    try {
      observer.next(change);
    } catch (error) {
      this.turns.after(() => {
        throw error;
      });
    }
  }

  private sendSnapshot(sink: Sink<T>): void {
    sink.since = this.received;
    sink.known = true;
    this.call(sink, this.snapshot(sink));
  }

  private snapshot({ settled }: Sink<T>): ResourceChange<T> {
    const events = (): readonly AddedEvent<T>[] => this.events();
    const snapshot: ResourceChange<T> = {
      cause: 'snapshot',
      resourceVersion: this.store.lastStoreSyncResourceVersion(),
      synced: this.synced,
      // Sinks of `settled$` usually read the store instead. So the events are computed when they are read; that must happen during the dispatch.
      get events() {
        return events();
      },
    };
    return settled ? snapshot : { ...snapshot };
  }

  private events(): readonly AddedEvent<T>[] {
    const events: AddedEvent<T>[] = [];
    for (const [key, object] of entriesOf(this.store)) events.push({ type: 'added', key, object, initial: true, inferred: false });
    return events;
  }

  /**
   * Whether a sink knows the content that the store had before the first session. The caller provided that content, so subscribers get the difference to it.
   * Subscribers of `settled$` get a snapshot.
   */
  private isKnownTo({ settled }: Sink<T>, { wasEmpty, begunAt }: Session): boolean {
    return wasEmpty || (begunAt === 0 && !settled);
  }
}

/** Options of `shareWithSnapshot`. */
export interface ShareWithSnapshotOptions {
  /** The trampoline in which subscribers get changes: that of the graph of the store. @defaultValue one of its own */
  readonly trampoline?: Trampoline | undefined;
  /** Whether subscribers get changes with the cause `resync`. @defaultValue false */
  readonly resync?: boolean | undefined;
  /** The clock that measures the time of subscribers. @defaultValue RxJS's `asyncScheduler` on a monotonic clock */
  readonly scheduler?: SchedulerLike | undefined;
  /** When to leave the source after the last subscriber has left, as in `share`. @defaultValue true: at once */
  // eslint-disable-next-line rxjs-x/finnish -- the name and the type of share's option
  readonly resetOnRefCountZero?: ShareConfig<unknown>['resetOnRefCountZero'] | undefined;
}

/** Changes that any number of subscribers share. */
export interface SharedChanges<T> extends Observable<ResourceChange<T>> {
  /** The changes, each emitted as soon as the store has changed and before other subscribers get it. For collections derived from the store. */
  readonly settled$: Observable<ResourceChange<T>>;
  /** The events of the changes, one at a time. */
  readonly resource$: Observable<ResourceEvent<T>>;
  /**
   * Calls a function with the changes of all sessions, without keeping the source subscribed. It gets no snapshot of the content between sessions.
   *
   * @param settled - whether the function is called as early as subscribers of `settled$`; the events of a snapshot are then computed only if they are read.
   */
  follow(next: (change: ResourceChange<T>) => void, settled?: boolean): Subscription;
  /** Whether the source has ever changed the store. */
  hasChanged(): boolean;
  /** Counts of changes and subscribers. */
  figures(): SharingFigures;
}

/** Passes the source's changes to the subject while subscribed. */
function sessionOf<T>(source: Observable<ResourceChange<T>>, subject: SnapshotSubject<T>): Observable<never> {
  return new Observable((subscriber) => {
    const end = subject.begin();
    subscriber.add(end);
    follow(source.pipe(tap({ error: end, complete: end })), subscriber, { next: subject.next });
  });
}

/** `drops$`: what operators behind it filter out. */
type SharedChangesOptions = ShareWithSnapshotOptions & { readonly drops$?: Drops | undefined };

export function createSharedChanges<T>(
  source: Observable<ResourceChange<T>>,
  store: CacheStore<T>,
  { trampoline: turns = new Trampoline(), resync = false, resetOnRefCountZero = true, scheduler, drops$ }: SharedChangesOptions,
): SharedChanges<T> {
  const subject = new SnapshotSubject<T>(store, turns, resync, new SlowCalls(schedulerOf(scheduler)), drops$);
  const connection$ = sessionOf(source, subject).pipe(share({ resetOnError: true, resetOnComplete: false, resetOnRefCountZero }));

  /** A subscription is one turn: what the source emits meanwhile follows the snapshot, when the subscription is complete. */
  const observe = (settled: boolean): Observable<ResourceChange<T>> =>
    new Observable((subscriber) => {
      if (readGuard.reader !== undefined) {
        // RxJS would catch what is thrown here.
        readGuard.misdeed = readGuard.reader('subscribe');
        subscriber.complete();
        return;
      }
      const sink: Sink<T> = { observer: subscriber, settled, known: false, since: 0, holds: true };
      subscriber.add(() => subject.leave(sink));
      turns.enter(() => {
        subject.join(sink);
        follow(connection$, subscriber, {
          error: (error: unknown) => subject.whenDispatched(() => subscriber.error(error)),
          complete: () => subject.whenDispatched(() => subscriber.complete()),
        });
      });
    });

  const change$ = observe(false);
  return Object.assign(change$, {
    settled$: observe(true),
    resource$: flattened(change$),
    hasChanged: () => subject.figures().changes > 0,
    figures: () => subject.figures(),
    follow: (callback: (change: ResourceChange<T>) => void, settled: boolean = false) => {
      const sink: Sink<T> = { observer: { next: callback }, settled, known: false, since: 0, holds: false };
      const following = new Subscription(() => subject.leave(sink));
      turns.enter(() => subject.join(sink));
      return following;
    },
  });
}

/** Emits the events of a change one by one, then `synced` after a snapshot or a list after which every scope is complete. */
export function flattenChange<T>(change: ResourceChange<T>, observer: { next(event: ResourceEvent<T>): void }): void {
  for (const event of change.events) observer.next(event);
  const { cause, synced } = change;
  if (!synced || (cause !== 'snapshot' && cause !== 'list')) return;
  const { resourceVersion = '', previousResourceVersion = '' } = change;
  observer.next({ type: 'synced', resourceVersion, previousResourceVersion });
}

/** The events of changes, one at a time. */
export function flattened<T>(change$: Observable<ResourceChange<T>>): Observable<ResourceEvent<T>> {
  return new Observable((subscriber) => follow(change$, subscriber, { next: (change) => flattenChange(change, subscriber) }));
}

const shareRules: OptionRules<ShareWithSnapshotOptions> = {
  trampoline: rules.withMethods('run', 'settle', 'notify', 'after'),
  resync: rules.boolean,
  scheduler: rules.scheduler,
  resetOnRefCountZero: rules.either(rules.boolean, rules.function),
};

/**
 * Shares one subscription to the changes of a store among any number of subscribers. A later subscriber gets the content of `store` first.
 *
 * ```text
 * source   {+a +b}   {~a}   {-b}
 * first    {+a +b}   {~a}   {-b}
 * second        ^{+a +b}{~a}{-b}       the content, as one change with the cause `snapshot`
 * third                  ^{+a' +b}{-b}
 * ```
 *
 * - A subscriber from before the first change gets every change as it happens; if the store has content of an earlier subscription to the
 *   source, it gets the first change as a snapshot. A later subscriber gets a snapshot at once, then every later change, each exactly once and in order,
 *   even when it subscribes inside another subscriber's callback.
 * - Nothing may delay changes between the operator that changes the store (`scanToIndex`) and this one. If callbacks may cause changes, put the operator
 *   `trampoline` before both: a callback then finds in the store what it receives.
 * - A subscriber that throws does not affect the others.
 * - Errors and completion go to all. The source is subscribed to with the first subscriber and unsubscribed from with the last, by the rules of `share`;
 *   after an error the next subscriber subscribes again, after completion it completes at once.
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
