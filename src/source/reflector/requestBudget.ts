import { defer, finalize, type Observable, type SchedulerLike, switchMap, timer } from 'rxjs';
import { defaults } from '../../api/defaults.js';

/** How long the bucket takes to gain a token. */
const tokenMs = 1000 / defaults.sourceRequests.perSecond;

/**
 * Lets requests of one source begin at a limited rate: a token bucket that only a server that ends every answer at once empties.
 *
 * @internal
 */
export class RequestBudget {
  private readonly scheduler: SchedulerLike;
  /** When the bucket is full again. */
  private fullAt = -Infinity;

  constructor(scheduler: SchedulerLike) {
    this.scheduler = scheduler;
  }

  /** Sends a request when there is a token for it. */
  spend<V>(send: () => Observable<V>): Observable<V> {
    return defer(() => {
      const waitMs = this.take(this.scheduler.now());
      if (waitMs === 0) return send();
      let waits = true;
      return timer(waitMs, this.scheduler).pipe(
        switchMap(() => {
          waits = false;
          return send();
        }),
        finalize(() => {
          if (waits) this.fullAt -= tokenMs;
        }),
      );
    });
  }

  private take(now: number): number {
    this.fullAt = Math.max(this.fullAt, now) + tokenMs;
    return Math.max(0, this.fullAt - now - defaults.sourceRequests.burst * tokenMs);
  }
}
