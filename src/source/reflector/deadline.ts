import type { SchedulerLike, Subscription } from 'rxjs';

/** The longest delay of a timer in a JavaScript engine; a longer one fires at once. */
const longestDelayMs = 2 ** 31 - 1;

/**
 * A timer that is pushed forward far more often than it fires: pushing is two assignments, no timer is touched.
 *
 * @internal
 */
export class Deadline {
  private dueAt = Infinity;
  private timer: Subscription | undefined;
  private timerAt = Infinity;
  private readonly scheduler: SchedulerLike;
  private readonly expire: () => void;

  constructor(scheduler: SchedulerLike, expire: () => void) {
    this.scheduler = scheduler;
    this.expire = expire;
  }

  /** Expires `ms` from now instead of whenever it would have; `Infinity`: never. */
  set(ms: number): void {
    this.dueAt = this.scheduler.now() + ms;
    if (this.dueAt < this.timerAt) this.arm();
  }

  clear(): void {
    this.timer?.unsubscribe();
    this.timerAt = Infinity;
  }

  private arm(): void {
    this.timer?.unsubscribe();
    const now = this.scheduler.now();
    const delay = Math.min(Math.max(0, this.dueAt - now), longestDelayMs);
    this.timerAt = now + delay;
    this.timer = this.scheduler.schedule(() => this.fire(), delay);
  }

  private fire(): void {
    this.timerAt = Infinity;
    if (this.dueAt === Infinity) return;
    // A virtual clock may be a float away from the time that was asked for.
    if (this.dueAt - this.scheduler.now() >= 1) this.arm();
    else this.expire();
  }
}
