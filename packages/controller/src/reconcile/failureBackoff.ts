import { expectArgument, messageOf, rules } from 'rx-informer/internal';
import type { RateLimiter } from 'rx-informer/workqueue';
import { retryMsOf } from './terminal.js';

/** The maximum number of failing keys that are named. */
const namedKeys = 100;
const finite = rules.number();

/** A failing key, its consecutive failures and the last error. */
export interface FailingKey {
  readonly key: string;
  readonly attempts: number;
  readonly message: string;
}

/**
 * Counts the consecutive failures of each key, and when it is due again.
 *
 * A failure before a key is due, in a call triggered by an event, does not increase the backoff: otherwise a busy object that fails for a
 * while would soon have the longest one.
 */
export class FailureBackoff {
  /** The failing keys with their numbers of consecutive failures. */
  readonly failures: Map<string, { readonly attempts: number; readonly dueAt: number }> = new Map();
  private readonly messages = new Map<string, string>();
  private readonly limiter: RateLimiter<string>;

  private readonly maxAttempts: number;

  constructor(limiter: RateLimiter<string>, maxAttempts: number) {
    this.limiter = limiter;
    this.maxAttempts = maxAttempts;
  }

  attempt(key: string): number {
    return (this.failures.get(key)?.attempts ?? 0) + 1;
  }

  /**
   * Counts a failure and returns the milliseconds until the key is due again: at least 1, so that the event loop can run other tasks. Undefined when it is given
   * up: its next trigger is a first attempt again.
   */
  fail(key: string, now: number, error: unknown): number | undefined {
    const failure = this.failures.get(key);
    const attempts = (failure?.attempts ?? 0) + 1;
    const askedMs = retryMsOf(error);
    if (askedMs === Infinity || attempts >= this.maxAttempts) {
      this.forget(key);
      return undefined;
    }
    const early = failure !== undefined && now < failure.dueAt;
    const delayMs = askedMs ?? (early ? failure.dueAt - now : Math.max(this.limiter.when(key), 1));
    expectArgument('reconcile', 'rateLimiter.when()', delayMs, finite);
    this.failures.set(key, { attempts, dueAt: now + delayMs });
    if (this.messages.size < namedKeys || this.messages.has(key)) this.messages.set(key, messageOf(error));
    return delayMs;
  }

  /** The first failing keys with their last errors. */
  named(): readonly FailingKey[] {
    const first = [...this.failures].slice(0, namedKeys);
    return first.map(([key, { attempts }]) => ({ key, attempts, message: this.messages.get(key) ?? '' }));
  }

  forget(key: string): void {
    this.failures.delete(key);
    this.messages.delete(key);
    this.limiter.forget(key);
  }
}
