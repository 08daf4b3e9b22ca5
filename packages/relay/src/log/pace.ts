import type { SchedulerLike, Subscription } from 'rxjs';

/** How long steps run in one turn of the event loop, in milliseconds. */
const turnMs = 8;

/** Runs steps of work one after the other, in turns, so that other work runs in between. */
export class Pace {
  private readonly scheduler: SchedulerLike;
  private readonly waiting = new Set<() => void>();
  private turn: Subscription | undefined;

  constructor(scheduler: SchedulerLike) {
    this.scheduler = scheduler;
  }

  /** Runs a step in a later turn: once, however often it is added before that. */
  add(step: () => void): void {
    this.waiting.add(step);
    this.turn ??= this.scheduler.schedule(() => this.run(), 0);
  }

  /** Runs a step now, or after those that wait. */
  begin(step: () => void): void {
    if (this.waiting.size === 0) step();
    else this.add(step);
  }

  /** Returns a function that says whether a step that begins now should end. */
  step(): () => boolean {
    const until = this.scheduler.now() + turnMs;
    return () => this.scheduler.now() >= until;
  }

  remove(step: () => void): void {
    this.waiting.delete(step);
  }

  stop(): void {
    this.turn?.unsubscribe();
    this.waiting.clear();
  }

  private run(): void {
    const { scheduler, waiting } = this;
    const isOver = this.step();
    // A step that is added again comes last.
    for (const step of waiting) {
      waiting.delete(step);
      step();
      if (isOver()) break;
    }
    this.turn = waiting.size === 0 ? undefined : scheduler.schedule(() => this.run(), 0);
  }
}
