import { asyncScheduler, type SchedulerLike } from 'rxjs';
import { monotonicScheduler } from './monotonicScheduler.js';

/** The scheduler for an option `scheduler`: `monotonicScheduler` by default and for `asyncScheduler`, whose clock can be set. */
export function schedulerOf(scheduler: SchedulerLike = monotonicScheduler): SchedulerLike {
  return scheduler === asyncScheduler ? monotonicScheduler : scheduler;
}

/** The time to show to people, in milliseconds since 1970: that of the wall clock, or of a virtual scheduler. Never measure with it. */
export function dateOf(scheduler: SchedulerLike): number {
  // eslint-disable-next-line no-restricted-properties -- the one place where the wall clock is read
  return scheduler === monotonicScheduler ? Date.now() : scheduler.now();
}
