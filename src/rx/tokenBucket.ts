import { Observable, type SchedulerLike, type Subscription } from 'rxjs';
import { Tokens } from '../api/clock.js';

/**
 * A token bucket. It holds at most `burst` tokens and gains `qps` tokens per second. Each request takes one; requests are served in the order of arrival.
 *
 * @see client-go's `flowcontrol.NewTokenBucketRateLimiter`
 */
export class TokenBucket {
  private readonly scheduler: SchedulerLike;
  private readonly queue = new Set<() => void>();
  private readonly tokens: Tokens;
  private timer: Subscription | undefined;

  /**
   * @param qps - the rate in the long run, per second.
   * @param burst - the number of requests that may start at once after a pause.
   */
  constructor(qps: number, burst: number, scheduler: SchedulerLike) {
    this.scheduler = scheduler;
    this.tokens = new Tokens(qps, burst, scheduler);
  }

  /** Completes when the next request may start. Unsubscribing leaves the queue. */
  turn(): Observable<never> {
    return new Observable((subscriber) => {
      const start = () => subscriber.complete();
      this.queue.add(start);
      this.serve();
      return () => {
        this.queue.delete(start);
        this.serve();
      };
    });
  }

  private serve(): void {
    for (const start of this.queue) {
      if (this.tokens.wait() > 0) break;
      this.tokens.take();
      this.queue.delete(start);
      start();
    }
    if (this.queue.size === 0) {
      this.timer?.unsubscribe();
      this.timer = undefined;
    } else {
      this.timer ??= this.scheduler.schedule(() => {
        this.timer = undefined;
        this.serve();
      }, Math.ceil(this.tokens.wait()));
    }
  }
}
