import { type SchedulerLike, Subscription } from 'rxjs';
import { expectArgument } from '../../api/options/expectArgument.js';
import { rules } from '../../api/options/rules.js';
import type { RateLimiter } from '../../workqueue/rateLimiter.js';
import type { Trigger } from './trigger.js';

/** Holds triggers of sources back whose rate is limited. A key that is held back already for the same source is not counted again. */
export class SourceLimits {
  private readonly limits: Readonly<Record<string, RateLimiter<string>>>;
  private readonly scheduler: SchedulerLike;
  private readonly held = new Map<string, Map<string, Trigger>>();
  private readonly timers = new Subscription();

  constructor(limits: Readonly<Record<string, RateLimiter<string>>>, scheduler: SchedulerLike) {
    this.limits = limits;
    this.scheduler = scheduler;
  }

  /** Hands a trigger on, now or when its source may. */
  pass(source: string, trigger: Trigger, handOn: (trigger: Trigger) => void): void {
    const limiter = Object.hasOwn(this.limits, source) ? this.limits[source] : undefined;
    if (limiter === undefined) {
      handOn(trigger);
      return;
    }
    const held = this.held.get(source) ?? new Map<string, Trigger>();
    this.held.set(source, held);
    const isHeld = held.has(trigger.key);
    if (isHeld) {
      held.set(trigger.key, trigger);
      return;
    }
    const delayMs = limiter.when(trigger.key);
    expectArgument('reconcile', `limits.${source}.when()`, delayMs, rules.number());
    this.hold(held, trigger, delayMs, handOn);
  }

  /** The keys that are held back. */
  keys(): readonly string[] {
    return [...this.held.values()].flatMap((held) => [...held.keys()]);
  }

  stop(): void {
    this.timers.unsubscribe();
  }

  private hold(held: Map<string, Trigger>, trigger: Trigger, delayMs: number, handOn: (trigger: Trigger) => void): void {
    if (delayMs <= 0) {
      handOn(trigger);
      return;
    }
    held.set(trigger.key, trigger);
    const timer = this.scheduler.schedule(() => {
      const last = held.get(trigger.key) ?? trigger;
      held.delete(trigger.key);
      this.timers.remove(timer);
      handOn(last);
    }, delayMs);
    this.timers.add(timer);
  }
}
