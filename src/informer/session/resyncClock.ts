import { BehaviorSubject, EMPTY, type MonoTypeOperatorFunction, Observable, type Subscription, switchMap } from 'rxjs';
import type { Clock } from '../../api/clock.js';
import { defaults } from '../../api/defaults.js';
import type { ResourceChange } from '../../api/events.js';
import { entriesOf, type IndexReader } from '../../cache/store/store.js';
import { resyncEvents } from '../../operators/timing/resync.js';
import type { Trampoline } from '../../rx/trampoline.js';

interface ResyncClockOptions<T> {
  readonly scheduler: Clock;
  readonly turns: Trampoline;
  readonly indexer: IndexReader<T>;
  readonly hasSynced: () => boolean;
  /** The informer's period; with `0` no handler or consumer can have one. */
  readonly periodMs: number;
  readonly warn: (message: string) => void;
}

/** A change with an update for every cached object, unchanged. */
function resyncOf<T>(store: IndexReader<T>): ResourceChange<T> {
  return { cause: 'resync', events: resyncEvents(entriesOf(store)), resourceVersion: store.lastStoreSyncResourceVersion(), synced: true };
}

/** 0 and Infinity mean never; other periods are raised to the minimum. */
function atLeast(periodMs: number): number {
  return periodMs === 0 || periodMs === Infinity ? 0 : Math.max(periodMs, defaults.minimumResyncPeriodMs);
}

/**
 * Calls every `periodMs`, counted from now. Delays do not accumulate, and a call that is late by whole periods replaces the calls in
 * between.
 */
function every(periodMs: number, clock: Clock, call: () => void): { unsubscribe(): void } {
  const begin = clock.now();
  let calls = 0;
  let timer: { unsubscribe(): void };
  const arm = (): void => {
    // A timer may fire early; the call still counts as the one that was due.
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

/** Calls consumers when a resync is due: during sessions, whatever the state of the connection. */
export class ResyncClock<T> {
  private readonly options: ResyncClockOptions<T>;
  private readonly usualMs: number;
  private readonly sessions$ = new BehaviorSubject(0);
  /** The period that all others are multiples of; 0 for none. */
  private checkMs: number;
  private started = false;

  constructor(options: ResyncClockOptions<T>) {
    this.options = options;
    this.usualMs = atLeast(options.periodMs);
    this.checkMs = this.usualMs;
  }

  /**
   * Delivers every cached object again every `periodMs`, by default the informer's period, in one change and only after the informer has synced. Periods are
   * rounded up to a multiple of the check period, and counted from the start of the session or from this call, whichever is later.
   */
  join(periodMs: number | undefined, deliver: (change: ResourceChange<T>) => void): Subscription {
    const { turns, indexer, hasSynced } = this.options;
    const wantedMs = atLeast(periodMs ?? this.usualMs);
    this.agree(wantedMs);
    const emit = (): void => {
      if (hasSynced()) deliver(resyncOf(indexer));
    };
    const due$ = this.sessions$.pipe(switchMap((sessions) => (sessions > 0 ? this.dueEvery(wantedMs) : EMPTY)));
    return due$.subscribe({ next: () => turns.notify(emit), error: () => undefined });
  }

  /** Runs the clock while subscribed. */
  tick<V>(): MonoTypeOperatorFunction<V> {
    return (source) =>
      new Observable((subscriber) => {
        this.started = true;
        this.sessions$.next(this.sessions$.value + 1);
        subscriber.add(() => this.sessions$.next(this.sessions$.value - 1));
        subscriber.add(source.subscribe(subscriber));
      });
  }

  private dueEvery(wantedMs: number): Observable<void> {
    const ownMs = this.checkMs === 0 ? 0 : Math.ceil(wantedMs / this.checkMs) * this.checkMs;
    return ownMs === 0 ? EMPTY : new Observable((subscriber) => every(ownMs, this.options.scheduler, () => subscriber.next()));
  }

  /** Before the start, the shortest requested period becomes the check period; later, shorter ones are raised to it. */
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
