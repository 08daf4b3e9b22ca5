import type { SchedulerLike } from 'rxjs';
import { Deadline } from './deadline.js';

/**
 * Runs the steps of a machine: each step asks for at most one next step, at once or after a wait, and the last one asked for counts.
 *
 * A step that is asked for while another runs begins after it, so a chain of synchronous steps does not grow the stack. Nothing runs after `stop`.
 *
 * @internal
 */
export class StepRunner {
  stopped = false;
  private running = false;
  private next: (() => void) | undefined;
  /** What begins when the wait is over; `undefined` outside of one. */
  private waiting: (() => void) | undefined;
  private readonly wait: Deadline;

  constructor(scheduler: SchedulerLike) {
    this.wait = new Deadline(scheduler, () => {
      const step = this.waiting;
      this.waiting = undefined;
      if (step !== undefined) this.run(step);
    });
  }

  run(step: () => void): void {
    this.next = step;
    if (this.running) return;
    this.running = true;
    try {
      for (let current = this.take(); current !== undefined; current = this.take()) current();
    } finally {
      this.running = false;
    }
  }

  runAfter(ms: number, step: () => void): void {
    if (this.stopped) return;
    this.waiting = step;
    this.wait.set(ms);
  }

  /** Runs another step when the wait is over; `false` when nothing waits. */
  redirect(step: () => void): boolean {
    if (this.waiting === undefined) return false;
    this.waiting = step;
    return true;
  }

  stop(): void {
    this.stopped = true;
    this.next = undefined;
    this.waiting = undefined;
    this.wait.clear();
  }

  private take(): (() => void) | undefined {
    const { next } = this;
    this.next = undefined;
    return this.stopped ? undefined : next;
  }
}
