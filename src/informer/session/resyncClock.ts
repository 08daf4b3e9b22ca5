import { type MonoTypeOperatorFunction, Observable, type SchedulerLike, Subscription } from 'rxjs';
import { defaults } from '../../api/defaults.js';
import type { ResourceChange } from '../../api/events/resourceChange.js';
import type { UpdatedEvent } from '../../api/events/resourceEvent.js';
import type { Indexer } from '../../cache/store/indexer.js';
import type { Trampoline } from '../../rx/trampoline.js';

/** Calls those who asked for it when it is time to go through the cache again: in a session, whatever becomes of the connection. */
export interface ResyncClock<T> {
  /**
   * Has every cached object delivered again every `periodMs`, or as often as the informer says, in one change and once the informer has synced. The clock
   * looks every check period, so periods are rounded up to a multiple of it.
   */
  join(periodMs: number | undefined, deliver: (change: ResourceChange<T>) => void): Subscription;
  /** Ticks as long as the subscription lasts. */
  tick<V>(): MonoTypeOperatorFunction<V>;
}

interface ResyncClockOptions<T> {
  readonly scheduler: SchedulerLike;
  readonly turns: Trampoline;
  readonly indexer: Indexer<T>;
  readonly hasSynced: () => boolean;
  /** The informer's period; `0` for none, and then nobody can have one. */
  readonly periodMs: number;
  readonly warn: (message: string) => void;
}

interface Participant {
  readonly wantedMs: number;
  readonly resync: () => void;
  periodMs: number;
  nextAt: number;
}

/** The change in which every cached object comes again as it is. */
function resyncOf<T>(store: Indexer<T>): ResourceChange<T> {
  const events: UpdatedEvent<T>[] = [];
  for (const key of store.listKeys()) {
    const object = store.getByKey(key);
    if (object !== undefined) events.push({ type: 'updated', key, object, oldObject: object, resync: true, inferred: false });
  }
  return { cause: 'resync', events, resourceVersion: store.lastStoreSyncResourceVersion(), synced: true };
}

/** A period that is none stays none, and so is one that never ends; a shorter one than the least is raised to it. */
function atLeast(periodMs: number, leastMs: number): number {
  return periodMs === 0 || periodMs === Infinity ? 0 : Math.max(periodMs, leastMs);
}

/** The time after `due` at which something comes next: one period later, or where that is over, one period from now. */
function afterPeriod(due: number, periodMs: number, now: number): number {
  return due + periodMs > now ? due + periodMs : now + periodMs;
}

/** Resyncs those whose time has come; one of them may make another one leave. */
function resyncDue(participants: ReadonlySet<Participant>, now: number): void {
  for (const participant of [...participants]) {
    const { periodMs, nextAt } = participant;
    if (periodMs === 0 || nextAt > now || !participants.has(participant)) continue;
    participant.nextAt = afterPeriod(nextAt, periodMs, now);
    participant.resync();
  }
}

/** Looks whose time has come every `periodMs`. A late look does not make the next one late, nor too early. */
function lookEvery(periodMs: number, scheduler: SchedulerLike, participants: ReadonlySet<Participant>): Subscription {
  let due = scheduler.now() + periodMs;
  return scheduler.schedule(function () {
    const now = Math.max(due, scheduler.now());
    due = afterPeriod(due, periodMs, now);
    this.schedule(undefined, due - scheduler.now());
    resyncDue(participants, now);
  }, periodMs);
}

export function createResyncClock<T>({ periodMs, scheduler, turns, indexer, hasSynced, warn }: ResyncClockOptions<T>): ResyncClock<T> {
  const usualMs = atLeast(periodMs, defaults.minimumResyncPeriodMs);
  const participants = new Set<Participant>();
  let checkMs = usualMs;
  let started = false;

  const schedule = (participant: Participant): void => {
    // A multiple of the check period, which may be none.
    participant.periodMs = checkMs === 0 ? 0 : Math.ceil(participant.wantedMs / checkMs) * checkMs;
    participant.nextAt = scheduler.now() + participant.periodMs;
  };

  /** What somebody wants may be refused, or make everybody look more often. */
  const agree = (wantedMs: number): void => {
    if (wantedMs === 0 || wantedMs >= checkMs) {
      if (wantedMs > 0 && checkMs === 0) warn(`a resync period of ${wantedMs} ms has no effect, as the informer has none`);
    } else if (started) {
      warn(`a resync period of ${wantedMs} ms is raised to ${checkMs} ms, as the informer has been started`);
    } else {
      checkMs = wantedMs;
    }
  };

  return {
    join: (wanted, deliver) => {
      const wantedMs = atLeast(wanted ?? usualMs, defaults.minimumResyncPeriodMs);
      agree(wantedMs);
      const tell = (): void => {
        if (hasSynced()) deliver(resyncOf(indexer));
      };
      const participant: Participant = { wantedMs, resync: () => turns.tell(tell), periodMs: 0, nextAt: 0 };
      schedule(participant);
      participants.add(participant);
      return new Subscription(() => participants.delete(participant));
    },
    tick: () => (source) =>
      new Observable((subscriber) => {
        started = true;
        for (const participant of participants) schedule(participant);
        if (checkMs > 0) subscriber.add(lookEvery(checkMs, scheduler, participants));
        subscriber.add(source.subscribe(subscriber));
      }),
  };
}
