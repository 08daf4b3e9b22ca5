import type { SchedulerLike } from 'rxjs';
import { monotonicScheduler } from './monotonicScheduler.js';

/** The time to show to people, in milliseconds since 1970: that of the wall clock, or of a virtual scheduler. Never measure with it. */
export function dateOf(scheduler: SchedulerLike): number {
  // eslint-disable-next-line no-restricted-properties -- the one place where the wall clock is read
  return scheduler === monotonicScheduler ? Date.now() : scheduler.now();
}
