import type { SchedulerLike, Subscription } from 'rxjs';
import type { Connection } from './connection.js';

/** How long pages are written to in one turn of the event loop, in milliseconds. */
const turnMs = 8;

/** Sends what is pending to one connection after the other, in turns, so that other work runs in between. */
export class Pace {
  private readonly scheduler: SchedulerLike;
  private readonly waiting = new Set<Connection>();
  private turn: Subscription | undefined;

  constructor(scheduler: SchedulerLike) {
    this.scheduler = scheduler;
  }

  add(connection: Connection): void {
    this.waiting.add(connection);
    this.turn ??= this.scheduler.schedule(() => this.run(), 0);
  }

  stop(): void {
    this.turn?.unsubscribe();
    this.waiting.clear();
  }

  private run(): void {
    const { scheduler, waiting } = this;
    const until = scheduler.now() + turnMs;
    // A connection that can be written to again meanwhile comes last.
    for (const connection of waiting) {
      waiting.delete(connection);
      connection.sendPending();
      if (scheduler.now() >= until) break;
    }
    this.turn = waiting.size === 0 ? undefined : scheduler.schedule(() => this.run(), 0);
  }
}
