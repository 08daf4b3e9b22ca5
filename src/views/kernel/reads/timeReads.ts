import type { SchedulerLike, Subscription } from 'rxjs';
import type { ResourceChange } from '../../../api/events.js';
import type { Trampoline } from '../../../rx/trampoline.js';

/** The cause of computations due to the time. */
const timePassed: ResourceChange<unknown> = { cause: 'view', events: [], synced: true };

/**
 * The values of a view that depend on the time, and when each is to be computed again: one timer for the next of them.
 */
export class TimeReads {
  private readonly scheduler: SchedulerLike;
  private readonly turns: Trampoline;
  private readonly mark: (key: string, change: ResourceChange<unknown>) => void;
  /** When to compute each key again, in milliseconds of the scheduler. */
  private readonly dueAt = new Map<string, number>();
  private current = '';
  private timer: { readonly at: number; readonly subscription: Subscription } | undefined;

  constructor(scheduler: SchedulerLike, turns: Trampoline, mark: (key: string, change: ResourceChange<unknown>) => void) {
    this.scheduler = scheduler;
    this.turns = turns;
    this.mark = mark;
  }

  /** Sets the key that is being computed. */
  begin(key: string): void {
    this.current = key;
    if (this.dueAt.size > 0) this.dueAt.delete(key);
  }

  /** The time, rounded down to a step. */
  now(stepMs: number, date: number): number {
    if (typeof stepMs !== 'number' || !(stepMs > 0) || stepMs === Infinity)
      throw new TypeError(`Expected \`stepMs\` of \`read.now\` to be a number above 0, got ${String(stepMs)}`);
    const step = Math.floor(date / stepMs) * stepMs;
    const due = this.scheduler.now() + step + stepMs - date;
    this.dueAt.set(this.current, Math.min(due, this.dueAt.get(this.current) ?? Infinity));
    this.wake(due);
    return step;
  }

  clear(): void {
    this.dueAt.clear();
    this.timer?.subscription.unsubscribe();
    this.timer = undefined;
  }

  /** Sets the timer to this time, or earlier. */
  private wake(at: number): void {
    if (this.timer !== undefined && this.timer.at <= at) return;
    this.timer?.subscription.unsubscribe();
    const delayMs = Math.max(0, at - this.scheduler.now());
    const look = (): void => {
      this.timer = undefined;
      this.look();
    };
    this.timer = { at, subscription: this.scheduler.schedule(look, delayMs) };
  }

  private look(): void {
    const now = this.scheduler.now();
    this.turns.run(() => {
      for (const [key, due] of this.dueAt) {
        if (due > now) continue;
        this.dueAt.delete(key);
        this.mark(key, timePassed);
      }
    });
    let next = Infinity;
    for (const due of this.dueAt.values()) next = Math.min(next, due);
    if (next < Infinity) this.wake(next);
  }
}
