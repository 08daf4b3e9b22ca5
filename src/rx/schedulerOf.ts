import { asyncScheduler, type SchedulerLike } from 'rxjs';
import { monotonicScheduler } from './monotonicScheduler.js';

/** The scheduler for an option `scheduler`: `monotonicScheduler` by default and for `asyncScheduler`, whose clock can be set. */
export function schedulerOf(scheduler: SchedulerLike = monotonicScheduler): SchedulerLike {
  return scheduler === asyncScheduler ? monotonicScheduler : scheduler;
}
