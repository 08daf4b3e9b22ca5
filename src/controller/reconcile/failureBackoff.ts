import { expectArgument, rules } from '../../api/options.js';
import type { RateLimiter } from '../../workqueue/rateLimiters.js';

const finite = rules.number();

/**
 * Counts the consecutive failures of each key, and when it is due again.
 *
 * A failure before a key is due, in a call triggered by an event, does not increase the backoff: otherwise a busy object that fails for a
 * while would soon have the longest one.
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

  /** The failing keys with their numbers of consecutive failures. */
  *attempts(): Iterable<readonly [key: string, attempts: number]> {
    for (const [key, { attempts }] of this.failures) yield [key, attempts];
  }

  keys(): Iterable<string> {
    return this.failures.keys();
  }

  /** Counts a failure and returns the milliseconds until the key is due again: at least 1, so that the event loop can run other tasks. */
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
