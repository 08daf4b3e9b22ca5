import { type SchedulerLike, Subscription } from 'rxjs';
import { entryOf, expectArgument, rules } from 'rx-informer/internal';
import type { RateLimiter } from 'rx-informer/workqueue';
import type { Trigger } from './trigger.js';

/** Delays triggers of rate-limited sources. A key that is already delayed for the same source is not counted again. */
export class SourceLimits {
  private readonly limits: Readonly<Record<string, RateLimiter<string>>>;
  private readonly scheduler: SchedulerLike;
  private readonly held = new Map<string, Map<string, Trigger>>();
  private readonly timers = new Subscription();

  constructor(limits: Readonly<Record<string, RateLimiter<string>>>, scheduler: SchedulerLike) {
    this.limits = limits;
    this.scheduler = scheduler;
  }

  /** Passes on a trigger, now or when the limit of its source allows it. */
  pass(source: string, trigger: Trigger, handOn: (trigger: Trigger) => void): void {
    const limiter = Object.hasOwn(this.limits, source) ? this.limits[source] : undefined;
    if (limiter === undefined) {
      handOn(trigger);
      return;
    }
    const held = entryOf(this.held, source, () => new Map<string, Trigger>());
    const { key } = trigger;
    if (held.has(key)) {
      held.set(key, trigger);
      return;
    }
    const delayMs = limiter.when(key);
    expectArgument('reconcile', `limits.${source}.when()`, delayMs, rules.number());
    if (delayMs <= 0) {
      handOn(trigger);
      return;
    }
    held.set(key, trigger);
    const timer = this.scheduler.schedule(() => {
      const last = held.get(key) ?? trigger;
      held.delete(key);
      this.timers.remove(timer);
      handOn(last);
    }, delayMs);
    this.timers.add(timer);
  }

  /** A key has succeeded: limiters that count by key begin anew. */
  forget(key: string): void {
    for (const limiter of Object.values(this.limits)) limiter.forget(key);
  }

  keys(): readonly string[] {
    return [...this.held.values()].flatMap((held) => [...held.keys()]);
  }

  stop(): void {
    this.timers.unsubscribe();
  }
}
