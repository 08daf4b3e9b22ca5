import { type MonoTypeOperatorFunction, Observable, Subscription } from 'rxjs';
import type { Clock } from '../../api/clock.js';
import { defaults } from '../../api/defaults.js';
import type { ResourceChange, UpdatedEvent } from '../../api/events.js';
import type { Indexer } from '../../cache/store/store.js';
import type { Trampoline } from '../../rx/trampoline.js';

interface ResyncClockOptions<T> {
  readonly scheduler: Clock;
  readonly turns: Trampoline;
  readonly indexer: Indexer<T>;
  readonly hasSynced: () => boolean;
  /** The informer's period; `0` for none, and then no handler or consumer can have one. */
  readonly periodMs: number;
  readonly warn: (message: string) => void;
}

interface Participant {
  readonly wantedMs: number;
  readonly resync: () => void;
  timer: { unsubscribe(): void } | undefined;
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

/**
 * Calls every `periodMs`, counted from now. A late call makes no other one late or early, and one that is late by whole periods takes the place of those in
 * between.
 */
function every(periodMs: number, clock: Clock, call: () => void): { unsubscribe(): void } {
  const begin = clock.now();
  let calls = 0;
  let timer: { unsubscribe(): void };
  const arm = (): void => {
    // A timer may fire a little early; the next call is a later one all the same.
    calls = Math.max(calls, Math.floor((clock.now() - begin) / periodMs)) + 1;
    timer = clock.schedule(
      () => {
        arm();
        call();
      },
      Math.max(0, begin + calls * periodMs - clock.now()),
    );
  };
  arm();
  return { unsubscribe: () => timer.unsubscribe() };
}

/** Calls those who asked for it when it is time to go through the cache again: in a session, whatever becomes of the connection. */
class SessionClock<T> {
  private readonly options: ResyncClockOptions<T>;
  private readonly usualMs: number;
  private readonly participants = new Set<Participant>();
  /** The period of which all are multiples; 0 for none. */
  private checkMs: number;
  private started = false;
  private sessions = 0;

  constructor(options: ResyncClockOptions<T>) {
    this.options = options;
    this.usualMs = atLeast(options.periodMs, defaults.minimumResyncPeriodMs);
    this.checkMs = this.usualMs;
  }

  /**
   * Has every cached object delivered again every `periodMs`, or as often as the informer says, in one change and once the informer has synced. Periods are
   * rounded up to a multiple of the informer's, and counted from the beginning of the session or from this call, whichever is later.
   */
  join(periodMs: number | undefined, deliver: (change: ResourceChange<T>) => void): Subscription {
    const { turns, indexer, hasSynced } = this.options;
    const wantedMs = atLeast(periodMs ?? this.usualMs, defaults.minimumResyncPeriodMs);
    this.agree(wantedMs);
    const tell = (): void => {
      if (hasSynced()) deliver(resyncOf(indexer));
    };
    const participant: Participant = { wantedMs, resync: () => turns.tell(tell), timer: undefined };
    this.participants.add(participant);
    if (this.sessions > 0) this.begin(participant);
    return new Subscription(() => {
      this.participants.delete(participant);
      participant.timer?.unsubscribe();
    });
  }

  /** Ticks as long as the subscription lasts. */
  tick<V>(): MonoTypeOperatorFunction<V> {
    return (source) =>
      new Observable((subscriber) => {
        this.started = true;
        this.sessions += 1;
        for (const participant of this.participants) this.begin(participant);
        subscriber.add(() => {
          this.sessions -= 1;
          if (this.sessions === 0) for (const { timer } of this.participants) timer?.unsubscribe();
        });
        subscriber.add(source.subscribe(subscriber));
      });
  }

  private begin(participant: Participant): void {
    const ownMs = this.checkMs === 0 ? 0 : Math.ceil(participant.wantedMs / this.checkMs) * this.checkMs;
    if (ownMs > 0) participant.timer = every(ownMs, this.options.scheduler, participant.resync);
  }

  /** Before the start, the shortest period that is wanted becomes the check period; after it, a shorter one is raised to that. */
  private agree(wantedMs: number): void {
    const { started, checkMs } = this;
    const { warn } = this.options;
    if (wantedMs === 0 || wantedMs >= checkMs) {
      if (wantedMs > 0 && checkMs === 0) warn(`a resync period of ${wantedMs} ms has no effect, as the informer has none`);
    } else if (started) {
      warn(`a resync period of ${wantedMs} ms is raised to ${checkMs} ms, as the informer has been started`);
    } else {
      this.checkMs = wantedMs;
    }
  }
}

export type ResyncClock<T> = Pick<SessionClock<T>, 'join' | 'tick'>;

export function createResyncClock<T>(options: ResyncClockOptions<T>): ResyncClock<T> {
  return new SessionClock(options);
}
