import type { SchedulerLike, Subscription } from 'rxjs';
import type { ResourceChange } from '../../../api/events.js';
import type { Trampoline } from '../../../rx/trampoline.js';

/** What is computed again because time has passed. */
const timePassed: ResourceChange<unknown> = { cause: 'view', events: [], synced: true };

/**
 * Which values of a view depend on the time, and until when each is right: one timer for the next that is not.
 */
export class TimeReads {
  private readonly scheduler: SchedulerLike;
  private readonly turns: Trampoline;
  private readonly mark: (key: string, change: ResourceChange<unknown>) => void;
  /** When each key is to be computed again, in milliseconds of the scheduler. */
  private readonly dueAt = new Map<string, number>();
  private current = '';
  private timer: { readonly at: number; readonly subscription: Subscription } | undefined;

  constructor(scheduler: SchedulerLike, turns: Trampoline, mark: (key: string, change: ResourceChange<unknown>) => void) {
    this.scheduler = scheduler;
    this.turns = turns;
    this.mark = mark;
  }

  /** From now on a key is computed, for which the time is asked. */
  begin(key: string): void {
    this.current = key;
    if (this.dueAt.size > 0) this.dueAt.delete(key);
  }

  /** The time to show, at the beginning of the step that it is in. */
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

  /** Looks at the keys at a moment, or before it. */
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
