import { type SchedulerLike, Subscription } from 'rxjs';

/** Runs `work` once after that many milliseconds; after `Infinity`, never. */
export function after(scheduler: SchedulerLike, ms: number, work: () => void): Subscription {
  return ms === Infinity ? Subscription.EMPTY : scheduler.schedule(work, Math.max(0, ms));
}
