import { asyncScheduler, type SchedulerAction, type SchedulerLike, Subscription } from 'rxjs';
import { longestTimerMs, systemClock } from '../api/clock.js';

/** A timer is late by more than timers of a busy event loop usually are. */
const lateMs = 20;
/** Within this time the event loop reads its sockets. */
const turnMs = 5;

/** A scheduled action. It unsubscribes itself after it has run, so that its parent subscription drops it. */
class MonotonicAction<T> extends Subscription implements SchedulerAction<T> {
  private readonly work: (this: SchedulerAction<T>, state?: T) => void;
  private timer: Subscription | undefined;

  constructor(work: (this: SchedulerAction<T>, state?: T) => void) {
    super(() => this.timer?.unsubscribe());
    this.work = work;
  }

  schedule(state?: T, delay = 0): Subscription {
    if (this.closed) return this;
    this.timer?.unsubscribe();
    this.timer = delay === Infinity ? Subscription.EMPTY : this.arm(systemClock.now() + delay, delay, state);
    return this;
  }

  /** Uses the timers of `asyncScheduler`, which a `TestScheduler` virtualises in `run`. */
  private arm(due: number, delay: number, state: T | undefined): Subscription {
    if (delay <= longestTimerMs) {
      const at = asyncScheduler.now() + delay;
      return asyncScheduler.schedule(() => this.fire(at, state), delay);
    }
    return asyncScheduler.schedule(() => {
      this.timer = this.arm(due, Math.max(0, due - systemClock.now()), state);
    }, longestTimerMs);
  }

  /**
   * A late timer means that the event loop was blocked. Timers come before sockets then: what has arrived meanwhile is read first, so that no deadline passes for
   * want of what is there. By the clock of the timers, which is virtual where they are: a slow test is not late.
   */
  private fire(at: number, state: T | undefined): void {
    if (asyncScheduler.now() - at < lateMs) this.run(state);
    else this.timer = asyncScheduler.schedule(() => this.run(state), turnMs);
  }

  private run(state: T | undefined): void {
    const { timer } = this;
    timer?.unsubscribe();
    try {
      this.work.call(this, state);
    } catch (error) {
      this.unsubscribe();
      throw error;
    }
    // The work may have rescheduled itself.
    if (this.timer === timer) this.unsubscribe();
  }
}

/**
 * The default clock and timers of this package: RxJS's `asyncScheduler` on `systemClock`, which is monotonic.
 *
 * A wall clock that is set back would delay every deadline by that much. Delays above 2^31 - 1 ms work, although JavaScript timers treat them as 0;
 * `Infinity` never fires.
 */
export const monotonicScheduler: SchedulerLike = {
  ...systemClock,
  schedule: <T>(work: (this: SchedulerAction<T>, state?: T) => void, delay = 0, state?: T) =>
    new MonotonicAction(work).schedule(state, delay),
};

/** The scheduler for an option `scheduler`: `monotonicScheduler` by default and for `asyncScheduler`, whose wall clock may be set. */
export function schedulerOf(scheduler: SchedulerLike = monotonicScheduler): SchedulerLike {
  return scheduler === asyncScheduler ? monotonicScheduler : scheduler;
}

/** The time for display, in milliseconds since 1970: of the wall clock, or of a virtual scheduler. Do not measure with it. */
export function dateOf(scheduler: SchedulerLike): number {
  // eslint-disable-next-line no-restricted-properties -- the one place where the wall clock is read
  return scheduler === monotonicScheduler ? Date.now() : scheduler.now();
}
