import type { ObjectEvent, ResourceChange } from '../../api/events/resourceChange.js';
import type { AddedEvent } from '../../api/events/resourceEvent.js';
import type { Trampoline } from '../../rx/trampoline.js';
import type { StoreOf } from '../storeOf.js';

/** Who is told changes, and what is known of it. */
export interface Sink<T> {
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

interface Session {
  /** How many changes earlier sessions have brought. */
  readonly begunAt: number;
  /** Whether there was nothing in the store. */
  readonly wasEmpty: boolean;
}

/**
 * Multicasts the changes of a store. Whoever joins later gets the content of the store first.
 *
 * Changes are counted as they are received, which is before anybody is told. A snapshot is of the store at that moment, and contains every change
 * received so far; its sink is told those that are received later. So nobody is told anything twice, wherever it joins.
 */
export class SnapshotSubject<T> {
  private readonly store: StoreOf<T>;
  private readonly turns: Trampoline;
  private readonly resync: boolean;
  private readonly sinks = new Set<Sink<T>>();
  /** The sinks by audience, as lists that do not change: who joins or leaves does not disturb a dispatch under way. */
  private audiences: { readonly settled: readonly Sink<T>[]; readonly others: readonly Sink<T>[] } | undefined;
  private readonly waiting: ResourceChange<T>[] = [];
  private received = 0;
  private dispatched = 0;
  /** Undefined between sessions. */
  private session: Session | undefined;
  private synced = false;

  /** @param resync - whether anybody is told changes with the cause `resync`. */
  constructor(store: StoreOf<T>, turns: Trampoline, resync: boolean) {
    this.resync = resync;
    this.store = store;
    this.turns = turns;
  }

  hasChanged(): boolean {
    return this.received > 0;
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
    // Whoever joins from here on finds it in the snapshot.
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
    for (const sink of this.audience().others) {
      const { single } = sink;
      if (single === undefined || isSynced || !sink.known) this.tell(sink, change, count);
      else if (count > sink.since) for (const event of events) this.call(single, event);
    }
  };

  private tell(sink: Sink<T>, change: ResourceChange<T>, count: number): void {
    if (count <= sink.since) return;
    if (sink.known) this.call(sink.observer, change);
    else this.tellSnapshot(sink);
  }

  /** Whoever throws does not keep the change from the others: the trampoline throws it when the turns are over. */
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

  /** What was in the store before the first session of all is known to whoever has put it there, and is told as the difference to that. */
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
