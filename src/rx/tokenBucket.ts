import { Observable, type SchedulerLike, type Subscription } from 'rxjs';

interface TokenBucketInit {
  /** The rate in the long run, per second. */
  readonly qps: number;
  /** The number of requests that may start at once after a pause. */
  readonly burst: number;
  readonly scheduler: SchedulerLike;
}

/**
 * A token bucket: it holds at most `burst` tokens and gains `qps` of them per second; each request takes one, first come, first served.
 *
 * @see client-go's `flowcontrol.NewTokenBucketRateLimiter`
 */
export class TokenBucket {
  private readonly init: TokenBucketInit;
  private readonly queue = new Set<() => void>();
  private tokens: number;
  private filledAt: number;
  private timer: Subscription | undefined;

  constructor(init: TokenBucketInit) {
    this.init = init;
    this.tokens = init.burst;
    this.filledAt = init.scheduler.now();
  }

  /** Completes when the next request may start. Unsubscribing leaves the queue. */
  turn(): Observable<never> {
    return new Observable((subscriber) => {
      const start = () => subscriber.complete();
      this.queue.add(start);
      this.serve();
      return () => {
        this.queue.delete(start);
        if (this.queue.size === 0) this.stopTimer();
      };
    });
  }

  private fill(): void {
    const { qps, burst, scheduler } = this.init;
    const now = scheduler.now();
    this.tokens = Math.min(burst, this.tokens + (Math.max(0, now - this.filledAt) / 1000) * qps);
    this.filledAt = now;
  }

  private serve(): void {
    this.fill();
    for (const start of this.queue) {
      if (this.tokens < 1) break;
      this.tokens -= 1;
      this.queue.delete(start);
      start();
    }
    if (this.queue.size > 0) this.startTimer();
    else this.stopTimer();
  }

  private startTimer(): void {
    const { qps, scheduler } = this.init;
    this.timer ??= scheduler.schedule(
      () => {
        this.timer = undefined;
        this.serve();
      },
      Math.ceil(((1 - this.tokens) / qps) * 1000),
    );
  }

  private stopTimer(): void {
    this.timer?.unsubscribe();
    this.timer = undefined;
  }
}
