import { expectArgument, rules } from '../../api/options.js';
import type { RateLimiter } from '../../workqueue/rateLimiters.js';

const finite = rules.number();

/**
 * How often each key has failed in a row, and when it is due again.
 *
 * A failure before a key is due, because an event called it sooner, does not charge the limiter: otherwise a busy object that fails for a
 * while would end up waiting for the longest backoff.
 */
export class FailureBackoff {
  private readonly failures = new Map<string, { attempts: number; dueAt: number }>();
  private readonly limiter: RateLimiter<string>;

  constructor(limiter: RateLimiter<string>) {
    this.limiter = limiter;
  }

  attempt(key: string): number {
    return (this.failures.get(key)?.attempts ?? 0) + 1;
  }

  has(key: string): boolean {
    return this.failures.has(key);
  }

  /** The keys that have failed, and how often in a row. */
  *attempts(): Iterable<readonly [key: string, attempts: number]> {
    for (const [key, { attempts }] of this.failures) yield [key, attempts];
  }

  keys(): Iterable<string> {
    return this.failures.keys();
  }

  /** Counts a failure and returns the milliseconds until the key is due again: at least 1, so that a loop always lets others have their turn. */
  fail(key: string, now: number): number {
    const failure = this.failures.get(key);
    const attempts = (failure?.attempts ?? 0) + 1;
    const early = failure !== undefined && now < failure.dueAt;
    const delayMs = early ? failure.dueAt - now : Math.max(this.limiter.when(key), 1);
    expectArgument('reconcile', 'rateLimiter.when()', delayMs, finite);
    this.failures.set(key, { attempts, dueAt: now + delayMs });
    return delayMs;
  }

  forget(key: string): void {
    this.failures.delete(key);
    this.limiter.forget(key);
  }
}
