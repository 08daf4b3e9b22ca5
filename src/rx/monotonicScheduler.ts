import { asyncScheduler, type SchedulerAction, type SchedulerLike, Subscription } from 'rxjs';

/** The longest delay that the timers of all runtimes keep; a longer one fires at once. */
const longestTimerMs = 2 ** 31 - 1;

/** One scheduled piece of work. It closes itself when it has run, so that what it was added to lets it go. */
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
    this.timer = delay === Infinity ? Subscription.EMPTY : this.arm(monotonicNow() + delay, delay, state);
    return this;
  }

  private arm(due: number, delay: number, state: T | undefined): Subscription {
    if (delay <= longestTimerMs) return asyncScheduler.schedule(() => this.run(state), delay);
    return asyncScheduler.schedule(() => {
      this.timer = this.arm(due, Math.max(0, due - monotonicNow()), state);
    }, longestTimerMs);
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
    // The work may have scheduled itself again.
    if (this.timer === timer) this.unsubscribe();
  }
}

const { timeOrigin } = performance;

/** Milliseconds since 1970 as the wall clock had it when the process began, and from then on of a monotonic clock. */
function monotonicNow(): number {
  return timeOrigin + performance.now();
}

/**
 * The default clock and timers of everything here: RxJS's `asyncScheduler` on a clock that never goes back and never jumps.
 *
 * A wall clock that is set back would otherwise stop every deadline for as long. A delay above 2^31 - 1 ms, which the timers of JavaScript runtimes
 * take for none, is waited for; `Infinity` never fires.
 */
export const monotonicScheduler: SchedulerLike = {
  now: monotonicNow,
  schedule: <T>(work: (this: SchedulerAction<T>, state?: T) => void, delay = 0, state?: T) =>
    new MonotonicAction(work).schedule(state, delay),
};
